// The completions at the cursor, for the scripts of `incident completion`: from the registry, from the file of the command
// that is typed, and from the files of this machine that have names and ids. A file that cannot be used offers nothing.
import { Failure } from "../failure.ts";
import type { RunContext } from "../kit/define-command.ts";
import { type Completions, type FlagSpec, longNameIn, namesIn } from "../kit/flags.ts";
import { outputsOf } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import type { Context } from "../platform/context.ts";
import { escapeLine, joinSafe, type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { Workspace } from "../workspace/workspace.ts";
import { commandsIn, groups, type Row } from "./registry.ts";

/** Values and their summaries, or a word that tells the shell to complete files itself. */
type Answer = ReadonlyMap<string, string> | ":files";

/** The command of a line: its row, and the words of its name. */
interface Found {
  readonly row: Row | undefined;
  readonly words: readonly string[];
}

/** `line`: the words after `incident`; the last one ends at the cursor. Returns lines of a value, a tab and a summary. */
export async function complete(context: Context, line: readonly string[], found: Found): Promise<SafeText> {
  const current = line.at(-1) ?? "";
  const answer = await findAnswer(context, line.slice(0, -1), current, found);
  if (typeof answer === "string") return safe`${answer}\n`;
  // A name that a terminal shows as an escape cannot be typed.
  const matches = [...answer].filter(([value]) => value.startsWith(current) && escapeLine(value) === value);
  return safeLines(matches.map((match) => joinSafe(match.map(escapeLine), "\t")));
}

async function findAnswer(
  context: Context,
  before: readonly string[],
  current: string,
  { row, words }: Found,
): Promise<Answer> {
  const [first = ""] = words;
  // A group alone is not yet one of its commands.
  const isInGroup = groups.has(first) && words.length === 1;
  const spec = isInGroup ? undefined : (await row?.load())?.spec;
  const output = { ...parserFlags.output, completions: spec && outputsOf(spec) };
  const flags: readonly FlagSpec[] = Object.values({ ...spec?.flags, ...globalFlags, output });
  // bash passes an equals sign as a word of its own.
  const last = (before.at(-1) === "=" ? before.at(-2) : before.at(-1)) ?? "";
  const pending = flags.find(({ kind, usage }) => kind !== "switch" && namesIn(usage).includes(last));
  if (pending !== undefined) return lookUp(context, pending.choices ?? pending.completions);
  if (before.includes("--")) return ":files";
  if (current.startsWith("-"))
    return new Map([...flags, parserFlags.help].map(({ summary, usage }) => [longNameIn(usage), summary]));
  if (spec !== undefined) return lookUp(context, spec.completions);
  if (isInGroup) return commandsIn(first);
  return first === "" || first === "help" ? commandsIn() : new Map();
}

async function lookUp(context: Context, completions: Completions | undefined): Promise<Answer> {
  if (completions === undefined) return new Map();
  if (completions === "files") return ":files";
  if (typeof completions !== "string") return withoutSummaries(completions);
  try {
    return await finders[completions]({
      ...context,
      workspace: new Workspace({ ...context, warn: () => {} }, {}),
    });
  } catch (error) {
    if (error instanceof Failure) return new Map();
    throw error;
  }
}

const withoutSummaries = (values: Iterable<string>) => new Map([...values].map((value) => [value, ""]));

type Find = (context: Context & Pick<RunContext, "workspace">) => Promise<ReadonlyMap<string, string>>;

const finders = {
  profiles: async ({ workspace }) => withoutSummaries((await workspace.profiles())?.profiles.keys() ?? []),
  services: async ({ workspace }) => {
    const { services } = await workspace.project();
    return new Map([...services].map(([name, service]) => [name, service.name]));
  },
  templates: async (context) => {
    const { listTemplates } = await import("../commands/shared/checks.ts");
    return withoutSummaries((await listTemplates(context)).keys());
  },
  incidents: async (context) => {
    const { readRecentIds } = await import("../journal/open-journal.ts");
    const recent = await readRecentIds(context);
    return new Map(recent.map(({ id, name }) => [id, name]));
  },
} as const satisfies Record<Exclude<Completions, readonly string[] | "files">, Find>;
