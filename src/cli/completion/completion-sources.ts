// The names and ids of this machine that completion offers. Files are searched for lines instead of parsed, so that a
// press of Tab is instant; a file that is not in the usual style offers nothing.
import { dirname, join } from "node:path";
import { readRecentIds } from "../../delivery/journal/recent-ids.ts";
import type { Context, Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import {
  defaultTemplateFolder,
  findProjectFile,
  stateDirectory,
  userSettingsFile,
} from "../../settings/locations.ts";

/** In bytes. */
const maxFileSize = 1024 * 1024;

export function findProfiles(context: Context): readonly string[] {
  return keysBelow(["profiles"], readSmallFile(context.files, userSettingsFile(context.system)));
}

/** The services of the project's catalog, and those of the profile; without its name, of all profiles. */
export function findServices(context: Context, profile: string | undefined): readonly string[] {
  const file = findProjectFile(context);
  const project = file === undefined ? [] : keysBelow(["services"], readSmallFile(context.files, file));
  const user = readSmallFile(context.files, userSettingsFile(context.system));
  const profiles = profile === undefined ? keysBelow(["profiles"], user) : [profile];
  const own = profiles.flatMap((name) => keysBelow(["profiles", name, "services"], user));
  return [...new Set([...project, ...own])];
}

export function findTemplates(context: Context): readonly string[] {
  try {
    const files = context.files.readdirSync(templateFolder(context), { withFileTypes: true });
    const names = files.flatMap(({ name }) => /^([^.].*)\.ya?ml$/.exec(name)?.[1] ?? []);
    return names.filter(isPrintable).sort();
  } catch {
    return [];
  }
}

/** The variables of a template, as `name=`; with an enumeration in one line, as `name=value` for each value. */
export function findVariables(context: Context, template: string | undefined): readonly string[] {
  if (template === undefined || !findTemplates(context).includes(template)) return [];
  const folder = templateFolder(context);
  const text = ["yaml", "yml"].map((suffix) =>
    readSmallFile(context.files, join(folder, `${template}.${suffix}`)),
  );
  const [head = ""] = text.join("").split(/^---/m);
  return keysBelow(["variables"], head).flatMap((name) => {
    const entry = head.slice(head.search(new RegExp(`^\\s+["']?${escapePattern(name)}["']?\\s*:`, "m")));
    const [own = ""] = entry.split(/\n(?=\s*[\w.-]+\s*:\s*(?:\{|$))/);
    const [, values] = /\benum:\s*\[([^\]]*)\]/.exec(own) ?? [];
    const choices = (values ?? "").split(",").map((value) => value.trim().replace(/^(["'])(.*)\1$/, "$2"));
    return values === undefined
      ? [`${name}=`]
      : choices.filter(isPrintable).map((value) => `${name}=${value}`);
  });
}

/** The folder that `templates:` of the project's file names, or the default beside that file. */
function templateFolder(context: Context): string {
  const file = findProjectFile(context);
  const named =
    file && /^templates:\s*(["']?)([^"'#\n]+)\1\s*(?:#.*)?$/m.exec(readSmallFile(context.files, file))?.[2];
  const beside = file === undefined ? context.system.cwd : dirname(file);
  return join(beside, named?.trim() ?? defaultTemplateFolder);
}

export function findIncidents(context: Context): readonly { value: string; summary: string }[] {
  const recent = readRecentIds(context.files, stateDirectory(context.system).value);
  return recent.map(({ id, name }) => ({ value: id, summary: isPrintable(name) ? name : "" }));
}

/** The keys directly below a path of keys, in a YAML file in block style. */
function keysBelow(path: readonly string[], text: string): readonly string[] {
  let entries = entriesOf(text.split(/\r?\n/));
  for (const parent of path) {
    const entry = entries.find(({ key, isParent }) => isParent && key === parent);
    if (entry === undefined) return [];
    entries = entriesOf(entry.below);
  }
  return entries.map(({ key }) => key).filter(isPrintable);
}

interface YamlEntry {
  readonly key: string;
  /** Nothing but a comment follows the key on its line. */
  readonly isParent: boolean;
  readonly below: string[];
}

/** The keys with the indentation of the first one, and the lines below each. */
function entriesOf(lines: readonly string[]): readonly YamlEntry[] {
  const entries: YamlEntry[] = [];
  let indent: string | undefined;
  for (const line of lines) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, space = "", , key, value = ""] = /^(\s*)(["']?)([^"':#]+)\2\s*:(.*)$/.exec(line) ?? [];
    indent ??= /^\s*/.exec(line)?.[0] ?? "";
    if (space === indent && key !== undefined) {
      entries.push({ key: key.trim(), isParent: /^\s*(#.*)?$/.test(value), below: [] });
    } else entries.at(-1)?.below.push(line);
  }
  return entries;
}

/** Whether a shell can list the text: nothing in it moves the cursor or ends the line. */
function isPrintable(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

function readSmallFile(files: Files, file: string): string {
  try {
    // Completion does not follow links: a target can be slow to read, or secret.
    if (!files.lstatSync(file).isFile()) return "";
    const bytes = readRegularFile(files, file, maxFileSize)?.bytes ?? Buffer.alloc(0);
    return bytes.length > maxFileSize ? "" : Buffer.from(bytes).toString("utf8");
  } catch {
    return "";
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
