// The project's file, and the settings in it: the name of a profile, and folders. A pull request can change the file, so it
// must not redirect a key or run a command.
import { dirname, isAbsolute, normalize, relative, resolve } from "node:path";
import type { Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { once } from "../once.ts";
import type { Files, System } from "../platform/context.ts";
import { anything, filled, listOrNone, mapping } from "../rules/kinds.ts";
import { parseSource } from "../source/documents.ts";
import { checkSettings, onlyDocument } from "../source/parse-settings.ts";
import { readSource } from "../source/read-source.ts";
import type { ParsedText } from "../source/yaml/read.ts";
import { type Setting, settingFrom } from "./setting.ts";

export interface ProjectFile {
  /** Absolute. */
  readonly path: string;
  /** From the working directory, for messages. */
  readonly name: string;
  /** The documents, or the diagnostics of a text that is no YAML. Throws a `Failure` "usage" for an unreadable file. */
  readonly parse: () => ParsedText;
}

/** Reads and parses the file once, for everything that stands in it. */
export function createProjectFile(
  { files, system }: { readonly files: Files; readonly system: Pick<System, "cwd"> },
  path: string,
): ProjectFile {
  const name = relative(system.cwd, path);
  const parse = once(() => {
    // A link could show a file from outside the project, or a secret, as if it were the project's.
    if (files.lstatSync(path).isFile()) return parseSource(readSource({ files, system }, name));
    throw new Failure("usage", `${path} is not a regular file`, {
      hint: "correct or remove it; for now, --no-project ignores it",
    });
  });
  return { path, name, parse };
}

export interface ProjectSettings {
  /** The name of a profile in the user's file. */
  readonly profile: Setting<string> | undefined;
  /** The absolute paths of the folders with the project's definitions. */
  readonly definitions: Setting<readonly string[]> | undefined;
  /** The absolute path of the folder with the project's templates. */
  readonly templates: Setting<string> | undefined;
}

/** A pull request can change the file: it has no field that directs a key, or runs a command. */
export const projectSettingsSchema = once(() =>
  mapping({
    profile: filled(),
    definitions: listOrNone(filled()),
    templates: filled(),
    services: anything(),
    policy: anything(),
  }),
);

const projectExample = `# .incident.yaml
profile: production
definitions: [incidents]
services:
  checkout: { id: CHANGEME, name: Checkout }`;

/** Throws a `Failure` "usage" for invalid settings, or a folder outside of the project. */
export function readProjectSettings({ name, parse, path: file }: ProjectFile): ProjectSettings | undefined {
  const document = onlyDocument(parse(), name);
  if (document === undefined) return undefined;
  const { locate } = document;
  const checked = checkSettings(document, projectSettingsSchema(), projectExample);
  const { profile, definitions, templates } = checked;
  const originOf = (path: Path) => `${name}:${locate(path).start.line}`;
  const setting = <T>(value: T | undefined, ...path: Path) =>
    value === undefined ? undefined : settingFrom(value, () => originOf(path));
  const folderAt = (folder: string, ...path: Path) => {
    if (!isAbsolute(folder) && !/^\.\.(\/|$)/.test(normalize(folder))) return resolve(dirname(file), folder);
    throw new Failure("usage", `${originOf(path)} names a folder outside of the project`, {
      hint: "name one below the project's file; or ignore the file with --no-project",
    });
  };
  const folders = definitions?.map((folder, index) => folderAt(folder, "definitions", index));
  return {
    profile: setting(profile, "profile"),
    templates: setting(templates && folderAt(templates, "templates"), "templates"),
    definitions: setting(folders, "definitions"),
  };
}
