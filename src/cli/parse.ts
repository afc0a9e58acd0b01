// Parses argv with commander, which nothing else imports, by the registry and the flags of one command, whose file alone loads.
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander";
import { Failure } from "../failure.ts";
import {
  type Command,
  chooseFormat,
  type Input,
  modesOf,
  type NamedSpec,
  type RunOptions,
} from "../kit/command.ts";
import { exclusiveFlags, type FlagSpec, type FlagSpecs, longNameIn, namesIn } from "../kit/flags.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { formatsOf } from "../kit/report.ts";
import { parseDuration } from "../text/date-times.ts";
import { listOf } from "../text/lengths.ts";
import { didYouMean, nearest, withSuggestion } from "../text/suggest.ts";
import { version } from "../version.ts";
import { renderFlags, renderGroupHelp, renderOverview, sentence, wrapParagraphs } from "./help.ts";
import { commandsIn, groups, type Row, rowOf } from "./registry.ts";

export type Invocation =
  | { readonly text: (columns: number) => string | Promise<string> }
  | { readonly command: Command; readonly input: Input; readonly options: RunOptions };

const everyFlag: FlagSpecs = { ...globalFlags, ...parserFlags };

/** Parses argv (without node and script). Throws a `Failure` "usage". */
export async function parse(typed: readonly string[], { isHelp = false } = {}): Promise<Invocation> {
  const [first, second, third] = typed;
  if (first === "completion" && second === "--words" && third === "--") {
    const line = typed.slice(3);
    const { row, words } = findCommand(line.slice(0, -1));
    return { text: async () => (await import("./completion.ts")).complete(line, row, words) };
  }
  if (first === "help") return parse(typed.slice(1), { isHelp: true });
  const end = typed.indexOf("--");
  const asked = end < 0 ? typed : typed.slice(0, end);
  if (asked.includes("--version")) return { text: () => `${version}\n` };
  // Also in the place of a value: a person who types --message --help asks for the help.
  const asksForHelp = isHelp || asked.some((word) => ["--help", "-help", "-h"].includes(word));
  const { rest, row, words } = findCommand(typed);
  if (row !== undefined) return asksForHelp ? helpOf(row) : withCommand(row, rest);
  const [word = "", ...others] = words;
  const isGroup = groups.has(word);
  if (isGroup && others.length === 0 && (asksForHelp || rest.length === 0))
    return { text: (columns) => renderGroupHelp(word, columns) };
  const see = "see incident --help";
  const before = words.length === 0 ? typed : typed.slice(0, typed.indexOf(word));
  if (!asksForHelp) await read(createParser({ name: "incident", flags: {} }), before, everyFlag, () => see);
  if (words.length === 0) return { text: renderOverview };
  const { hintForWord } = await import("./habits.ts");
  const inGroup = `the commands of incident ${word}: ${listOf([...commandsIn(word).keys()])}`;
  const lacks = isGroup && others.length === 0;
  const message = lacks ? `incident ${word} needs a command` : `unknown command '${words.join(" ")}'`;
  throw new Failure("usage", message, {
    hint: isGroup ? inGroup : (hintForWord(word, typed) ?? see),
  });
}

const flagsWithValue = Object.values(everyFlag)
  .filter(({ kind }) => kind !== "switch")
  .flatMap(({ usage }) => namesIn(usage));

/** The command of a line, and the words beside its name. Only flags of every command can stand before it. */
function findCommand(typed: readonly string[]) {
  const isOperand = (index: number) =>
    !typed[index]?.startsWith("-") && !flagsWithValue.includes(typed[index - 1] ?? "");
  const operands = [...typed.keys()].filter(isOperand);
  const ofName = operands.slice(0, groups.has(typed[operands[0] ?? -1] ?? "") ? 2 : 1);
  const words = ofName.map((index) => typed[index] as string);
  const rest = typed.filter((_, index) => !ofName.includes(index));
  return { row: rowOf(words.join(" ")), words, rest };
}

const helpOf = (row: Row): Invocation => ({
  text: async (columns) => renderHelp((await row.load()).spec, columns),
});

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
    const message = error.message.replace(/^error: /, "");
    const [, flag = ""] = /'(.*?)'/.exec(message) ?? [];
    const { hintForFlag } = await import("./habits.ts");
    const isOfFlag = /unknownOption|invalidArgument|optionMissingArgument/.test(error.code);
    throw new Failure("usage", message, {
      hint: (isOfFlag && hintForFlag(flag, flags, typed)) || see(error.code),
    });
  }
}

function createParser({ flags, name, operands }: Pick<NamedSpec, "flags" | "name" | "operands">): Parser {
  const parser = new Parser(name).helpOption(false).exitOverride().showSuggestionAfterError(false);
  parser.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const all = { ...flags, ...everyFlag };
  const names = Object.values(all).flatMap(({ usage }) => namesIn(usage));
  for (const [key, flag] of Object.entries(all)) parser.addOption(optionOf(key, flag, names));
  return operands === undefined ? parser : parser.argument(operands);
}

export function renderHelp(spec: NamedSpec, columns: number): string {
  const { examples, flags, name, notes, operands, result, summary } = spec;
  const outputs = formatsOf[result];
  const shown = Object.entries(examples).map(([command, text]) => `  # ${text}\n  ${command}`);
  return `${[
    ["Usage: incident", name, "[options]", ...(operands === undefined ? [] : [operands])].join(" "),
    wrapParagraphs(sentence(summary), columns),
    ...(Object.keys(flags).length === 0 ? [] : [`Options:\n${renderFlags(flags, columns)}`]),
    `Examples:\n${shown.join("\n\n")}`,
    ...(notes === undefined ? [] : [wrapParagraphs(notes, columns)]),
    [
      ...(outputs.length > 1 ? [`Output (-o): ${outputs.join(", ")}.`] : []),
      ...modesOf(spec).map((mode) => `With ${mode.flag}: ${mode.outputs.join(", ")}.`),
      "Options of every command, and exit codes: incident --help",
    ].join("\n"),
  ].join("\n\n")}\n`;
}

function optionOf(name: string, flag: FlagSpec, names: readonly string[]): Option {
  const option = new Option(flag.usage);
  option.conflicts(exclusiveFlags.flatMap(([one, other]) => (one === name ? [other] : [])));
  // commander would derive the name from the flag, and would turn `--no-x` into a false `x`.
  option.attributeName = () => name;
  option.negate = false;
  if (flag.kind !== "switch") option.argParser((value, before) => parseValue(flag, value, before, names));
  return option;
}

async function withCommand(row: Row, rest: readonly string[]): Promise<Invocation> {
  const command = await row.load();
  const { spec } = command;
  const parser = createParser(spec);
  const see = `see incident ${row.name} --help`;
  await read(parser, rest, { ...everyFlag, ...spec.flags }, (code) => {
    if (code === "commander.missingArgument" && spec.operands?.startsWith("<id"))
      return "incident list --open and incident journal list show ids";
    const named = ["message", "status", "open", "service"]
      .filter((name) => Object.hasOwn(spec.flags, name))
      .map((name) => `--${name}`);
    const isValue = code === "commander.excessArguments" && named.length > 0;
    return isValue ? `${see}; a value is given with its flag, such as ${listOf(named, "or")}` : see;
  });
  // Beside other short flags, as in -yh.
  if (parser.opts().help === true) return helpOf(row);
  if (parser.args.includes("")) throw new Failure("usage", "an argument is empty", { hint: see });
  const values = Object.entries(parser.opts());
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(spec.flags, name);
  const flags = Object.fromEntries(values.filter(isOwn));
  const { output, ...global } = Object.fromEntries(values.filter((entry) => !isOwn(entry)));
  const format = chooseFormat(spec, flags, output as string | undefined);
  return { command, input: { spec, operands: parser.args, flags }, options: { format, global } };
}

function parseValue(flag: FlagSpec, typed: string, before: unknown, names: readonly string[]): unknown {
  const { choices, kind, usage } = flag;
  // A printed command line cannot have line breaks at the end of a word.
  const value = typed.replace(/(?<!\n)\n+$/, "");
  // A script whose variable is unset gives an empty path, which is the working directory, or without quotes the next flag.
  if (value === "") throw new InvalidArgumentError("It is empty.");
  if (names.includes(value.replace(/=.*/s, "")))
    throw new InvalidArgumentError(`It is a flag; the value of ${longNameIn(usage)} is missing.`);
  // `-file x` is `-f` with the value `ile`.
  const long = `--${usage[1]}${value}`;
  if (names.includes(long))
    throw new Failure("usage", `unknown option '${long.slice(1)}'`, { hint: didYouMean(long) });
  if (kind === "list") return [...((before ?? []) as readonly string[]), value];
  if (before !== undefined)
    throw new InvalidArgumentError(`${longNameIn(usage)} is given twice, and takes one value.`);
  if (kind === "duration") {
    const milliseconds = parseDuration(value);
    if (milliseconds >= 1 && milliseconds <= 24 * 3_600_000) return milliseconds;
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
