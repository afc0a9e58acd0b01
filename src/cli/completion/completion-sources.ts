// The names and ids of this machine that completion offers. Files are searched for lines instead of parsed, so that a
// press of Tab is instant; a file that is not in the usual style offers nothing.
import { readRecentIds } from "../../delivery/journal/recent-ids.ts";
import type { Context, Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { findProjectFile, stateDirectory, userSettingsFile } from "../../settings/locations.ts";

/** In bytes. */
const maxFileSize = 1024 * 1024;

export function findProfiles(context: Context): readonly string[] {
  return keysBelow("profiles", readSmallFile(context.files, userSettingsFile(context.system)));
}

export function findServices(context: Context): readonly string[] {
  const file = findProjectFile(context);
  return file === undefined ? [] : keysBelow("services", readSmallFile(context.files, file));
}

export function findIncidents(context: Context): readonly { value: string; summary: string }[] {
  const recent = readRecentIds(context.files, stateDirectory(context.system).value);
  return recent.map(({ id, name }) => ({ value: id, summary: isPrintable(name) ? name : "" }));
}

/** The keys directly below a top-level key of a YAML file in block style. */
function keysBelow(parent: string, text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.replace(/\s*(#.*)?$/, "") === `${parent}:`);
  if (start === -1) return [];
  const keys: string[] = [];
  let indent: string | undefined;
  for (const line of lines.slice(start + 1)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, space = "", , key] = /^(\s*)(["']?)([^"':#]+)\2\s*:/.exec(line) ?? [];
    if (/^\S/.test(line)) break;
    indent ??= space;
    if (space === indent && key !== undefined && isPrintable(key)) keys.push(key.trim());
  }
  return keys;
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
