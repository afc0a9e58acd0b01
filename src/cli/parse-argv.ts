// The command line, read: the table of commands becomes commander's, and argv becomes an invocation, a text
// to print, or a usage failure. The only importer of commander.
import { Command, CommanderError, Option as CommanderOption, InvalidArgumentError } from "commander";
import { commands, groups } from "../commands/commands.ts";
import {
  type CommandRow,
  type Format,
  type GlobalFlags,
  globalOptions,
  type Input,
  type Option,
} from "../commands/define-command.ts";
import { Failure } from "../failure.ts";
import { didYouMean, nearest, withSuggestion } from "../incident/rules.ts";
import { version } from "../version.ts";
import { renderOverview } from "./help/overview.ts";

export type Invocation =
  | { readonly kind: "run"; readonly row: CommandRow; readonly input: Input }
  | { readonly kind: "print"; readonly text: string };

/** Reads argv (without node and script). Throws a `Failure` "usage". */
export function readCommandLine(argv: readonly string[], columns: number): Invocation {
  let invocation: Invocation | undefined;
  let printed = "";
  let helped = "";
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
  for (const [name, option] of Object.entries(globalOptions))
    program.addOption(commanderOption(name, option));
  program.addOption(new CommanderOption("-o, --output <format>", "how results are printed"));

  const parents = new Map<string, Command>();
  for (const row of commands) {
    const [first = "", second] = row.name.split(" ");
    const summary = groups[first];
    if (summary !== undefined && !parents.has(first)) {
      const parent = quiet(program.command(first)).summary(summary).description(sentence(summary));
      parents.set(first, parent.helpOption("-h, --help", "show help"));
    }
    const command = quiet((parents.get(first) ?? program).command(second ?? first)).summary(row.summary);
    // The details of the commands that argv does not name take longer than the rest of this.
    if (!argv.includes(first)) continue;
    command
      .description(sentence(row.summary))
      .helpOption("-h, --help", "show help")
      .addHelpText("after", commandNotes(row));
    if (row.operands !== undefined) command.argument(row.operands);
    for (const [name, option] of Object.entries(row.options))
      command.addOption(commanderOption(name, option));
    command.action((...given: unknown[]) => {
      const operands = row.operands === undefined ? [] : [(given[0] ?? []) as string | string[]].flat();
      const { output, ...global } = program.opts<GlobalFlags & { output?: string }>();
      invocation = {
        kind: "run",
        row,
        input: { operands, flags: command.opts(), global, format: checkFormat(row, output) },
      };
    });
  }

  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    if (error.code === "commander.help") return { kind: "print", text: helped };
    throw usageFailure(error, argv);
  }
  return invocation ?? { kind: "print", text: renderOverview(columns) };
}

function commanderOption(name: string, option: Option): CommanderOption {
  const result = new CommanderOption(option.flags, option.summary);
  // commander would name it after its flag, and would turn `--no-x` into a false `x`.
  result.attributeName = () => name;
  result.negate = false;
  if (option.choices !== undefined) result.choices(option.choices);
  if (option.kind === "list")
    result.argParser((value, previous: readonly string[] = []) => [...previous, value]);
  if (option.kind === "duration") result.argParser(parseDuration);
  if (option.kind === "count") result.argParser(parseCount);
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

function checkFormat(row: CommandRow, output: string | undefined): Format {
  const fallback = row.outputs[0] ?? "table";
  if (output === undefined) return fallback;
  const format = row.outputs.find((candidate) => candidate === output);
  if (format !== undefined) return format;
  const hint = row.outputs.length === 0 ? "leave -o out" : `use -o with one of: ${row.outputs.join(", ")}`;
  throw new Failure("usage", `incident ${row.name} cannot print "${output}"`, {
    hint: withSuggestion(hint, nearest(output, row.outputs)),
  });
}

function usageFailure(error: CommanderError, argv: readonly string[]): Failure {
  const [message, suggestion] = error.message.replace(/^error: /, "").split("\n");
  const row = commands.find(({ name }) => name.split(" ").every((word) => argv.includes(word)));
  const help = row === undefined ? "incident --help" : `incident ${row.name} --help`;
  const [, value, choices] =
    /argument '(.*)' is invalid\. Allowed choices are (.+)\./.exec(error.message) ?? [];
  if (value !== undefined && choices !== undefined) {
    return new Failure("usage", message as string, {
      hint: withSuggestion(`see ${help}`, nearest(value, choices.split(", "))),
    });
  }
  if (error.code === "commander.excessArguments" && row !== undefined && "file" in row.options) {
    const files = argv
      .filter((word) => !word.startsWith("-") && !row.name.split(" ").includes(word))
      .join(" -f ");
    return new Failure("usage", message as string, {
      hint: `files are named with -f: incident ${row.name} -f ${files}`,
    });
  }
  const meant = /Did you mean (.+)\?/.exec(suggestion ?? "")?.[1];
  return new Failure("usage", message as string, {
    hint: meant === undefined ? `see ${help}` : `${didYouMean(meant)} See ${help}`,
  });
}

function sentence(summary: string): string {
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
}

function commandNotes(row: CommandRow): string {
  const width = Math.max(...row.examples.map(({ command }) => command.length));
  const examples = row.examples.map(({ command, summary }) => `  ${command.padEnd(width)}  # ${summary}`);
  const output = row.outputs.length > 1 ? [`Output (-o): ${row.outputs.join(", ")}.`] : [];
  const notes = row.notes === undefined ? [] : [row.notes];
  return [
    "",
    "Examples:",
    ...examples,
    "",
    ...notes,
    ...output,
    "Options of every command: incident help options",
  ].join("\n");
}
