// The flags of every command.
import { type FlagSpecs, type Flags, flag } from "./flags.ts";

export const globalFlags = {
  profile: flag.text("--profile <name>", "use this profile of the settings file"),
  account: flag.text("--account <guid>", "use this account; none sends no account header"),
  noProject: flag.switch("--no-project", "ignore the project's .incident.yaml"),
  timeout: flag.duration("--timeout <duration>", "time limit of one request (default: 30s)"),
  deadline: flag.duration(
    "--deadline <duration>",
    "time limit of the whole command; exit 7, 8 or 10 when it expires",
  ),
  settleFor: flag.duration(
    "--settle-for <duration>",
    "how long to look for an incident whose create got no answer (default: 10s)",
  ),
  yes: flag.switch("-y, --yes", "answer every confirmation with yes"),
  noInput: flag.switch("--no-input", "never ask anything"),
  color: flag.switch("--color", "use colour even if the output is not a terminal"),
  noColor: flag.switch("--no-color", "use no colour"),
  quiet: flag.switch("-q, --quiet", "show only warnings and errors on stderr"),
  debug: flag.switch("--debug", "show each request and answer on stderr, without the key"),
} as const satisfies FlagSpecs;

export type GlobalFlags = Flags<typeof globalFlags>;

/** The flags of every command that only the parser reads. */
export const parserFlags = {
  output: flag.text("-o, --output <format>", "how results are printed"),
  help: flag.switch("-h, --help", "show help"),
  version: flag.switch("--version", "show the version"),
} as const satisfies FlagSpecs;
