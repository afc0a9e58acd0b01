// Parses argv with commander, whose commands are built from the registry. The only importer of commander.
import {
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  InvalidArgumentError,
} from "commander";
import { Failure } from "../failure.ts";
import { chooseFormat } from "../kit/choose-format.ts";
import type { Command, CommandSpec, Input } from "../kit/define-command.ts";
import type { FlagSpec } from "../kit/flags.ts";
import { type GlobalFlags, globalFlags } from "../kit/global-flags.ts";
import { Advice, advise, type Hint, argv as words } from "../text/advice.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Invocation, RunInvocation, WrongCommandLine } from "./fast-path.ts";
import { renderRow } from "./help/layout.ts";
import { commands, groups, specs } from "./registry.ts";
import { normalizeWords } from "./typed-words.ts";

/** Parses argv (without node and script); `columns` is the width of the help. Throws a `Failure` for a wrong format. */
export function parseArgv(typed: readonly string[], columns: number): Invocation {
  const argv = normalizeWords(typed, new Set(specs.map(({ name }) => name.split(" ")[0] ?? name)), groups);
  let invocation: RunInvocation | undefined;
  let usage = "";
  let helpOf: CommandSpec | "program" | undefined;
  const write = (text: string) => {
    usage += text;
  };
  const configure = (command: CommanderCommand) =>
    command
      .exitOverride()
      .helpOption("-h, --help", "show help")
      .configureHelp(helpLayout(columns))
      .showSuggestionAfterError(false)
      .configureOutput({
        writeOut: write,
        writeErr: write,
        getOutHelpWidth: () => columns,
        getErrHelpWidth: () => columns,
      });
  const program = configure(new CommanderCommand("incident"))
    .version("", "--version")
    .helpCommand("help [topic]", "show help for a command or a topic");
  program.helpInformation = () => {
    helpOf = "program";
    return "";
  };
  for (const [name, flag] of Object.entries(globalFlags)) program.addOption(commanderOption(name, flag));
  const output = new CommanderOption("-o, --output <format>", "how results are printed");
  takeOnce(output);
  program.addOption(output);

  const parents = new Map<string, CommanderCommand>();
  for (const command of addressedCommands(argv)) {
    const { spec } = command;
    const [first = "", second] = spec.name.split(" ");
    const summary = groups.get(first);
    if (summary !== undefined && !parents.has(first)) {
      parents.set(first, configure(program.command(first)).summary(summary).description(sentence(summary)));
    }
    const child = configure(
      (parents.get(first) ?? program).command(second ?? first, { isDefault: spec.isDefault ?? false }),
    ).summary(spec.summary);
    // Adding the details of every command would take longer than the rest of parsing.
    if (!argv.includes(first)) continue;
    addDetails(child, spec);
    // The help of a group includes that of its default command.
    for (const each of spec.isDefault ? [child, parents.get(first)] : [child])
      each?.addHelpText("after", () => {
        helpOf = spec;
        return "";
      });
    child.action((...args: unknown[]) => {
      const operands = spec.operands === undefined ? [] : [(args[0] ?? []) as string | string[]].flat();
      invocation = { kind: "run", command, input: createInput(command, operands, child, program) };
    });
  }

  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof Failure) return { kind: "wrong", problem: "other", subject: "", failure: error };
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.version") return { kind: "version" };
    const isHelp = error.code === "commander.helpDisplayed" || error.code === "commander.help";
    if (!isHelp) return wrongCommandLine(error, argv);
    if (helpOf !== "program") return { kind: "help", usage, ...(helpOf && { spec: helpOf }) };
    // commander shows the program's help for `help NAME` where no command has the name.
    const [first, name] = program.args;
    if (first === "help" && name !== undefined && !name.startsWith("-")) return { kind: "topic", name };
    // commander also shows it for `NAME --help`.
    if (first !== undefined && first !== "help" && !first.startsWith("-"))
      return unknownCommand(first, advise`see ${words`incident --help`}`);
  }
  return invocation ?? { kind: "overview" };
}

/** The commands that the first word can mean; creating all of them takes longer than parsing. */
function addressedCommands([word]: readonly string[]): readonly Command[] {
  const addressed = commands.filter(({ spec }) => spec.name.split(" ")[0] === word);
  return addressed.length > 0 ? addressed : commands;
}

/** Replaces the help of commander, which neither wraps at a narrow width nor moves a summary below its term. */
function helpLayout(columns: number) {
  return {
    minWidthToWrap: 20,
    formatItem: (term: string, termWidth: number, summary: string) =>
      renderRow([term, summary], termWidth, columns),
  };
}

function addDetails(command: CommanderCommand, spec: CommandSpec): void {
  command.description(sentence(spec.summary));
  if (spec.operands !== undefined) command.argument(spec.operands);
  for (const [name, flag] of Object.entries(spec.flags)) command.addOption(commanderOption(name, flag));
  for (const [one, other] of spec.exclusive ?? [])
    command.options.find((option) => option.attributeName() === one)?.conflicts(other);
}

function createInput(
  { spec }: Command,
  operands: readonly string[],
  command: CommanderCommand,
  program: CommanderCommand,
): Input {
  const { output, ...global } = program.opts<GlobalFlags & { output?: string }>();
  const flags = command.opts();
  return { operands, flags, global, format: chooseFormat(spec, flags, output) };
}

function commanderOption(name: string, flag: FlagSpec): CommanderOption {
  const option = new CommanderOption(flag.usage, flag.summary);
  // commander would derive the name from the flag, and would turn `--no-x` into a false `x`.
  option.attributeName = () => name;
  option.negate = false;
  if (flag.topic !== undefined) option.hideHelp();
  if (flag.group !== undefined) option.helpGroup(`${flag.group}:`);
  if (flag.choices !== undefined) option.choices(flag.choices);
  if (flag.kind === "list")
    option.argParser((value, previous: readonly string[] = []) => [...previous, value]);
  if (flag.kind === "duration") option.argParser(parseDuration);
  if (flag.kind === "count") option.argParser(parseCount);
  if (flag.kind !== "list" && flag.kind !== "switch") takeOnce(option);
  return option;
}

/** commander keeps the last value, and the first of two texts would be lost. */
function takeOnce(option: CommanderOption): void {
  const { parseArg = (value: string) => value } = option;
  let isGiven = false;
  option.argParser((value, previous) => {
    if (isGiven)
      throw new Failure("usage", `${option.long} is given twice, and takes one value`, {
        hint: "leave one of the two out",
      });
    isGiven = true;
    return parseArg(value, previous as never);
  });
}

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Parses `500ms`, `10s`, `30m` or `1h` to milliseconds; a bare number is seconds. */
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

const problems: Readonly<Record<string, WrongCommandLine["problem"]>> = {
  "commander.unknownCommand": "unknown-command",
  "commander.unknownOption": "unknown-option",
  "commander.missingArgument": "missing-argument",
  "commander.optionMissingArgument": "missing-value",
  "commander.excessArguments": "too-many-arguments",
  "commander.conflictingOption": "exclusive-flags",
};

function wrongCommandLine(error: CommanderError, argv: readonly string[]): WrongCommandLine {
  const message = error.message.replace(/^error: /, "");
  const fitting = specs.filter(({ name }) => name.split(" ").every((word) => argv.includes(word)));
  // `journal list` has the words of `list` as well.
  const spec = fitting.find(({ name }) => name.includes(" ")) ?? fitting[0];
  const see = advise`see ${["incident", ...(spec?.name.split(" ") ?? []), "--help"]}`;
  const [group = "", second = ""] = argv.filter((word) => !word.startsWith("-"));
  const problem = ownValue(problems, error.code) ?? "other";
  const isInGroup = problem === "too-many-arguments" && groups.has(group);
  if (isInGroup && !specs.some(({ name }) => name === `${group} ${second}`)) {
    const named = specs.filter(({ name }) => name.startsWith(`${group} `));
    // A command that needs an operand cannot be run as it is.
    const uses = named.map(({ name, operands = "" }) =>
      operands.startsWith("<") ? `incident ${name} ${operands}` : ["incident", ...name.split(" ")],
    );
    const hint = new Advice(["use ", ...uses.flatMap((use, at) => (at === 0 ? [use] : [" or ", use]))]);
    return unknownCommand(`${group} ${second}`, hint);
  }
  // commander gives the parts of a message only in its text.
  const [, value, choices] =
    /argument '(.*)' is invalid\. Allowed choices are (.+)\./.exec(error.message) ?? [];
  const [, subject = ""] = /'([^']*)'/.exec(message) ?? [];
  const near = value === undefined ? undefined : nearest(value, choices?.split(", ") ?? []);
  const hint = value === undefined ? see : advise`${see}${withSuggestion("", near)}`;
  return { kind: "wrong", problem, subject, failure: new Failure("usage", message, { hint }) };
}

function unknownCommand(subject: string, hint: Hint): WrongCommandLine {
  const failure = new Failure("usage", `unknown command '${subject}'`, { hint });
  return { kind: "wrong", problem: "unknown-command", subject, failure };
}

function sentence(summary: string): string {
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
}
