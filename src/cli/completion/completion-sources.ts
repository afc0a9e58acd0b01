// What completion offers of this machine: names of profiles and services, and ids that were sent from here. Files
// are skimmed rather than parsed: a Tab must not be felt, and whatever cannot be skimmed is not offered.
import { join } from "node:path";
import type { Context } from "../../platform/context.ts";
import { findProjectFile, stateDirectory, userSettingsFile } from "../../settings/locations.ts";

/** A file larger than this is not looked at, in bytes. */
const largest = 1024 * 1024;

/** More ids than this help nobody. */
const mostIncidents = 50;

export function findProfiles(context: Context): readonly string[] {
  return keysIn(skim(context, userSettingsFile(context.system)), "profiles");
}

export function findServices(context: Context): readonly string[] {
  const file = findProjectFile(context);
  return file === undefined ? [] : keysIn(skim(context, file), "services");
}

/** The names directly below a top-level key, in the block style that people write. */
function keysIn(text: string, key: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.replace(/\s*(#.*)?$/, "") === `${key}:`);
  if (start === -1) return [];
  const names: string[] = [];
  let indent: string | undefined;
  for (const line of lines.slice(start + 1)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const [, space = "", , name] = /^(\s*)(["']?)([^"':#]+)\2\s*:/.exec(line) ?? [];
    if (/^\S/.test(line)) break;
    indent ??= space;
    if (space === indent && name !== undefined && isPlain(name)) names.push(name.trim());
  }
  return names;
}

/** The first event of each operation holds its id and its name. */
export function findIncidents(context: Context): readonly { value: string; summary: string }[] {
  const folder = join(stateDirectory(context.system).value, "journal");
  try {
    const names = context.files.readdirSync(folder).filter((name) => name.endsWith("-000.json"));
    return names.slice(0, mostIncidents).flatMap((name) => {
      const { key, event } = JSON.parse(skim(context, join(folder, name)));
      const [id, summary] = [String(key.id), String(event.content.body.name)];
      return [{ value: id, summary: isPlain(summary) ? summary : "" }];
    });
  } catch {
    return [];
  }
}

/** Fit for a shell's list: nothing in it moves a cursor or ends a line. */
function isPlain(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

function skim({ files }: Context, file: string): string {
  const stat = files.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > largest) return "";
  try {
    return files.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
