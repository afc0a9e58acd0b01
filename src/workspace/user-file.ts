// The user's settings file: reads it and edits it. No other user may own or change it, because a profile can name a command.
import { dirname, resolve } from "node:path";
import type { Path } from "../diagnostic.ts";
import { callSystem, Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { replaceFile } from "../platform/write-file.ts";
import { nonEmptyList, optionals, recordOf, text, type Zod } from "../rules/kinds.ts";
import { readSettings, unusableSettings } from "../source/check.ts";
import { parseDocuments } from "../source/yaml/read.ts";
import type { YamlEdit } from "../source/yaml/write.ts";
import { ownValue } from "../untrusted-data.ts";
import { type KeySource, readPrivateFile } from "./credentials.ts";
import { secretsOf } from "./journal-location.ts";
import { environmentVariables, type ProfileField, type Setting, settingRows } from "./settings.ts";

function userSettingsSchema() {
  const command = nonEmptyList(text("visible"), { examples: [["op", "read", "op://vault/key"]] });
  const fields = Object.entries(settingRows).flatMap(([name, { inProfile }]) =>
    inProfile === undefined ? [] : [[name, name === "apiKeyCommand" ? command : text("visible")]],
  );
  const profile: Zod = optionals(Object.fromEntries(fields));
  const profiles = recordOf(profile as Zod<Readonly<Record<string, string | readonly string[]>>>, {
    examples: [{ production: { baseUrl: "https://api.example.com" } }],
  });
  return optionals({ defaultProfile: text("visible"), profiles });
}

/** The values of a profile, each with its line. A value is checked where it is used. */
export interface Profile
  extends Readonly<Partial<Record<Exclude<ProfileField, `apiKey${string}`>, Setting<string>>>> {
  readonly key?: Setting<KeySource>;
}

export type UserSettings = NonNullable<ReturnType<typeof readUserSettings>>;

/** Undefined where the file does not exist. Throws a `Failure` if it is invalid or open to other users. */
export function readUserSettings(
  context: { readonly files: Files; readonly system: Pick<System, "home" | "user"> },
  file: string,
) {
  const found = readOwnFile(context, file);
  if (found === undefined) return undefined;
  const parsed = parseDocuments(found.text, file);
  const { diagnostics, document, value } = readSettings(parsed, userSettingsSchema());
  if (diagnostics.length > 0) throw unusableSettings(file, diagnostics);
  if (document === undefined || value === undefined) return undefined;
  const settingAt = <T>(own: T, ...path: Path): Setting<T> => {
    return { value: own, origin: `${file}:${document.locate(path).start.line}` };
  };
  /** A relative key file is relative to the settings file: a checkout could supply one in the working directory. */
  const sourceOf = (field: string | undefined, own: string | readonly string[]): KeySource => {
    if (typeof own !== "string") return { kind: "command", command: own };
    if (field !== "apiKeyFile") return { kind: "value", key: own };
    const path = own.replace(/^~(?=\/)/, () => context.system.home);
    return { kind: "file", file: resolve(dirname(file), path) };
  };
  const profiles = new Map<string, Profile>();
  for (const [name, fields] of Object.entries(value.profiles ?? {})) {
    const settings = Object.entries(fields).map(
      ([field, own]) => [field, settingAt(own, "profiles", name, field)] as const,
    );
    const plain = Object.fromEntries(settings) as Omit<Profile, "key">;
    const [field, given] = settings.find(([each]) => ownValue(settingRows, each)?.inProfile === "key") ?? [];
    const key = given && { ...given, value: sourceOf(field, given.value) };
    const hasSecret = key?.value.kind === "value" || secretsOf(plain.journal?.value ?? "").length > 0;
    if (hasSecret && found.exposure) throw found.exposure;
    profiles.set(name, { ...plain, ...(key && { key }) });
  }
  const { defaultProfile } = value;
  return { profiles, ...(defaultProfile && { defaultProfile: settingAt(defaultProfile, "defaultProfile") }) };
}

/** The profile that login and logout act on: the named one, else the default one, else `default`. */
export function profileName(env: System["env"], flag: string | undefined, user?: UserSettings): string {
  const name =
    flag ?? (env[environmentVariables.profile]?.trim() || user?.defaultProfile?.value) ?? "default";
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new Failure("usage", "the profile's name has other characters than letters, digits, dot, - and _", {
    hint: "choose a name such as production",
  });
}

/** Creates the file if it does not exist. An existing file must be valid. */
export async function editUserSettings(
  context: { readonly files: Files; readonly system: Pick<System, "random" | "user"> },
  file: string,
  edits: readonly YamlEdit[],
): Promise<void> {
  const { editYaml } = await import("../source/yaml/write.ts");
  const hint = `check the permissions of ${dirname(file)} and the space on its disk; nothing was stored`;
  callSystem(`${file} could not be written`, hint, () => {
    const found = readOwnFile(context, file);
    // The file may have held no key so far, and others could read it.
    replaceFile(context, file, editYaml(found?.text ?? "", edits), { isPrivate: true });
  });
}

/** A profile can name a command: under sudo, the command of another user would run as root. */
function readOwnFile(context: Parameters<typeof readPrivateFile>[0], file: string) {
  const found = readPrivateFile(context, file, "usage");
  if (found?.otherOwner === undefined) return found;
  const message = `${file} is not used: it belongs to another user (uid ${found.otherOwner})`;
  throw new Failure("credentials", message, {
    hint: "run incident as that user, without sudo; or set XDG_CONFIG_HOME to a folder of your own",
  });
}
