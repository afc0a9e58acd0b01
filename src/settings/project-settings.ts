// What a project's file may say of settings: a profile's name, and no more. Everyone who can open a pull request
// can write it, so it must not move a key, name a service or run anything.
import { dirname, isAbsolute, normalize, resolve } from "node:path";
import * as z from "zod/mini";
import type { Locate, Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { Setting } from "./precedence.ts";

export interface ProjectSettings {
  /** The name of a profile of the user's file. */
  readonly profile?: Setting<string>;
  /** The folders that hold the project's definitions, absolute. */
  readonly definitions?: Setting<readonly string[]>;
}

const text = z.string().check(z.minLength(1, "blank-text"));

/** What may stand in a project's file. The catalog in `services` is judged where it is used. */
export const projectSettingsSchema = z.strictObject({
  profile: z.optional(text),
  definitions: z.optional(z.array(text)),
  services: z.optional(z.unknown()),
});

/** What belongs into the user's own file, with what it could do in a file that a stranger can change. */
const refused = {
  baseUrl: "could redirect a stored key",
  apiKey: "would be read by everyone who can read the project",
  apiKeyFile: "could send another file's content away",
  apiKeyCommand: "could run a stranger's command",
  accountHeader: "could change what is sent with a stored key",
  accountId: "could act for another account",
  headers: "could change what is sent with a stored key",
  clientIds: "could have an incident sent twice",
  profiles: "could redirect a stored key",
  defaultProfile: "could redirect a stored key",
} as const satisfies Record<string, string>;

/** Throws a `Failure` "usage" for a field that only the user's own file may have. */
export function refuseForeignFields(value: unknown, locate: Locate): void {
  if (typeof value !== "object" || value === null) return;
  const known = new Map<string, string>(Object.entries(refused));
  for (const name of Object.keys(value)) {
    const reason = known.get(name);
    if (reason === undefined) continue;
    const { file, start } = locate([name], "key");
    throw new Failure("usage", `${file}:${start.line} sets ${name}, which ${reason}`, {
      hint: `remove it: a project's file may hold services, definitions and a profile's name; for now, --no-project ignores the file`,
    });
  }
}

/** Gives every value of a checked file its origin. Throws a `Failure` "usage" for a folder outside of the project. */
export function readProjectSettings(
  { profile, definitions }: z.infer<typeof projectSettingsSchema>,
  locate: Locate,
): ProjectSettings {
  const originOf = (path: Path) => {
    const { file, start } = locate(path);
    return `${file}:${start.line}`;
  };
  const root = dirname(locate([]).file);
  const folders = definitions?.map((folder, index) => {
    if (!isAbsolute(folder) && !/^\.\.(\/|$)/.test(normalize(folder))) return resolve(root, folder);
    throw new Failure("usage", `${originOf(["definitions", index])} names a folder outside of the project`, {
      hint: "name one below the project's file; for now, --no-project ignores the file",
    });
  });
  return {
    ...(profile !== undefined && { profile: { value: profile, origin: originOf(["profile"]) } }),
    ...(folders !== undefined && { definitions: { value: folders, origin: originOf(["definitions"]) } }),
  };
}
