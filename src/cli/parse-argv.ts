// The command line, read: the table of commands becomes commander's, and argv becomes an invocation, a text
// to print, or a usage failure. The only importer of commander.
import { Command, CommanderError, Option as CommanderOption, InvalidArgumentError } from "commander";
import {
  type Command as CommandEntry,
  type CommandSpec,
  type FlagSpec,
  type Format,
  type GlobalFlags,
  globalFlags,
  type Input,
} from "../commands/define-command.ts";
import { Failure } from "../failure.ts";
import { nearest } from "../incident/rules.ts";
import { version } from "../version.ts";
import { renderOverview } from "./help/overview.ts";
import { commands, groups, specs } from "./registry.ts";

export type Invocation =
  | { readonly kind: "run"; readonly command: CommandEntry; readonly input: Input }
  | { readonly kind: "print"; readonly text: string };

/** Reads argv (without node and script). Throws a `Failure` "usage". */
export async function readCommandLine(argv: readonly string[], columns: number): Promise<Invocation> {
  let invocation: Invocation | undefined;
  let printed = "";
  let helped = "";
  let detailed: CommandSpec | undefined;
  const program = new Command("incident");
  const quiet = (command: Command) =>
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      writeErr: (text) => {
        helped += text;
      },
      getOutHelpWidth: () => columns,
    });
  quiet(program)
    .version(version, "--version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [topic]", "show help for a command or a topic");
  program.helpInformation = () => renderOverview(columns);
  for (const [name, flag] of Object.entries(globalFlags)) program.addOption(commanderOption(name, flag));
  program.addOption(new CommanderOption("-o, --output <format>", "how results are printed"));

  const parents = new Map<string, Command>();
  for (const entry of commands) {
    const { spec } = entry;
    const [first = "", second] = spec.name.split(" ");
    const summary = groups[first];
    if (summary !== undefined && !parents.has(first)) {
      const parent = quiet(program.command(first)).summary(summary).description(sentence(summary));
      parents.set(first, parent.helpOption("-h, --help", "show help"));
    }
    const command = quiet((parents.get(first) ?? program).command(second ?? first)).summary(spec.summary);
    // The details of the commands that argv does not name take longer than the rest of this.
    if (!argv.includes(first)) continue;
    command
      .description(sentence(spec.summary))
      .helpOption("-h, --help", "show help")
      .addHelpText("after", () => {
        detailed = spec;
        return "";
      });
    if (spec.operands !== undefined) command.argument(spec.operands);
    for (const [name, flag] of Object.entries(spec.flags)) command.addOption(commanderOption(name, flag));
    command.action((...given: unknown[]) => {
      const operands = spec.operands === undefined ? [] : [(given[0] ?? []) as string | string[]].flat();
      const { output, ...global } = program.opts<GlobalFlags & { output?: string }>();
      invocation = {
        kind: "run",
        command: entry,
        input: { operands, flags: command.opts(), global, format: checkFormat(spec, output) },
      };
    });
  }

  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      return {
        kind: "print",
        text: detailed === undefined ? printed : printed + (await commandNotes(detailed)),
      };
    }
    if (error.code === "commander.help") return { kind: "print", text: helped };
    throw usageFailure(error, argv);
  }
  return invocation ?? { kind: "print", text: renderOverview(columns) };
}

function commanderOption(name: string, flag: FlagSpec): CommanderOption {
  const result = new CommanderOption(flag.usage, flag.summary);
  // commander would name it after its flag, and would turn `--no-x` into a false `x`.
  result.attributeName = () => name;
  result.negate = false;
  if (flag.choices !== undefined) result.choices(flag.choices);
  if (flag.kind === "list")
    result.argParser((value, previous: readonly string[] = []) => [...previous, value]);
  if (flag.kind === "duration") result.argParser(parseDuration);
  if (flag.kind === "count") result.argParser(parseCount);
  return result;
}

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `500ms`, `10s`, `30m`, `1h`; a bare number is seconds. Gives milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (match === null) throw new InvalidArgumentError("Write it with a unit, such as 500ms, 10s or 30m.");
  const milliseconds =
    Number(match[1]) * unitMilliseconds[(match[2] ?? "s") as keyof typeof unitMilliseconds];
  if (milliseconds < 1 || milliseconds > 24 * unitMilliseconds.h) {
    throw new InvalidArgumentError("It must be between 1ms and 24h.");
  }
  return milliseconds;
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  return Number(text);
}

function checkFormat(spec: CommandSpec, output: string | undefined): Format {
  const fallback = spec.outputs[0] ?? "table";
  if (output === undefined) return fallback;
  const format = spec.outputs.find((candidate) => candidate === output);
  if (format !== undefined) return format;
  const hint = spec.outputs.length === 0 ? "leave -o out" : `use -o with one of: ${spec.outputs.join(", ")}`;
  throw new Failure("usage", `incident ${spec.name} cannot print "${output}"`, {
    hint: withGuess(hint, output, spec.outputs),
  });
}

function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  const [message, suggestion] = error.message.replace(/^error: /, "").split("\n");
  const spec = specs.find(({ name }) => name.split(" ").every((word) => argv.includes(word)));
  const help = spec === undefined ? "incident --help" : `incident ${spec.name} --help`;
  const [, value, choices] =
    /argument '(.*)' is invalid\. Allowed choices are (.+)\./.exec(error.message) ?? [];
  if (value !== undefined && choices !== undefined) {
    return new Failure("usage", message as string, {
      hint: withGuess(`see ${help}`, value, choices.split(", ")),
    });
  }
  if (error.code === "commander.excessArguments" && spec !== undefined && "file" in spec.flags) {
    const files = argv
      .filter((word) => !word.startsWith("-") && !spec.name.split(" ").includes(word))
      .join(" -f ");
    return new Failure("usage", message as string, {
      hint: `files are named with -f: incident ${spec.name} -f ${files}`,
    });
  }
  const meant = /Did you mean (.+)\?/.exec(suggestion ?? "")?.[1];
  return new Failure("usage", message as string, {
    hint: meant === undefined ? `see ${help}` : `did you mean ${meant}? See ${help}`,
  });
}

function withGuess(hint: string, value: string, known: readonly string[]): string {
  const meant = nearest(value, known);
  return meant === undefined ? hint : `${hint}; did you mean ${meant}?`;
}

function sentence(summary: string): string {
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
}

async function commandNotes(spec: CommandSpec): Promise<string> {
  const width = Math.max(...spec.examples.map(({ command }) => command.length));
  const examples = spec.examples.map(({ command, summary }) => `  ${command.padEnd(width)}  # ${summary}`);
  const output = spec.outputs.length > 1 ? [`Output (-o): ${spec.outputs.join(", ")}.`] : [];
  const notes = typeof spec.notes === "function" ? await spec.notes() : spec.notes;
  return [
    "",
    "Examples:",
    ...examples,
    "",
    ...(notes === undefined ? [] : [notes]),
    ...output,
    "Options of every command: incident help options",
    "",
  ].join("\n");
}
