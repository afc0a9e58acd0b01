// The settings in a project's file: the name of a profile, and folders. Everyone who can open a pull request can change
// the file, so it must not redirect a key or run a command.
import { dirname, isAbsolute, normalize, resolve } from "node:path";
import type { Locate, Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { type ConsentMode, consentModes } from "../incident/values.ts";
import { fieldOf } from "../own-value.ts";
import { type Setting, settingFrom } from "./setting.ts";
import type { ProjectSettingsFields } from "./settings-rules.ts";

export interface ProjectSettings {
  /** The name of a profile in the user's file. */
  readonly profile?: Setting<string>;
  /** The absolute paths of the folders with the project's definitions. */
  readonly definitions?: Setting<readonly string[]>;
  /** The absolute path of the folder with the project's templates. */
  readonly templates?: Setting<string>;
  /** `policy.confirm`; the check of the policy reports another value. */
  readonly confirm?: Setting<ConsentMode>;
}

/** A project's file, for messages. */
export const projectExample = `# .incident.yaml
profile: production
definitions: [incidents]
services:
  checkout: { id: CHANGEME, name: Checkout }`;

/** The fields that only the user's own file may have, with the risk of each in a file that others can change. */
const userOnlyFields = {
  baseUrl: "could redirect a stored key",
  apiKey: "would be read by everyone who can read the project",
  apiKeyFile: "could send another file's content away",
  apiKeyCommand: "could run a stranger's command",
  accountHeader: "could change what is sent with a stored key",
  accountId: "could act for another account",
  headers: "could change what is sent with a stored key",
  clientIds: "could have an incident sent twice",
  journal: "could have an incident sent twice",
  journalNames: "could publish the names of incidents",
  webUrl: "could lead people who follow it to another site",
  profiles: "could redirect a stored key",
  defaultProfile: "could redirect a stored key",
} as const satisfies Record<string, string>;

/** Throws a `Failure` "usage" for a field that only the user's own file may have. */
export function refuseUserOnlyFields(value: unknown, locate: Locate): void {
  if (typeof value !== "object" || value === null) return;
  const risks = new Map<string, string>(Object.entries(userOnlyFields));
  for (const name of Object.keys(value)) {
    const risk = risks.get(name);
    if (risk === undefined) continue;
    const { file, start } = locate([name], "key");
    throw new Failure("usage", `${file}:${start.line} sets ${name}, which ${risk}`, {
      hint: `remove it: a project's file may hold services, definitions, templates, a policy and a profile's name; or ignore the file with --no-project`,
    });
  }
}

/** Adds the origin to every value of a checked file at `place`. Throws a `Failure` "usage" for a folder outside of the project. */
export function readProjectSettings(
  { profile, definitions, policy, templates }: ProjectSettingsFields,
  place: string,
  locate: Locate,
): ProjectSettings {
  const originOf = (path: Path) => `${place}:${locate(path).start.line}`;
  const setting = <T>(value: T, path: Path) => settingFrom(value, () => originOf(path));
  const root = dirname(place);
  const folderAt = (folder: string, path: Path) => {
    if (!isAbsolute(folder) && !/^\.\.(\/|$)/.test(normalize(folder))) return resolve(root, folder);
    throw new Failure("usage", `${originOf(path)} names a folder outside of the project`, {
      hint: "name one below the project's file; or ignore the file with --no-project",
    });
  };
  const folders = definitions?.map((folder, index) => folderAt(folder, ["definitions", index]));
  const wanted = fieldOf(policy, "confirm");
  const confirm = consentModes.find((mode) => mode === wanted);
  return {
    ...(confirm !== undefined && { confirm: setting(confirm, ["policy", "confirm"]) }),
    ...(profile !== undefined && { profile: setting(profile, ["profile"]) }),
    ...(templates !== undefined && {
      templates: setting(folderAt(templates, ["templates"]), ["templates"]),
    }),
    ...(folders !== undefined && { definitions: setting(folders, ["definitions"]) }),
  };
}
