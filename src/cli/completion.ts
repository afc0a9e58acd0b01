// The completions at the cursor, from the registry and the file of the typed command, for the scripts of `incident completion`.

import { outputsOf } from "../kit/command.ts";
import { type FlagSpec, longNameIn, namesIn } from "../kit/flags.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { commandsIn, groups, type Row } from "./registry.ts";

/** Values and their summaries, or a word that tells the shell to complete files itself. */
type Answer = ReadonlyMap<string, string> | ":files";

/**
 * `line`: the words after `incident`, the last one up to the cursor. `row`, `words`: the command that it names, and the
 * words of its name. Returns lines of a value, a tab and a summary.
 */
export async function complete(line: readonly string[], row: Row | undefined, words: readonly string[]) {
  // bash passes the equals sign after a flag as a word of its own, and other shells the flag with its value.
  const [, flag = "", current = ""] = /^(?:(--[^=]+=)|=)?(.*)$/s.exec(line.at(-1) ?? "") ?? [];
  const before = [...line.slice(0, -1), ...(flag === "" ? [] : [flag.slice(0, -1)])];
  const answer = await findAnswer(before, row, words, current);
  if (typeof answer === "string") return `${answer}\n`;
  const matches = [...answer].filter(([value]) => value.startsWith(current));
  return matches.map((match) => `${flag}${match.join("\t")}\n`).join("");
}

async function findAnswer(
  before: readonly string[],
  row: Row | undefined,
  [first = "", ...others]: readonly string[],
  current = "",
): Promise<Answer> {
  const spec = (await row?.load())?.spec;
  const output = { ...parserFlags.output, completions: spec && outputsOf(spec) };
  const flags: readonly FlagSpec[] = Object.values({ ...spec?.flags, ...globalFlags, output });
  // bash passes an equals sign as a word of its own.
  const last = (before.at(-1) === "=" ? before.at(-2) : before.at(-1)) ?? "";
  const pending = flags.find(({ kind, usage }) => kind !== "switch" && namesIn(usage).includes(last));
  if (pending !== undefined) return answerOf(pending.usage, pending.choices ?? pending.completions);
  if (before.includes("--")) return ":files";
  if (current.startsWith("-"))
    return new Map([...flags, parserFlags.help].map(({ summary, usage }) => [longNameIn(usage), summary]));
  if (spec !== undefined) return answerOf(spec.operands, spec.completions);
  if (groups.has(first) && others.length === 0) return commandsIn(first);
  return first === "" || first === "help" ? commandsIn() : new Map();
}

/** `syntax`: that of a flag or of operands, such as `--file <path>`. */
function answerOf(syntax = "", values: readonly string[] = []): Answer {
  return /<(?:file|path)>|\[(?:file|command)/.test(syntax)
    ? ":files"
    : new Map(values.map((value) => [value, ""]));
}
