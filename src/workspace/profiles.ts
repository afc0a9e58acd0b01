// The user's settings file: named profiles, each a service with its key and account. Turns a
// checked document into profiles with origins; it parses no YAML.
import { dirname, join, resolve } from "node:path";
import type { Locate, Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import type { SettingsDocument } from "../source/parse-settings.ts";
import type { KeySource } from "./credentials.ts";
import { type Setting, settingFrom, withValue } from "./setting.ts";
import type { ProfileFields, UserSettingsFields } from "./settings-rules.ts";

/** The fields that are settings as they are written. The journal and `webUrl` are checked where they are used. */
const plainFields = [
  "baseUrl",
  "accountId",
  "accountHeader",
  "clientIds",
  "journal",
  "confirm",
  "webUrl",
] as const satisfies readonly (keyof ProfileFields)[];

type PlainSettings = {
  readonly [Field in (typeof plainFields)[number]]?: Setting<NonNullable<ProfileFields[Field]>>;
};

export interface Profile extends PlainSettings {
  readonly name: string;
  readonly key?: Setting<KeySource>;
  /** Whether a shared journal holds the names of incidents. */
  readonly journalNames?: Setting<"true" | "false">;
  /** The user's own catalog of services, not yet checked: only definitions that name a service need it. */
  readonly services?: SettingsDocument;
}

export interface UserSettings {
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly defaultProfile?: Setting<string>;
}

/** Adds the origin to every value of a checked file at `place`. Throws a `Failure` "usage" for a profile with two keys. */
export function readProfiles(
  file: UserSettingsFields,
  place: string,
  locate: Locate,
  { home }: Pick<System, "home">,
): UserSettings {
  const setting = <T>(value: T, path: Path): Setting<T> =>
    settingFrom(value, () => `${place}:${locate(path).start.line}`);
  const profiles = new Map<string, Profile>();
  for (const [name, fields] of Object.entries(file.profiles ?? {})) {
    const path = (field: keyof ProfileFields) => ["profiles", name, field];
    const keys = keySources(fields, dirname(place), home).map(({ field, source }) =>
      setting({ field, source }, path(field)),
    );
    if (keys.length > 1) throw severalKeys(name, keys);
    const [key] = keys;
    const { journalNames, services } = fields;
    const plain = plainFields.flatMap((field) =>
      fields[field] === undefined ? [] : [[field, setting(fields[field], path(field))]],
    );
    profiles.set(name, {
      ...(Object.fromEntries(plain) as PlainSettings),
      name,
      ...(key !== undefined && { key: withValue(key, key.value.source) }),
      ...(journalNames !== undefined && {
        journalNames: setting(journalNames ? "true" : "false", path("journalNames")),
      }),
      ...(services !== undefined && {
        services: {
          value: services,
          locate: (below, ...more) => locate([...path("services"), ...below], ...more),
        },
      }),
    });
  }
  if (file.defaultProfile === undefined) return { profiles };
  return { profiles, defaultProfile: setting(file.defaultProfile, ["defaultProfile"]) };
}

interface ProfileKey {
  readonly field: keyof ProfileFields;
  readonly source: KeySource;
}

/** A relative key file is relative to the settings file: a checkout could supply one in the working directory. */
function keySources(fields: ProfileFields, folder: string, home: string): ProfileKey[] {
  const { apiKey, apiKeyFile, apiKeyCommand } = fields;
  const keys: ProfileKey[] = [];
  if (apiKey !== undefined) keys.push({ field: "apiKey", source: { kind: "value", key: apiKey } });
  if (apiKeyFile !== undefined) {
    const file = apiKeyFile.startsWith("~/") ? join(home, apiKeyFile.slice(2)) : resolve(folder, apiKeyFile);
    keys.push({ field: "apiKeyFile", source: { kind: "file", file } });
  }
  if (apiKeyCommand !== undefined) {
    keys.push({ field: "apiKeyCommand", source: { kind: "command", command: apiKeyCommand } });
  }
  return keys;
}

function severalKeys(name: string, keys: readonly Setting<ProfileKey>[]): Failure {
  const places = keys.map(({ value, origin }) => `${value.field} (${origin})`);
  return new Failure("usage", `profile "${name}" has more than one key: ${places.join(" and ")}`, {
    hint: "keep one of them; nothing was sent",
  });
}
