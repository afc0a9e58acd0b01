// The names and ids of this machine that completion offers. Files are searched for lines instead of parsed, so that a
// press of Tab is instant; a file that is not in the usual style offers nothing.
import { readRecentIds } from "../../delivery/journal/recent-ids.ts";
import type { Context, Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { findProjectFile, stateDirectory, userSettingsFile } from "../../settings/locations.ts";

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
