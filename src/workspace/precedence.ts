// Applies precedence to the sources of every setting: flag, environment, profile, project file, default. It decides
// which values belong together, and checks no value.
import { Failure } from "../failure.ts";
import { ownValue, parseJson } from "../untrusted-data.ts";
import { sameUrl } from "./base-url.ts";
import { type KeySource, keySource } from "./credentials.ts";
import type { ProjectSettings } from "./project-file.ts";
import { type Setting, withValue } from "./setting.ts";
import {
  environmentVariables,
  type SettingWithVariable,
  type ShownSetting,
  settingRows,
  settings,
} from "./settings.ts";
import type { Profile, UserSettings } from "./user-file.ts";

export interface Effective<T> {
  readonly setting: Setting<T> | undefined;
  /** The values of lower precedence, the highest first. */
  readonly overridden: readonly Setting<T>[];
}

interface EffectiveOrDefault<T> extends Effective<T> {
  readonly setting: Setting<T>;
}

type TextName = Exclude<ShownSetting, "apiKey" | "journal">;

/** Not yet checked. */
export interface EffectiveSettings extends Readonly<Record<TextName, Effective<string>>> {
  readonly apiKey: Effective<KeySource>;
  readonly journal: EffectiveOrDefault<string>;
  /** The profile in use; undefined if flags and environment set everything. */
  readonly selectedProfile: Profile | undefined;
}

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: {
    readonly profile?: string | undefined;
    readonly account?: string | undefined;
    /** In milliseconds. */
    readonly timeout?: number | undefined;
  };
  readonly stateDirectory: Setting<string>;
  /** Resolves a relative path of the environment against the working directory. */
  readonly resolvePath: (path: string) => string;
  /** Reads the user's file, if there is one. Called only if flags and environment do not set everything. */
  readonly readUserSettings: () => Promise<UserSettings | undefined>;
  readonly readProjectSettings: () => Promise<ProjectSettings | undefined>;
  readonly readContractHeader: () => Promise<Setting<string> | undefined>;
  readonly userFile: string;
}

/** Applies precedence to all settings together. Throws a `Failure` "usage" for an unknown profile. */
export async function applyPrecedence(sources: SettingsSources): Promise<EffectiveSettings> {
  const { env, flags, userFile } = sources;
  const { account, timeout } = flags;
  const given = { profile: flags.profile, accountId: account, timeout: timeout && `${timeout / 1000}s` };
  const inFlag = (name: ShownSetting) => {
    const value = ownValue<string | 0 | undefined>(given, name);
    return value ? { value, origin: settingRows[name]?.flag ?? "" } : undefined;
  };
  const inEnv = (name: SettingWithVariable) => readVariable(env, name);
  const keys = keysIn(sources);
  // The project file is always read: a refused field is an error even if the environment sets everything.
  const project = await sources.readProjectSettings();
  // A service that the environment sets is used as it is, whatever the user's file says, or however it is broken.
  const isInEnv =
    (inFlag("profile") ?? inEnv("profile")) === undefined &&
    inEnv("baseUrl") &&
    keys.length > 0 &&
    (inFlag("accountId") ?? inEnv("accountId"));
  const user = isInEnv ? undefined : await sources.readUserSettings();
  const name = rank(
    isInEnv ? [] : [inFlag("profile"), inEnv("profile"), user?.defaultProfile, project?.profile],
  );
  const profile = name.setting && findProfile(user, name.setting, userFile);

  /** `own`: of the profile. `--profile` takes the variable away from what belongs to a service. */
  const ranked = (row: ShownSetting, own?: Setting<string>) => {
    const { byDefault, of, variable } = settingRows[row] ?? {};
    const inVariable = variable === undefined ? undefined : inEnv(row as SettingWithVariable);
    const isEnvOut = flags.profile !== undefined && of === "service";
    const last = byDefault === undefined ? undefined : { value: byDefault, origin: "default" };
    return rank(
      [inFlag(row), isEnvOut ? undefined : inVariable, own, last],
      isEnvOut ? inVariable : undefined,
    );
  };
  const baseUrl = ranked("baseUrl", profile?.baseUrl);
  const isOther = profile?.baseUrl !== undefined && !sameUrl(profile.baseUrl, baseUrl.setting);
  /** The profile, unless it is about another service. */
  const own = isOther ? undefined : profile;
  const header = ranked("accountHeader", own?.accountHeader);
  const contract = header.setting?.origin === "default" ? await sources.readContractHeader() : undefined;
  return {
    profile: name,
    baseUrl,
    apiKey: rank(flags.profile === undefined ? [...keys, profile?.key] : [profile?.key, ...keys]),
    accountId: ranked("accountId", profile?.accountId),
    accountHeader: contract === undefined ? header : rank([contract, header.setting, ...header.overridden]),
    webUrl: ranked("webUrl", own?.webUrl),
    journal: ranked("journal", profile?.journal) as EffectiveOrDefault<string>,
    stateDirectory: rank([sources.stateDirectory]),
    timeout: ranked("timeout"),
    rate: ranked("rate"),
    selectedProfile: profile,
  };
}

/** Takes the first candidate that is set. `ineligible` is listed as overridden only. */
function rank<T>(candidates: readonly (Setting<T> | undefined)[], ineligible?: Setting<T>): Effective<T> {
  const [setting, ...overridden] = candidates.filter((each) => each !== undefined);
  return { setting, overridden: ineligible === undefined ? overridden : [...overridden, ineligible] };
}

/** An empty variable counts as unset. */
export function readVariable(
  env: SettingsSources["env"],
  name: SettingWithVariable,
): Setting<string> | undefined {
  const origin = environmentVariables[name];
  const value = ownValue(env, origin)?.trim();
  return value ? { value, origin } : undefined;
}

function keysIn({ env, resolvePath }: SettingsSources): readonly Setting<KeySource>[] {
  return (["apiKey", "apiKeyFile", "apiKeyCommand"] as const).flatMap((name) => {
    const setting = readVariable(env, name);
    if (setting === undefined) return [];
    // The key as it is: its check tells of the spaces around it.
    const typed = name === "apiKey" ? (ownValue(env, setting.origin) ?? "") : setting.value;
    const value = name === "apiKeyCommand" ? parseWords(setting) : typed;
    return [withValue(setting, keySource(name, value, resolvePath))];
  });
}

/** The message does not repeat the value, which may hold a secret. Throws a `Failure` "usage". */
function parseWords({ origin, value }: Setting<string>): readonly string[] {
  const words = parseJson(value);
  const isCommand = Array.isArray(words) && words.length > 0;
  if (isCommand && words.every((word) => typeof word === "string" && word !== "")) return words;
  throw new Failure("usage", `${origin} is not a list of words in JSON`, {
    hint: 'write the program and its arguments, such as ["op", "read", "op://Operations/incident/key"]',
  });
}

function findProfile(user: UserSettings | undefined, name: Setting<string>, userFile: string): Profile {
  const profile = user?.profiles.get(name.value);
  if (profile !== undefined) return profile;
  const names = [...(user?.profiles.keys() ?? [])].join(", ");
  throw new Failure("usage", `there is no profile "${name.value}" (named by ${name.origin})`, {
    hint: names === "" ? `add it under "profiles:" in ${userFile}` : `the profiles are: ${names}`,
  });
}

export function rateSetting(env: SettingsSources["env"]): Setting<string> {
  return readVariable(env, "rate") ?? { value: settings.rate.byDefault, origin: "default" };
}
