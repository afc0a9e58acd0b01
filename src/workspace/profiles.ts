// The user's settings file: named profiles, each a service with its key and account. Turns a
// checked document into profiles with origins; it parses no YAML.
import { dirname, join, resolve } from "node:path";
import type { Locate, Path } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import type { SettingsDocument } from "../source/parse-settings.ts";
import type { KeySource } from "./credentials.ts";
import { type Setting, settingFrom } from "./setting.ts";
import type { ProfileFields, UserSettingsFields } from "./settings-rules.ts";

/** The fields that are settings as they are written. The journal and `webUrl` are checked where they are used. */
type PlainFields = Omit<ProfileFields, "apiKey" | "apiKeyFile" | "apiKeyCommand" | "services">;

type PlainSettings = {
  readonly [Field in keyof PlainFields]?: Setting<NonNullable<PlainFields[Field]>>;
};

export interface Profile extends PlainSettings {
  readonly name: string;
  readonly key?: Setting<KeySource>;
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
    const path = (field: string) => ["profiles", name, field];
    const { apiKey, apiKeyFile, apiKeyCommand, services, ...plain } = fields;
    const sources: Partial<Record<keyof ProfileFields, KeySource>> = {
      ...(apiKey !== undefined && { apiKey: { kind: "value", key: apiKey } }),
      ...(apiKeyFile !== undefined && {
        apiKeyFile: { kind: "file", file: keyFile(apiKeyFile, dirname(place), home) },
      }),
      ...(apiKeyCommand !== undefined && { apiKeyCommand: { kind: "command", command: apiKeyCommand } }),
    };
    const keys = Object.entries(sources).map(
      ([field, source]) => [field, setting(source, path(field))] as const,
    );
    if (keys.length > 1) {
      const places = keys.map(([field, { origin }]) => `${field} (${origin})`).join(" and ");
      throw new Failure("usage", `profile "${name}" has more than one key: ${places}`, {
        hint: "keep one of them; nothing was sent",
      });
    }
    const settings = Object.entries(plain).map(([field, value]) => [field, setting(value, path(field))]);
    const [[, key] = []] = keys;
    profiles.set(name, {
      ...(Object.fromEntries(settings) as PlainSettings),
      name,
      ...(key !== undefined && { key }),
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

/** A relative key file is relative to the settings file: a checkout could supply one in the working directory. */
function keyFile(file: string, folder: string, home: string): string {
  return file.startsWith("~/") ? join(home, file.slice(2)) : resolve(folder, file);
}
