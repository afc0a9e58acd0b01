// Parses argv with commander, by the rows of the registry and the flags of one command, whose file alone is loaded. The
// only importer of commander.
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander";
import { Failure } from "../failure.ts";
import type { Command, CommandSpec, Input } from "../kit/define-command.ts";
import { exclusiveFlags, type FlagSpec, type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { chooseFormat, formatsOf, modesOf } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { advise, argv } from "../text/advice.ts";
import { parseDuration } from "../text/date-times.ts";
import { listOf } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { version } from "../version.ts";
import { helpColumns, renderGroupHelp, rowOfFlag, sentence, wrapParagraphs } from "./help.ts";
import { aloneIn, commandsIn, groups, type Row, rowOf } from "./registry.ts";

export type Invocation =
  | { readonly text: () => string | Promise<string> }
  | { readonly command: Command; readonly input: Input };

const everyFlag: FlagSpecs = { ...globalFlags, ...parserFlags };

/** Also beside other short switches, as in -yh. */
const helpFlag = /^(--help|-[qRy]*h[qRy]*)$/;

/** Parses argv (without node and script). Throws a `Failure` "usage". */
export async function parse(typed: readonly string[]): Promise<Invocation> {
  const [first, second, third] = typed;
  if (first === "completion" && second === "--words" && third === "--") {
    const line = typed.slice(3);
    const found = findCommand(line.slice(0, -1));
    return { text: async () => (await import("./completion.ts")).complete(line, found) };
  }
  const asked = typed.slice(0, typed.indexOf("--") >>> 0);
  if (asked.includes("--version")) return { text: () => `${version}\n` };
  const { rest, row, words } = findCommand(typed);
  // Also in the place of a value: a person who types --message --help asks for the help.
  const canShow = row !== undefined || words.length === 0;
  if (canShow && asked.some((word) => helpFlag.test(word))) return helpOf(words);
  return row === undefined ? withoutCommand(typed, words) : withCommand(row, rest);
}

/** The command that argv begins with, and what is left of argv. Only flags of every command can stand before it. */
export function findCommand(typed: readonly string[]) {
  const parser = new Parser().helpOption(false).enablePositionalOptions().passThroughOptions();
  // A missing value is no matter here, and commander takes an optional one as well.
  for (const { usage } of Object.values(everyFlag))
    parser.addOption(new Option(usage.replace(/<(.*)>/, "[$1]")));
  const operandsIn = (words: readonly string[]) => parser.parseOptions([...words]).operands;
  const operands = operandsIn(typed);
  const [first = "", ...others] = operands;
  const inGroup = groups.has(first) ? operandsIn(others) : [];
  const words = operands.slice(0, 1).concat(inGroup.slice(0, 1));
  const name = words.join(" ");
  const before = typed.slice(0, typed.length - operands.length);
  const rest =
    inGroup.length === 0
      ? [...before, ...others]
      : [...before, ...others.slice(0, others.length - inGroup.length), ...inGroup.slice(1)];
  return { row: rowOf(name) ?? aloneIn(name), words, rest };
}

/** Parses the words beside those of a command. Throws a `Failure` "usage"; `see`: where to look, by commander's code. */
async function read(
  parser: Parser,
  typed: readonly string[],
  flags: FlagSpecs,
  see: (code: string) => string,
): Promise<void> {
  try {
    parser.parse([...typed], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const isHelp = error.code === "commander.helpDisplayed";
    const message = isHelp ? "-h stands where a flag has its value" : error.message.replace(/^error: /, "");
    const [, flag = ""] = /'(.*)'/.exec(message) ?? [];
    const { hintForFlag } = await import("./habits.ts");
    const isUnknown = error.code === "commander.unknownOption";
    throw new Failure("usage", message, {
      hint: (isUnknown && hintForFlag(flag, flags, typed)) || see(error.code),
    });
  }
}

function createParser(name: string, flags: FlagSpecs): Parser {
  const parser = new Parser(name).exitOverride().showSuggestionAfterError(false);
  parser
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .configureHelp({ helpWidth: helpColumns });
  parser.helpOption(parserFlags.help.usage, parserFlags.help.summary);
  for (const [key, flag] of Object.entries(flags)) parser.addOption(optionOf(key, flag));
  for (const [key, flag] of Object.entries(everyFlag))
    if (flag !== parserFlags.help) parser.addOption(optionOf(key, flag).hideHelp());
  return parser;
}

function createCommandParser({ flags, name, operands }: CommandSpec): Parser {
  const parser = createParser(`incident ${name}`, flags);
  return operands === undefined ? parser : parser.argument(operands);
}

/** The help of a command. */
export function renderHelp({ summary }: Pick<Row, "summary">, spec: CommandSpec): string {
  const { examples, notes, result } = spec;
  const outputs = formatsOf(spec, result);
  const shown = Object.entries(examples).map(([command, text]) => `  # ${text}\n  ${command}`);
  return `${[
    createCommandParser(spec).description(sentence(summary)).helpInformation().trimEnd(),
    `Examples:\n${shown.join("\n\n")}`,
    ...(notes === undefined ? [] : [wrapParagraphs(notes)]),
    [
      ...(outputs.length > 1 ? [`Output (-o): ${outputs.join(", ")}.`] : []),
      ...modesOf(spec).map((mode) => `With ${mode.flag}: ${mode.outputs.join(", ")}.`),
      "Options of every command, and exit codes: incident --help",
    ].join("\n"),
  ].join("\n\n")}\n`;
}

function optionOf(name: string, flag: FlagSpec): Option {
  const option = new Option(flag.usage, rowOfFlag(flag)[1]);
  option.helpGroup(`${flag.group ?? "Options"}:`);
  option.conflicts(exclusiveFlags.flatMap(([one, other]) => (one === name ? [other] : [])));
  // commander would derive the name from the flag, and would turn `--no-x` into a false `x`.
  option.attributeName = () => name;
  option.negate = false;
  if (flag.kind !== "switch") option.argParser((value, before) => parseValue(flag, value, before));
  return option;
}

/** A command line that only asks for help, or is wrong. */
async function withoutCommand(typed: readonly string[], words: readonly string[]): Promise<Invocation> {
  const [first, second] = words;
  const asked = first === "help" ? findCommand(typed.slice(typed.indexOf("help") + 1)).words : [];
  const see = advise`see ${argv`incident --help`}`;
  if (first === undefined || (first === "help" && asked.length === 0)) {
    if (first === undefined) await read(createParser("incident", {}), typed, everyFlag, () => see);
    return { text: async () => (await import("./help.ts")).renderOverview() };
  }
  if (first === "help") return helpOf(asked);
  if (second === undefined && groups.has(first)) return pageOf(first);
  const { hintForWord } = await import("./habits.ts");
  const others = [...commandsIn(first).keys()];
  const inGroup = `the commands of incident ${first}: ${listOf(others)}`;
  throw new Failure("usage", `unknown command '${words.join(" ")}'`, {
    hint: second === undefined ? (hintForWord(first, typed) ?? see) : inGroup,
  });
}

/** The help of a command, or of the group with this name. */
const pageOf = (of: Row | string): Invocation => ({
  text: async () => (typeof of === "string" ? renderGroupHelp(of) : renderHelp(of, (await of.load()).spec)),
});

async function helpOf(words: readonly string[]): Promise<Invocation> {
  const [first = ""] = words;
  // The help of a group with one command is that of the command.
  if (words.length === 1 && groups.has(first) && commandsIn(first).size > 1) return pageOf(first);
  const { row } = findCommand(words);
  return row === undefined ? withoutCommand(words, words) : pageOf(row);
}

async function withCommand(row: Row, rest: readonly string[]): Promise<Invocation> {
  const command = await row.load();
  const { spec } = command;
  const parser = createCommandParser(spec);
  const see = advise`see ${["incident", ...row.name.split(" "), "--help"]}`;
  const ownFlags = { ...everyFlag, ...spec.flags };
  await read(parser, rest, ownFlags, (code) => {
    const isSwitch = (word: string) =>
      Object.values(ownFlags).some(
        ({ kind, usage }) => kind === "switch" && longNameIn(usage) === `--${word}`,
      );
    const named = code === "commander.excessArguments" && rest.find(isSwitch);
    if (named) return `write it as a flag: --${named}`;
    if (code === "commander.missingArgument" && spec.operands?.startsWith("<id"))
      return advise`${argv`incident list --open`} and ${argv`incident journal list`} show ids`;
    const takesText = code === "commander.excessArguments" && "message" in spec.flags;
    return takesText ? `${see}; a text follows --message` : see;
  });
  if (parser.args.includes("")) throw new Failure("usage", "an argument is empty", { hint: see });
  const values = Object.entries(parser.opts());
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(spec.flags, name);
  const flags = Object.fromEntries(values.filter(isOwn));
  const { output, ...global } = Object.fromEntries(values.filter((entry) => !isOwn(entry)));
  const format = chooseFormat(spec, flags, output as string | undefined);
  return { command, input: { operands: parser.args, flags, global, format } };
}

const longestDuration = 24 * 3_600_000;

function parseValue({ choices, kind, usage }: FlagSpec, value: string, before: unknown): unknown {
  // Of a script, whose variable is not set: an empty path is the working directory, an empty profile the usual one.
  if (value === "") throw new InvalidArgumentError("It is empty.");
  if (kind === "list") return [...((before ?? []) as readonly string[]), value];
  if (before !== undefined)
    throw new InvalidArgumentError(`${longNameIn(usage)} is given twice, and takes one value.`);
  if (kind === "duration") {
    const milliseconds = parseDuration(value);
    if (milliseconds >= 1 && milliseconds <= longestDuration) return milliseconds;
    throw new InvalidArgumentError("Write it with a unit, such as 500ms, 10s or 30m, and at most 24h.");
  }
  if (kind === "count" && !/^\d{1,9}$/.test(value))
    throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  if (choices !== undefined) {
    const chosen = value.toLowerCase();
    if (choices.includes(chosen)) return chosen;
    const allowed = `Allowed choices are ${choices.join(", ")}`;
    throw new InvalidArgumentError(withSuggestion(allowed, nearest(chosen, choices)));
  }
  return kind === "count" ? Number(value) : value;
}
