// What can stand where the cursor is, for `incident completion`: from the table of commands, and from the little
// that has to be read. It is loaded with every Tab, so it loads nothing else.

import { commands, groups } from "../../commands/commands.ts";
import {
  type CommandRow,
  type Completions,
  globalOptions,
  type Option,
} from "../../commands/define-command.ts";
import type { Context } from "../../platform/context.ts";
import { topics } from "../help/topics.ts";
import { findIncidents, findProfiles, findServices } from "./completion-sources.ts";

interface Candidate {
  readonly value: string;
  readonly summary: string;
}

/** `:files` and `:folders` are the shell's own to complete. */
type Answer = readonly Candidate[] | ":files" | ":folders";

/** `words` are those after `incident`, the last up to the cursor. Gives lines of a value, a tab and a summary. */
export async function complete(context: Context, words: readonly string[]): Promise<string> {
  const current = words.at(-1) ?? "";
  const answer = await completionsFor(context, words.slice(0, -1), current);
  if (typeof answer === "string") return `${answer}\n`;
  const fitting = answer.filter(({ value }) => value.startsWith(current));
  return fitting.map(({ value, summary }) => `${value}\t${summary}\n`).join("");
}

async function completionsFor(context: Context, before: readonly string[], current: string): Promise<Answer> {
  const { row, group, isOver, operands, pending } = read(before);
  if (pending !== undefined) return valuesOf(context, row, pending);
  if (isOver) return ":files";
  if (current.startsWith("-")) return flagsOf(row);
  if (row !== undefined) return lookUp(context, row.completions);
  if (group !== undefined) return commandsOf(group);
  const [first] = operands;
  if (first === "help") return [...firstWords(), ...topics.map((value) => ({ value, summary: "a topic" }))];
  return first === undefined ? firstWords() : [];
}

/** What the words so far say: the command, and the option that still waits for its value. */
function read(words: readonly string[]) {
  let row: CommandRow | undefined;
  let group: string | undefined;
  let pending: Option | "output" | undefined;
  let isOver = false;
  const operands: string[] = [];
  for (const word of words) {
    // bash takes an equals sign for a word of its own.
    if (word === "=" && pending !== undefined) continue;
    if (pending !== undefined) pending = undefined;
    else if (word === "--") isOver = true;
    else if (word.startsWith("-")) pending = word.includes("=") ? undefined : waitingOption(row, word);
    else if (row !== undefined) operands.push(word);
    else {
      const name = group === undefined ? word : `${group} ${word}`;
      row = commands.find((candidate) => candidate.name === name);
      if (row === undefined && groups[word] !== undefined) group = word;
      else if (row === undefined) operands.push(word);
    }
  }
  return { row, group, pending, isOver, operands };
}

function waitingOption(row: CommandRow | undefined, word: string): Option | "output" | undefined {
  if (word === "-o" || word === "--output") return "output";
  return optionsOf(row).find(({ flags, kind }) => kind !== "switch" && flagsIn(flags).includes(word));
}

function optionsOf(row: CommandRow | undefined): readonly Option[] {
  return [...Object.values(row?.options ?? {}), ...Object.values(globalOptions)];
}

/** `-f, --file <path>` has `-f` and `--file`. */
function flagsIn(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((part) => part.startsWith("-"));
}

function flagsOf(row: CommandRow | undefined): readonly Candidate[] {
  const output = row?.outputs.length === 0 ? [] : [{ value: "--output", summary: "how results are printed" }];
  return [
    ...optionsOf(row).map(({ flags, summary }) => ({ value: flagsIn(flags).at(-1) ?? flags, summary })),
    ...output,
    { value: "--help", summary: "show help" },
  ];
}

async function valuesOf(
  context: Context,
  row: CommandRow | undefined,
  option: Option | "output",
): Promise<Answer> {
  if (option === "output") return lookUp(context, row?.outputs);
  return lookUp(context, option.choices ?? option.completions);
}

async function lookUp(context: Context, completions: Completions | undefined): Promise<Answer> {
  switch (completions) {
    case undefined:
      return [];
    case "files":
      return ":files";
    case "folders":
      return ":folders";
    case "profiles":
      return plain(findProfiles(context), "a profile");
    case "services":
      return plain(findServices(context), "a service of the catalog");
    case "incidents":
      return findIncidents(context);
    case "codes": {
      const { explanations } = await import("../../incident/explanations.ts");
      return plain(Object.keys(explanations), "a code");
    }
    default:
      return plain(completions, "");
  }
}

function plain(values: readonly string[], summary: string): readonly Candidate[] {
  return values.map((value) => ({ value, summary }));
}

function firstWords(): readonly Candidate[] {
  const words = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = ""] = name.split(" ");
    words.set(first, groups[first] ?? summary);
  }
  words.set("help", "how a command is used, and other topics");
  return [...words].map(([value, summary]) => ({ value, summary }));
}

function commandsOf(group: string): readonly Candidate[] {
  return commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, summary }) => ({ value: name.slice(group.length + 1), summary }));
}
