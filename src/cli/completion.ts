// The completions at the cursor, for the scripts of `incident completion`: from the registry, from the file of the command
// that is typed, and from the small files of this machine that have names and ids. It runs with every press of Tab, so that
// it reads nothing else; a file that cannot be read offers nothing.
import { dirname, join } from "node:path";
import { type Completions, type FlagSpec, longNameIn, namesIn } from "../kit/flags.ts";
import { outputsOf } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import type { Context, Files } from "../platform/context.ts";
import { escapeLine, joinSafe, type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { fieldOf } from "../untrusted-data.ts";
import {
  defaultTemplateFolder,
  findProjectFile,
  stateDirectory,
  userSettingsFile,
} from "../workspace/locations.ts";
import { findCommand } from "./parse.ts";
import { commandsIn, groups } from "./registry.ts";

/** Values and their summaries, or a word that tells the shell to complete files itself. */
type Answer = ReadonlyMap<string, string> | ":files";

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
  const all = async (values: Promise<readonly string[]> | readonly string[], summary: string) =>
    new Map((await values).map((value) => [value, summary]));
  switch (completions) {
    case undefined:
      return new Map();
    case "files":
      return ":files";
    case "profiles":
      return all(keysAt(await readUserFile(context), "profiles"), "a profile");
    case "services":
      return all(keysAt(await readProject(context), "services"), "a service of the catalog");
    case "templates":
      return all(findTemplates(context), "a template of this project");
    case "incidents":
      return findIncidents(context);
    default:
      return all(completions, "");
  }
}

async function findTemplates(context: Context): Promise<readonly string[]> {
  const folder = await templateFolder(context);
  try {
    const files = context.files.readdirSync(folder, { withFileTypes: true });
    const names = files.flatMap(({ name }) => /^([^.].*)\.ya?ml$/.exec(name)?.[1] ?? []);
    return names.filter(isPrintable).sort();
  } catch {
    return [];
  }
}

/** The folder that `templates:` of the project's file names, or the default beside that file. */
async function templateFolder(context: Context): Promise<string> {
  const file = findProjectFile(context);
  const named = fieldOf(await readProject(context), "templates");
  const beside = file === undefined ? context.system.cwd : dirname(file);
  return join(beside, typeof named === "string" ? named : defaultTemplateFolder);
}

async function findIncidents(context: Context): Promise<ReadonlyMap<string, string>> {
  const { readRecentIds } = await import("../journal/sent-creates.ts");
  const recent = await readRecentIds(context, stateDirectory(context.system).value);
  return new Map(recent.map(({ id, name }) => [id, isPrintable(name) ? name : ""]));
}

function keysAt(value: unknown, ...path: readonly string[]): readonly string[] {
  const mapping = path.reduce(fieldOf, value);
  if (typeof mapping !== "object" || mapping === null || Array.isArray(mapping)) return [];
  return Object.keys(mapping).filter(isPrintable);
}

/** Whether a shell can list the text: nothing in it moves the cursor or ends the line. */
function isPrintable(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

function readUserFile({ files, system }: Context): Promise<unknown> {
  return readYaml(files, userSettingsFile(system));
}

async function readProject(context: Context): Promise<unknown> {
  const file = findProjectFile(context);
  return file === undefined ? undefined : readYaml(context.files, file);
}

/** The first document of a small file; `undefined` where there is none. */
async function readYaml(files: Files, file: string): Promise<unknown> {
  try {
    // Completion does not follow links: a target can be slow to read, or secret.
    if (!files.lstatSync(file).isFile()) return undefined;
  } catch {
    return undefined;
  }
  const { readFile } = await import("../source/read-source.ts");
  const { parseSource } = await import("../source/documents.ts");
  const source = readFile(files, file, file);
  return typeof source === "string" ? undefined : parseSource(source).documents[0]?.value;
}
