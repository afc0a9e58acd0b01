// The completions at the cursor, for the scripts of `incident completion`: from the registry, and from the few files
// that completion-sources.ts reads. It runs with every press of Tab, so it loads nothing else.
import { outputsOf } from "../../kit/choose-format.ts";
import type { CommandSpec } from "../../kit/define-command.ts";
import { type Completions, type FlagSpec, longNameIn, namesIn } from "../../kit/flags.ts";
import { globalFlags } from "../../kit/global-flags.ts";
import type { Context } from "../../platform/context.ts";
import { joinSafe, type SafeText, safe, safeLines } from "../../platform/terminal/safe-text.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import { topicSummaries, topics } from "../help/topic-names.ts";
import { groups, specs } from "../registry.ts";
import {
  findIncidents,
  findProfiles,
  findServices,
  findTemplates,
  findVariables,
} from "./completion-sources.ts";

interface Candidate {
  readonly value: string;
  readonly summary: string;
  /** The topic of the help that has a flag, in place of the page of its command. */
  readonly topic?: string | undefined;
}

/** The candidates, or a word that tells the shell to complete files or folders itself. */
type Answer = readonly Candidate[] | ":files" | ":folders";

/** `words` are those after `incident`; the last one ends at the cursor. Returns lines of a value, a tab and a summary. */
export async function complete(context: Context, words: readonly string[]): Promise<SafeText> {
  const current = words.at(-1) ?? "";
  const answer = await findCandidates(context, words.slice(0, -1), current);
  if (typeof answer === "string") return safe`${answer}\n`;
  const matches = answer.filter(({ value }) => value.startsWith(current));
  return safeLines(matches.map(({ value, summary }) => joinSafe([value, summary].map(escapeLine), "\t")));
}

async function findCandidates(context: Context, before: readonly string[], current: string): Promise<Answer> {
  const { spec, group, isPastFlags, operands, pending } = parseWords(before);
  if (pending === "output") return lookUp(context, spec && outputsOf(spec), before);
  if (pending !== undefined) return lookUp(context, pending.choices ?? pending.completions, before);
  if (isPastFlags) return ":files";
  if (current.startsWith("-")) return flagsOf(spec).filter(({ topic }) => topic === undefined);
  if (spec !== undefined) return lookUp(context, spec.completions, before);
  const [first] = operands;
  if (group !== undefined || first === undefined) return commandsAfter(group);
  if (first !== "help") return [];
  return [...topics.map((value) => ({ value, summary: topicSummaries[value] })), ...commandsAfter(undefined)];
}

/** Finds the command that the words name, its operands, and the flag whose value comes next. */
export function parseWords(words: readonly string[]) {
  let spec: CommandSpec | undefined;
  let group: string | undefined;
  let pending: FlagSpec | "output" | undefined;
  let isPastFlags = false;
  const operands: string[] = [];
  for (const word of words) {
    // bash passes an equals sign as a word of its own.
    if (word === "=" && pending !== undefined) continue;
    if (pending !== undefined) pending = undefined;
    else if (word === "--") isPastFlags = true;
    else if (word.startsWith("-")) pending = word.includes("=") ? undefined : flagWithValue(spec, word);
    else if (spec !== undefined) operands.push(word);
    else {
      const name = group === undefined ? word : `${group} ${word}`;
      spec = specs.find((candidate) => candidate.name === name);
      if (spec === undefined && groups.has(word)) group = word;
      else if (spec === undefined) operands.push(word);
    }
  }
  return { spec, group, pending, isPastFlags, operands };
}

function flagWithValue(spec: CommandSpec | undefined, word: string): FlagSpec | "output" | undefined {
  if (word === "-o" || word === "--output") return "output";
  return flagSpecsOf(spec).find(({ usage, kind }) => kind !== "switch" && namesIn(usage).includes(word));
}

function flagSpecsOf(spec: CommandSpec | undefined): readonly FlagSpec[] {
  return [...Object.values(spec?.flags ?? {}), ...Object.values(globalFlags)];
}

/** The flags of a command, by their long names. */
export function flagsOf(spec: CommandSpec | undefined): readonly Candidate[] {
  const output =
    spec?.outputs.length === 0 ? [] : [{ value: "--output", summary: "how results are printed" }];
  return [
    ...flagSpecsOf(spec).map(({ summary, topic, usage }) => ({
      value: longNameIn(usage),
      summary,
      topic,
    })),
    ...output,
    { value: "--help", summary: "show help" },
  ];
}

function lastValueOf(words: readonly string[], flag: string): string | undefined {
  const index = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const word = words[index];
  return word === flag ? words.slice(index + 1).find((next) => next !== "=") : word?.slice(flag.length + 1);
}

async function lookUp(
  context: Context,
  completions: Completions | undefined,
  before: readonly string[],
): Promise<Answer> {
  switch (completions) {
    case undefined:
      return [];
    case "files":
      return ":files";
    case "folders":
      return ":folders";
    case "profiles":
      return withSummary(await findProfiles(context), "a profile");
    case "services": {
      const profile = lastValueOf(before, "--profile") ?? context.system.env[environmentVariables.profile];
      return withSummary(await findServices(context, profile), "a service of the catalog");
    }
    case "templates":
      return withSummary(await findTemplates(context), "a template of this project");
    case "variables":
      return withSummary(
        await findVariables(context, lastValueOf(before, "--template")),
        "a variable of the template",
      );
    case "incidents":
      return findIncidents(context);
    default:
      return withSummary(completions, "");
  }
}

function withSummary(values: readonly string[], summary: string): readonly Candidate[] {
  return values.map((value) => ({ value, summary }));
}

/** The commands of a group; without one, the first words of all commands. */
export function commandsAfter(group: string | undefined): readonly Candidate[] {
  if (group !== undefined)
    return specs
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => ({ value: name.slice(group.length + 1), summary }));
  const words = new Map<string, string>();
  for (const { name, summary } of specs) {
    const [first = ""] = name.split(" ");
    words.set(first, groups.get(first) ?? summary);
  }
  words.set("help", "how a command is used, and other topics");
  return [...words].map(([value, summary]) => ({ value, summary }));
}
