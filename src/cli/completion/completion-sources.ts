// The names and ids of this machine that completion offers. It reads the small files that have them and nothing else,
// so that a press of Tab is instant; a file that cannot be read offers nothing.
import { dirname, join } from "node:path";
import type { Context, Files } from "../../platform/context.ts";
import { fieldOf } from "../../untrusted-data.ts";
import {
  defaultTemplateFolder,
  findProjectFile,
  stateDirectory,
  userSettingsFile,
} from "../../workspace/locations.ts";

export async function findProfiles(context: Context): Promise<readonly string[]> {
  return keysAt(await readYaml(context.files, userSettingsFile(context.system)), ["profiles"]);
}

/** The services of the project's catalog, and those of the profile; without its name, of all profiles. */
export async function findServices(
  context: Context,
  profile: string | undefined,
): Promise<readonly string[]> {
  const project = keysAt(await readProject(context), ["services"]);
  const user = await readYaml(context.files, userSettingsFile(context.system));
  const profiles = profile === undefined ? keysAt(user, ["profiles"]) : [profile];
  const own = profiles.flatMap((name) => keysAt(user, ["profiles", name, "services"]));
  return [...new Set([...project, ...own])];
}

export async function findTemplates(context: Context): Promise<readonly string[]> {
  const folder = await templateFolder(context);
  try {
    const files = context.files.readdirSync(folder, { withFileTypes: true });
    const names = files.flatMap(({ name }) => /^([^.].*)\.ya?ml$/.exec(name)?.[1] ?? []);
    return names.filter(isPrintable).sort();
  } catch {
    return [];
  }
}

/** The variables of a template, as `name=`; with known values, as `name=value` for each. */
export async function findVariables(
  context: Context,
  template: string | undefined,
): Promise<readonly string[]> {
  if (template === undefined || !(await findTemplates(context)).includes(template)) return [];
  const file = join(await templateFolder(context), template);
  const head =
    (await readYaml(context.files, `${file}.yaml`)) ?? (await readYaml(context.files, `${file}.yml`));
  return keysAt(head, ["variables"]).flatMap((name) => {
    const values = keysAt(head, ["variables", name, "values"]);
    return values.length > 0 ? values.map((value) => `${name}=${value}`).filter(isPrintable) : [`${name}=`];
  });
}

/** The folder that `templates:` of the project's file names, or the default beside that file. */
async function templateFolder(context: Context): Promise<string> {
  const file = findProjectFile(context);
  const named = fieldOf(await readProject(context), "templates");
  const beside = file === undefined ? context.system.cwd : dirname(file);
  return join(beside, typeof named === "string" ? named : defaultTemplateFolder);
}

export async function findIncidents(
  context: Context,
): Promise<readonly { value: string; summary: string }[]> {
  const { readRecentIds } = await import("../../journal/sent-creates.ts");
  const recent = await readRecentIds(context, stateDirectory(context.system).value);
  return recent.map(({ id, name }) => ({ value: id, summary: isPrintable(name) ? name : "" }));
}

function keysAt(value: unknown, path: readonly string[]): readonly string[] {
  const mapping = path.reduce(fieldOf, value);
  if (typeof mapping !== "object" || mapping === null || Array.isArray(mapping)) return [];
  return Object.keys(mapping).filter(isPrintable);
}

/** Whether a shell can list the text: nothing in it moves the cursor or ends the line. */
function isPrintable(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
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
  const { readFile } = await import("../../source/read-source.ts");
  const { parseSource } = await import("../../source/documents.ts");
  const source = readFile(files, file, file);
  return typeof source === "string" ? undefined : parseSource(source).documents[0]?.value;
}
