// The pages of `incident help TOPIC`: facts about all commands, from the tables that the code itself uses.

import { exitCodes, Failure, type FailureKind } from "../../failure.ts";
import { globalFlags, parserFlags } from "../../kit/global-flags.ts";
import { didYouMean, nearest } from "../../text/suggest.ts";
import { settingRows } from "../../workspace/settings.ts";
import { commandsIn, rows } from "../registry.ts";
import { reflow, renderRows, type TermRow } from "./layout.ts";
import { type Topic, topics } from "./topic-names.ts";

/** The page of a topic. Throws a `Failure` "usage" where there is no such topic. */
export async function renderTopic(name: string, columns: number): Promise<string> {
  const topic = topics.find((candidate) => candidate === name);
  if (topic === "drills") return `${await renderDrills(columns)}\n`;
  if (topic === "emergency") return `${renderRows(await emergencyRows(), columns)}\n`;
  if (topic !== undefined) return `${renderRows(tables[topic], columns)}\n`;
  const { failureOfWord } = await import("../habits.ts");
  const failure = failureOfWord(name);
  if (failure !== undefined) throw failure;
  const suggested = nearest(name, [...topics, ...commandsIn().keys()]);
  throw new Failure("usage", `there is no help for "${name}"`, {
    hint: `${suggested === undefined ? "" : `${didYouMean(suggested)} `}the topics are ${topics.join(", ")}; or name a command`,
  });
}

const nextSteps = {
  internal: "report it: it is a bug in incident",
  usage: "correct the command line or the settings",
  invalid: "correct the YAML",
  credentials: "correct the key or the account",
  missing: "there is no such incident: check the id",
  rejected:
    "the service refused it or does not offer it, or it conflicts with the incident: read the message",
  unavailable: "nothing was published, or something could not be read: run it again",
  uncertain:
    "a create, an update or an edit was sent, and its outcome is not known: look before you run it again",
  partial: "some of it was published, and some was not: run it again for the rest",
  timeout: "--wait-timeout or --deadline expired: run it again, or give it longer",
  drift: "live incidents, or the results of a drill, differ from what is expected",
  blocked: "gate: an incident is open",
  confirmation: "nothing was sent: show the preview to a person, then run the printed command",
  interrupted: "Ctrl-C, or a question was declined",
  terminated: "SIGTERM or SIGHUP",
} as const satisfies Record<FailureKind, string>;

const otherVariables: readonly TermRow[] = [
  ["NO_COLOR, FORCE_COLOR, TERM", "colour: never, always, by the terminal"],
  ["CI", "if set, no question is asked"],
  ["BROWSER", "the browser that incident open starts"],
  ["HTTPS_PROXY, ALL_PROXY, NO_PROXY", "the proxy for the service: http or https"],
  ["NODE_EXTRA_CA_CERTS", "a file of further certificates to trust"],
  ["XDG_CONFIG_HOME, XDG_STATE_HOME", "where the files are: incident help files"],
];

const files: readonly TermRow[] = [
  [
    "~/.config/incident-cli/config.yaml",
    "your profiles; incident login writes it, incident config show names it",
  ],
  [
    ".incident.yaml",
    "the project's file, with its services by name; searched from here up to the repository's root",
  ],
  ["~/.local/state/incident-cli/", "what was sent from here, so that no rerun sends it twice"],
  ["~/.local/state/incident-cli/draft.yaml", "the answers of an unfinished incident create"],
  [
    "~/.cache/incident-cli/",
    "compiled code, for a quick start; you can delete it at any time (macOS: ~/Library/Caches; Windows: %LOCALAPPDATA%)",
  ],
];

const tables = {
  commands: rows.map(({ name, summary }): TermRow => [name, summary]),
  options: [
    ...Object.values(globalFlags).map(({ usage, summary }): TermRow => [usage, summary]),
    ...Object.values(parserFlags).map(({ usage, summary }): TermRow => [usage, summary]),
  ],
  "exit-codes": [
    ["  0  done", "nothing is left to do"],
    ...Object.entries(nextSteps).map(
      ([kind, next]): TermRow => [`${String(exitCodes[kind as FailureKind]).padStart(3)}  ${kind}`, next],
    ),
  ],
  environment: [
    ...Object.values(settingRows).flatMap(({ summary, variable }): TermRow[] =>
      variable === undefined ? [] : [[variable, summary]],
    ),
    ...otherVariables,
  ],
  files,
} as const satisfies Record<Exclude<Topic, "drills" | "emergency">, readonly TermRow[]>;

/** Each flag once, with the commands that take it. */
async function emergencyRows(): Promise<readonly TermRow[]> {
  const specs = (await Promise.all(rows.map(({ load }) => load()))).map(({ spec }) => spec);
  const takers = new Map<string, { readonly summary: string; readonly names: string[] }>();
  for (const { flags, name } of specs)
    for (const { summary, topic, usage } of Object.values(flags)) {
      if (topic !== "emergency") continue;
      const known = takers.get(usage) ?? { summary, names: [] };
      known.names.push(name);
      takers.set(usage, known);
    }
  return [...takers].map(([usage, { names, summary }]) => [usage, `${names.join(", ")}: ${summary}`]);
}

async function renderDrills(columns: number): Promise<string> {
  const { assumptions } = await import("../../sandbox/assumptions.ts");
  const { faultGrammar, faultMeanings } = await import("../../sandbox/faults.ts");
  const parts = [
    "A drill runs a command against the sandbox, and injects faults:",
    "  incident sandbox --fault create#1:drop-after-commit -- ./runbook.sh",
    "It ends with the command's exit code, after a line that counts requests, incidents and duplicates.",
    `A fault is ${faultGrammar}. The kinds:`,
    renderRows(faultMeanings, columns),
    "The sandbox's behavior where the API's specification is silent (its sections in parentheses):",
    assumptions.map((assumption) => `- ${assumption}`).join("\n"),
  ];
  return parts.map((part) => reflow(part, columns)).join("\n\n");
}
