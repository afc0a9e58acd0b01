// The completions at the cursor, for the scripts of `incident completion`: from the registry, from the file of the
// command that is typed, and from the few files that completion-sources.ts reads. It runs with every press of Tab.

import { type Completions, type FlagSpec, longNameIn, namesIn } from "../../kit/flags.ts";
import { outputsOf } from "../../kit/formats.ts";
import { globalFlags, parserFlags } from "../../kit/global-flags.ts";
import type { Context } from "../../platform/context.ts";
import { joinSafe, type SafeText, safe, safeLines } from "../../platform/terminal/safe-text.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import { environmentVariables } from "../../workspace/settings.ts";
import { topicSummaries } from "../help/topic-names.ts";
import { findCommand } from "../parse.ts";
import { commandsIn, groups } from "../registry.ts";
import {
  findIncidents,
  findProfiles,
  findServices,
  findTemplates,
  findVariables,
} from "./completion-sources.ts";

/** Values and their summaries, or a word that tells the shell to complete files or folders itself. */
type Answer = ReadonlyMap<string, string> | ":files" | ":folders";

/** `words` are those after `incident`; the last one ends at the cursor. Returns lines of a value, a tab and a summary. */
export async function complete(context: Context, words: readonly string[]): Promise<SafeText> {
  const current = words.at(-1) ?? "";
  const answer = await findAnswer(context, words.slice(0, -1), current);
  if (typeof answer === "string") return safe`${answer}\n`;
  const matches = [...answer].filter(([value]) => value.startsWith(current));
  return safeLines(matches.map((match) => joinSafe(match.map(escapeLine), "\t")));
}

async function findAnswer(context: Context, before: readonly string[], current: string): Promise<Answer> {
  const { row, words } = findCommand(before);
  const [first = ""] = words;
  // A group alone is not yet one of its commands.
  const isInGroup = groups.has(first) && words.length === 1;
  const spec = isInGroup ? undefined : (await row?.load())?.spec;
  const flags: readonly FlagSpec[] = Object.values({ ...spec?.flags, ...globalFlags });
  // bash passes an equals sign as a word of its own.
  const last = before.at(-1) === "=" ? before.at(-2) : before.at(-1);
  const isOf = (usage: string) => last !== undefined && namesIn(usage).includes(last);
  if (isOf(parserFlags.output.usage)) return lookUp(context, spec && outputsOf(spec), before);
  const pending = flags.find(({ kind, usage }) => kind !== "switch" && isOf(usage));
  if (pending !== undefined) return lookUp(context, pending.choices ?? pending.completions, before);
  if (before.includes("--")) return ":files";
  if (current.startsWith("-")) {
    const { help, output } = parserFlags;
    const offered = [...flags.filter(({ topic }) => topic === undefined), output, help];
    return new Map(offered.map(({ summary, usage }) => [longNameIn(usage), summary]));
  }
  if (spec !== undefined) return lookUp(context, spec.completions, before);
  if (isInGroup) return commandsIn(first);
  const all = new Map([...commandsIn(), ["help", "how a command is used, and other topics"]]);
  if (first === "") return all;
  return first === "help" ? new Map([...Object.entries(topicSummaries), ...commandsIn()]) : new Map();
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
  const all = (values: readonly string[], summary: string) =>
    new Map(values.map((value) => [value, summary]));
  switch (completions) {
    case undefined:
      return new Map();
    case "files":
      return ":files";
    case "folders":
      return ":folders";
    case "profiles":
      return all(await findProfiles(context), "a profile");
    case "services": {
      const profile = lastValueOf(before, "--profile") ?? context.system.env[environmentVariables.profile];
      return all(await findServices(context, profile), "a service of the catalog");
    }
    case "templates":
      return all(await findTemplates(context), "a template of this project");
    case "variables":
      return all(
        await findVariables(context, lastValueOf(before, "--template")),
        "a variable of the template",
      );
    case "incidents":
      return new Map((await findIncidents(context)).map(({ summary, value }) => [value, summary]));
    default:
      return all(completions, "");
  }
}
