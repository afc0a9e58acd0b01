// Parses argv with commander, by the rows of the registry and the flags of one command, whose file alone is loaded. The
// only importer of commander.
import { CommanderError, InvalidArgumentError, Option, Command as Parser } from "commander";
import { Failure } from "../failure.ts";
import type { Command, Input } from "../kit/define-command.ts";
import { exclusiveFlags, type FlagSpec, type FlagSpecs, longNameIn } from "../kit/flags.ts";
import { chooseFormat } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import type { Context } from "../platform/context.ts";
import { advise, argv } from "../text/advice.ts";
import { parseDuration } from "../text/date-times.ts";
import { listOf } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import { version } from "../version.ts";
import { aloneIn, commandsIn, groups, type Row, rowOf } from "./registry.ts";

export type Invocation =
  | { readonly text: (context: Context) => string | Promise<string> }
  | { readonly command: Command; readonly input: Input };

const everyFlag: FlagSpecs = { ...globalFlags, ...parserFlags };

/** Parses argv (without node and script). Throws a `Failure` "usage". */
export async function parse(typed: readonly string[]): Promise<Invocation> {
  const [first, second, third] = typed;
  if (first === "completion" && second === "--words" && third === "--") {
    const line = typed.slice(3);
    const found = findCommand(line.slice(0, -1));
    return { text: async (context) => (await import("./completion.ts")).complete(context, line, found) };
  }
  if (asksFor(typed, "--version")) return { text: () => `${version}\n` };
  const { row, words } = findCommand(typed);
  return row === undefined ? withoutCommand(typed, words) : withCommand(typed, row, words);
}

/** The command that argv begins with. Only flags of every command can stand before it. */
export function findCommand(typed: readonly string[]) {
  const words: string[] = [];
  for (const word of operandsIn(typed)) {
    words.push(word);
    const name = words.join(" ");
    if (rowOf(name) !== undefined || !groups.has(name)) break;
  }
  const name = words.join(" ");
  return { row: rowOf(name) ?? aloneIn(name), words };
}

/** The words before the first flag that not every command has. */
function operandsIn(typed: readonly string[]): readonly string[] {
  const parser = new Parser().helpOption(false);
  // A missing value is no matter here, and commander takes an optional one as well.
  for (const { usage } of Object.values(everyFlag))
    parser.addOption(new Option(usage.replace(/<(.*)>/, "[$1]")));
  return parser.parseOptions([...typed]).operands;
}

const asksFor = (typed: readonly string[], ...names: readonly string[]) =>
  typed.slice(0, typed.indexOf("--") >>> 0).some((word) => names.includes(word));

/** The values of the flags by their names, and the words that are no flag. `see`: where to look. */
async function read(typed: readonly string[], flags: FlagSpecs, see: string) {
  const parser = new Parser().helpOption(false).exitOverride().showSuggestionAfterError(false);
  parser.configureOutput({ writeErr: () => {} }).argument("[operands...]");
  for (const [name, flag] of Object.entries(flags)) parser.addOption(optionOf(name, flag));
  try {
    parser.parse([...typed], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: /, "");
    const [, flag = ""] = /'(.*)'/.exec(message) ?? [];
    const { hintForFlag } = await import("./habits.ts");
    const isUnknown = error.code === "commander.unknownOption";
    throw new Failure("usage", message, { hint: (isUnknown && hintForFlag(flag, flags, typed)) || see });
  }
  return { values: new Map(Object.entries(parser.opts())), operands: parser.args };
}

function optionOf(name: string, flag: FlagSpec): Option {
  const option = new Option(flag.usage);
  // commander would derive the name from the flag, and would turn `--no-x` into a false `x`.
  option.attributeName = () => name;
  option.negate = false;
  if (flag.kind !== "switch") option.argParser((value, before) => parseValue(flag, value, before));
  return option;
}

/** A command line that only asks for help, or is wrong. */
async function withoutCommand(typed: readonly string[], words: readonly string[]): Promise<Invocation> {
  const [first, second] = words;
  const [, ...asked] = first === "help" ? operandsIn(typed) : [];
  const see = advise`see ${argv`incident --help`}`;
  if (first === undefined || (first === "help" && asked.length === 0)) {
    await read(typed, everyFlag, see);
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
  text: async () => (await import("./help-pages.ts")).renderHelpOf(of),
});

async function helpOf(words: readonly string[]): Promise<Invocation> {
  const [first = ""] = words;
  // The help of a group with one command is that of the command.
  if (words.length === 1 && groups.has(first) && commandsIn(first).size > 1) return pageOf(first);
  const { row } = findCommand(words);
  return row === undefined ? withoutCommand(words, words) : pageOf(row);
}

async function withCommand(
  typed: readonly string[],
  row: Row,
  words: readonly string[],
): Promise<Invocation> {
  if (asksFor(typed, "--help", "-h")) return helpOf(words);
  const command = await row.load();
  const { spec } = command;
  const see = advise`see ${["incident", ...row.name.split(" "), "--help"]}`;
  const { operands: all, values } = await read(typed, { ...everyFlag, ...spec.flags }, see);
  const operands = all.slice(words.length);
  checkExclusive(command, values);
  checkOperands(command, operands, see);
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(spec.flags, name);
  const flags = Object.fromEntries([...values].filter(isOwn));
  const { output, ...global } = Object.fromEntries([...values].filter((entry) => !isOwn(entry)));
  const format = chooseFormat(spec, flags, output as string | undefined);
  return { command, input: { operands, flags, global, format } };
}

const longestDuration = 24 * 3_600_000;

function parseValue({ choices, kind, usage }: FlagSpec, value: string, before: unknown): unknown {
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

/** The syntax is `<id...>`, `[file]` and the like. */
function checkOperands({ spec }: Command, { length }: readonly string[], see: string): void {
  const { completions, flags, name, operands: syntax = "" } = spec;
  const isMissing = syntax.startsWith("<") && length === 0;
  const isExcess = !syntax.includes("...") && length > (syntax === "" ? 0 : 1);
  if (!isMissing && !isExcess) return;
  const ids = advise`${argv`incident list --open`} and ${argv`incident journal list`} show ids`;
  const message = `incident ${name} ${isMissing ? "needs" : "takes"} ${syntax || "no arguments"}`;
  throw new Failure("usage", isMissing ? message : `${message}, and got ${length}`, {
    hint:
      isMissing && completions === "incidents"
        ? ids
        : "message" in flags
          ? advise`${see}; a text follows --message`
          : see,
  });
}

function checkExclusive({ spec }: Command, values: ReadonlyMap<string, unknown>): void {
  for (const pair of exclusiveFlags) {
    if (!pair.every((name) => values.has(name))) continue;
    const names = pair.map((name) => longNameIn(ownValue(spec.flags, name)?.usage ?? name));
    throw new Failure("usage", `${names.join(" and ")} cannot be used together`, {
      hint: "leave one of the two out",
    });
  }
}
