// Parses argv with commander, by the rows of the registry and the flags of one command, whose file alone is loaded. The
// only importer of commander.
import { CommanderError, Option, Command as Parser } from "commander";
import { Failure } from "../failure.ts";
import type { Command, Input } from "../kit/define-command.ts";
import { type FlagSpec, type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { chooseFormat } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { advise, type Hint } from "../text/advice.ts";
import { listOf } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import type { Problem } from "./habits.ts";
import { aloneIn, commandsIn, groups, type Row, rowOf } from "./registry.ts";

export type Invocation =
  | { readonly kind: "version" | "overview" }
  /** `words` are those of the command line to complete; the last one ends at the cursor. */
  | { readonly kind: "completions"; readonly words: readonly string[] }
  | { readonly kind: "help"; readonly draw: (columns: number) => Promise<string> }
  | { readonly kind: "run"; readonly command: Command; readonly input: Input };

type HelpPages = typeof import("./help-pages.ts");

const helpPage = (draw: (pages: HelpPages, columns: number) => string | Promise<string>): Invocation => ({
  kind: "help",
  draw: async (columns) => draw(await import("./help-pages.ts"), columns),
});

const everyFlag: FlagSpecs = { ...globalFlags, ...parserFlags };

/** The words of the command line that a failure names. */
interface Place extends Pick<Problem, "command" | "hint" | "operands"> {
  readonly argv: readonly string[];
}

/** Parses argv (without node and script). Throws a `Failure` "usage". */
export async function parse(typed: readonly string[]): Promise<Invocation> {
  const [first, second, third] = typed;
  if (first === "completion" && second === "--words" && third === "--")
    return { kind: "completions", words: typed.slice(3) };
  const argv = normalizeWords(typed);
  const found = findCommand(argv);
  if (found.row !== undefined) return withCommand(argv, found.row, found);
  const meant = await meantWords(argv, found.words);
  return meant === undefined ? withoutCommand(argv, found) : parse(meant);
}

type Found = ReturnType<typeof findCommand>;

/** The command that argv begins with, and the words that name it. Only flags of every command can stand before it. */
export function findCommand(argv: readonly string[]) {
  const parser = new Parser().helpOption(false);
  // A missing value is no matter here, and commander takes an optional one as well.
  for (const { usage } of Object.values(everyFlag))
    parser.addOption(new Option(usage.replace(/<(.*)>/, "[$1]")));
  const { operands } = parser.parseOptions([...argv]);
  const words: string[] = [];
  for (const word of operands) {
    words.push(word);
    const name = words.join(" ");
    if (rowOf(name) !== undefined || !groups.has(name)) break;
  }
  const name = words.join(" ");
  return { row: rowOf(name) ?? aloneIn(name), words, operands };
}

/** The same command line with a word of another tool replaced, such as `show ID` or `journal ls`. */
async function meantWords(argv: readonly string[], words: readonly string[]) {
  const word = words.at(-1) ?? "";
  const { meantBy } = await import("./habits.ts");
  const meant = meantBy(word);
  const isCommand = meant !== undefined && rowOf([...words.slice(0, -1), meant].join(" ")) !== undefined;
  return isCommand ? argv.with(argv.indexOf(word), meant) : undefined;
}

const colors: Readonly<Record<string, readonly string[]>> = {
  always: ["--color"],
  auto: [],
  never: ["--no-color"],
};

/** The same command line with `--color=never` in our words. Throws a `Failure` "usage" for a dash that is no hyphen. */
function normalizeWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  const own = end === -1 ? argv : argv.slice(0, end);
  const dashed = own.find((word) => /^[\u2010-\u2015\u2212]+[a-z][\w-]*(?:=.*)?$/i.test(word));
  if (dashed !== undefined) {
    const letters = dashed.replace(/^[^a-z]+/i, "");
    throw new Failure("usage", `"${dashed}" begins with a typographic dash, not with a hyphen`, {
      hint: `write ${/^\w(?:=|$)/.test(letters) ? "-" : "--"}${letters}`,
    });
  }
  const words = own.flatMap((word, index) => {
    const color = word.startsWith("--color=") ? word.slice("--color=".length) : own[index + 1];
    if (word === "--color" || word.startsWith("--color=")) return ownValue(colors, color ?? "") ?? [word];
    return own[index - 1] === "--color" && Object.hasOwn(colors, word) ? [] : [word];
  });
  return [...words, ...argv.slice(own.length)];
}

async function fail(
  { argv, ...place }: Place,
  is: Problem["is"],
  subject: string,
  message: string,
): Promise<never> {
  const { explain } = await import("./habits.ts");
  throw explain(argv, { ...place, is, subject, message });
}

/** The values by the names of their flags, and the words that are no flag. */
async function read(flags: FlagSpecs, place: Place) {
  const parser = new Parser().helpOption(false).exitOverride().showSuggestionAfterError(false);
  parser.configureOutput({ writeErr: () => {} }).argument("[operands...]");
  for (const [name, flag] of Object.entries(flags)) parser.addOption(optionOf(name, flag, place.hint));
  try {
    parser.parse([...place.argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, "");
    const [, subject = ""] = /'(.*)'/.exec(message) ?? [];
    const is = error.code === "commander.optionMissingArgument" ? "missing value" : "unknown option";
    return fail(place, is, subject, message);
  }
  return { values: new Map(Object.entries(parser.opts())), operands: parser.args };
}

function optionOf(name: string, flag: FlagSpec, see: Hint): Option {
  const option = new Option(flag.usage);
  // commander would derive the name from the flag, and would turn `--no-x` into a false `x`.
  option.attributeName = () => name;
  option.negate = false;
  if (flag.kind !== "switch") option.argParser((value, before) => parseValue(flag, value, see, before));
  return option;
}

const asksFor = (argv: readonly string[], ...names: readonly string[]) =>
  argv.slice(0, argv.indexOf("--") >>> 0).some((word) => names.includes(word));

/** A command line that only asks for help or the version, or is wrong. */
async function withoutCommand(argv: readonly string[], { operands, words }: Found): Promise<Invocation> {
  const [first, second] = words;
  const place = { argv, hint: advise`see ${["incident", "--help"]}`, operands };
  if (asksFor(argv, "--version")) return { kind: "version" };
  if (first === "help" && operands[1] !== undefined) return helpOf(operands.slice(1));
  if (first !== undefined && second === undefined && groups.has(first)) return groupHelp(first);
  if (first === undefined || first === "help") {
    await read(everyFlag, place);
    return { kind: "overview" };
  }
  const subject = words.join(" ");
  const others = [...commandsIn(first).keys()];
  const hint =
    others.length === 1
      ? advise`use ${["incident", first, ...others]}`
      : `the commands of incident ${first} are ${listOf(others)}`;
  const inGroup = second === undefined ? place : { ...place, hint };
  return fail(inGroup, "unknown command", subject, `unknown command '${subject}'`);
}

const groupHelp = (group: string) => helpPage((pages, columns) => pages.renderGroupHelp(group, columns));

async function helpOf(words: readonly string[]): Promise<Invocation> {
  const [first = ""] = words;
  // The help of a group with one command is that of the command.
  if (words.length === 1 && groups.has(first) && commandsIn(first).size > 1) return groupHelp(first);
  const { row } = findCommand(words);
  if (row === undefined) return helpPage((pages, columns) => pages.renderTopic(first, columns));
  const { spec } = await row.load();
  return helpPage((pages, columns) => pages.renderHelp(row, spec, columns));
}

async function withCommand(argv: readonly string[], row: Row, found: Found): Promise<Invocation> {
  const { words } = found;
  if (asksFor(argv, "--version")) return { kind: "version" };
  if (asksFor(argv, "--help", "-h")) return helpOf(words);
  const command = await row.load();
  const { spec } = command;
  const hint = advise`see ${["incident", ...row.name.split(" "), "--help"]}`;
  const named = { argv, hint, command, operands: found.operands.slice(words.length) };
  const { values, operands: all } = await read({ ...everyFlag, ...spec.flags }, named);
  const operands = all.slice(words.length);
  if (operands.length === 1 && operands[0] === "help") return helpOf(words);
  checkExclusive(command, values);
  await checkOperands({ ...named, operands }, command);
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(spec.flags, name);
  const flags = Object.fromEntries([...values].filter(isOwn));
  const { output, ...global } = Object.fromEntries([...values].filter((entry) => !isOwn(entry)));
  const format = chooseFormat(spec, flags, output as string | undefined);
  return { kind: "run", command, input: { operands, flags, global, format } };
}

function parseValue({ choices, kind, usage }: FlagSpec, value: string, see: Hint, before: unknown): unknown {
  if (kind === "list") return [...((before ?? []) as readonly string[]), value];
  if (before !== undefined)
    throw new Failure("usage", `${longNameIn(usage)} is given twice, and takes one value`, {
      hint: "leave one of the two out",
    });
  const invalid = (reason: string, suggestion = "") =>
    new Failure("usage", `option '${usage}' argument '${value}' is invalid. ${reason}`, {
      hint: advise`${see}${suggestion}`,
    });
  if (kind === "duration") {
    const parsed = parseDuration(value);
    if (typeof parsed === "string") throw invalid(parsed);
    return parsed;
  }
  if (kind === "count") {
    if (!/^\d{1,9}$/.test(value)) throw invalid("It must be a whole number, 0 or more.");
    return Number(value);
  }
  if (choices !== undefined && !choices.includes(value))
    throw invalid(`Allowed choices are ${choices.join(", ")}.`, withSuggestion("", nearest(value, choices)));
  return value;
}

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Parses `500ms`, `10s`, `30m` or `1h` to milliseconds; a bare number is seconds. A problem is a sentence. */
export function parseDuration(text: string): number | string {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (amount === undefined) return "Write it with a unit, such as 500ms, 10s or 30m.";
  const milliseconds = Number(amount) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
  const isInRange = milliseconds >= 1 && milliseconds <= 24 * unitMilliseconds.h;
  return isInRange ? milliseconds : "It must be between 1ms and 24h.";
}

/** The syntax is `<id...>`, `[file]` and the like. A word for a thing can stand in the place of an id. */
async function checkOperands(place: Place, { spec }: Command): Promise<void> {
  const { completions, name, operands: syntax = "" } = spec;
  const [word = ""] = place.operands;
  const { length } = place.operands;
  const subject = syntax.replace(/[^a-z-]/g, "");
  if (syntax.startsWith("<") && length === 0)
    await fail(place, "missing operand", subject, `missing required argument '${subject}'`);
  if (name === "sandbox" && length > 0 && !place.argv.includes("--"))
    await fail(place, "operand", subject, "the command does not stand after --");
  const most = syntax === "" ? 0 : 1;
  if (!syntax.includes("...") && length > most) {
    const message = `too many arguments for '${name}'. Expected ${most === 0 ? "none" : "one"} but got ${length}.`;
    await fail(place, "operand", subject, message);
  }
  if (completions !== "incidents" || !/^[a-z]+$/i.test(word)) return;
  const { hasHabit } = await import("./habits.ts");
  if (hasHabit(word, spec)) await fail(place, "operand", word, `"${word}" cannot be an incident's id`);
}

function checkExclusive({ spec }: Command, values: ReadonlyMap<string, unknown>): void {
  for (const [one, other, hint = "leave one of the two out"] of spec.exclusive ?? []) {
    if (!values.has(one) || !values.has(other)) continue;
    const names = [one, other].map((name) => longNameIn(ownValue(spec.flags, name)?.usage ?? name));
    throw new Failure("usage", `${names.join(" and ")} cannot be used together`, { hint });
  }
}
