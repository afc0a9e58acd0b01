// The user's settings file: named profiles, each a service with its key and account. Turns a
// checked document into profiles with origins; it parses no YAML.
import { dirname, join, resolve } from "node:path";
import type { Locate, Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { ConsentMode } from "../incident/values.ts";
import type { System } from "../platform/context.ts";
import type { KeySource } from "./credentials.ts";
import { type Setting, settingFrom, withValue } from "./setting.ts";
import type { ProfileFields, PromisedClientIds, UserSettingsFields } from "./settings-rules.ts";

/** Whether a shared journal holds the names of incidents. */
export type JournalNames = "true" | "false";

export interface Profile {
  readonly name: string;
  readonly baseUrl?: Setting<string>;
  readonly accountId?: Setting<string>;
  readonly key?: Setting<KeySource>;
  readonly accountHeader?: Setting<string>;
  readonly clientIds?: Setting<PromisedClientIds>;
  /** Not yet parsed: see journal-location.ts. */
  readonly journal?: Setting<string>;
  readonly journalNames?: Setting<JournalNames>;
  readonly confirm?: Setting<ConsentMode>;
  /** Not yet checked: see web-url.ts. */
  readonly webUrl?: Setting<string>;
  /** The user's own catalog of services, not yet checked: only definitions that name a service need it. */
  readonly services?: UncheckedSection;
}

/** A part of a settings file that is checked where it is used. */
export interface UncheckedSection {
  readonly value: unknown;
  /** Locates a path below the section. */
  readonly locate: Locate;
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
    const { baseUrl, accountId, accountHeader, clientIds, confirm, journal, journalNames, services, webUrl } =
      fields;
    const path = (field: keyof ProfileFields) => ["profiles", name, field];
    const keys = keySources(fields, dirname(place), home).map(({ field, source }) =>
      setting({ field, source }, path(field)),
    );
    if (keys.length > 1) throw severalKeys(name, keys);
    const [key] = keys;
    profiles.set(name, {
      name,
      ...(baseUrl !== undefined && { baseUrl: setting(baseUrl, path("baseUrl")) }),
      ...(accountId !== undefined && { accountId: setting(accountId, path("accountId")) }),
      ...(key !== undefined && { key: withValue(key, key.value.source) }),
      ...(accountHeader !== undefined && { accountHeader: setting(accountHeader, path("accountHeader")) }),
      ...(clientIds !== undefined && { clientIds: setting(clientIds, path("clientIds")) }),
      ...(journal !== undefined && { journal: setting(journal, path("journal")) }),
      ...(journalNames !== undefined && {
        journalNames: setting(journalNames ? "true" : "false", path("journalNames")),
      }),
      ...(confirm !== undefined && { confirm: setting(confirm, path("confirm")) }),
      ...(webUrl !== undefined && { webUrl: setting(webUrl, path("webUrl")) }),
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
