// Applies precedence to the sources of every setting: flag, environment, profile, project file, default. It decides
// which values belong together, and checks no value.
import { Failure } from "../failure.ts";
import { type ConsentMode, consentModes } from "../incident/values.ts";
import { ownValue, parseJson } from "../untrusted-data.ts";
import { sameUrl } from "./base-url.ts";
import { rankConsent } from "./consent.ts";
import { type KeySource, keySource } from "./credentials.ts";
import type { ProjectSettings } from "./project-file.ts";
import { type Setting, withValue } from "./setting.ts";
import { environmentVariables, settingRows, settings } from "./settings.ts";
import type { Profile, UserSettings } from "./user-file.ts";

/** The outcome of precedence for one setting. */
export interface Effective<T> {
  readonly setting: Setting<T> | undefined;
  /** The values of lower precedence, the highest first. */
  readonly overridden: readonly Setting<T>[];
}

type RankedName = "baseUrl" | "accountId" | "accountHeader" | "webUrl" | "journal";

/** Not yet checked. */
export interface EffectiveSettings extends Readonly<Record<RankedName | "profile", Effective<string>>> {
  readonly apiKey: Effective<KeySource>;
  /** Which creates need --confirm where no person can be asked. */
  readonly confirm: Effective<ConsentMode> & { readonly setting: Setting<ConsentMode> };
  /** The profile in use; undefined if flags and environment set everything. */
  readonly selectedProfile: Profile | undefined;
}

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: { readonly profile?: string | undefined; readonly account?: string | undefined };
  /** Resolves a relative path of the environment against the working directory. */
  readonly resolvePath: (path: string) => string;
  /** Reads the user's file, if there is one. Called only if flags and environment do not set everything. */
  readonly readUserSettings: () => Promise<UserSettings | undefined>;
  /** Reads the project's file, if there is one. */
  readonly readProjectSettings: () => Promise<ProjectSettings | undefined>;
  /** The account header that the project's contract names, if there is one. */
  readonly readContractHeader: () => Promise<Setting<string> | undefined>;
  /** The path of the user's file, which need not exist. */
  readonly userFile: string;
}

/**
 * Applies precedence to all settings together. With `alwaysReadProfile`, it reads the profile even if flags and
 * environment set everything, to list the overridden values. Throws a `Failure` "usage" for an unknown profile.
 */
export async function applyPrecedence(
  sources: SettingsSources,
  { alwaysReadProfile = false }: { readonly alwaysReadProfile?: boolean } = {},
): Promise<EffectiveSettings> {
  const { env, userFile } = sources;
  const flags = { profile: fromFlag(sources, "profile"), accountId: fromFlag(sources, "accountId") };
  const keys = keysIn(sources);
  // The project file is always read: a refused field is an error even if the environment sets everything.
  const project = await sources.readProjectSettings();
  const envAccount = flags.accountId ?? readVariable(env, "accountId");
  const isEnvComplete = readVariable(env, "baseUrl") && keys.length > 0 && envAccount !== undefined;
  const named = flags.profile ?? readVariable(env, "profile");
  const isUnused = Boolean(isEnvComplete) && named === undefined;
  const user = isUnused && !alwaysReadProfile ? undefined : await sources.readUserSettings();
  const name = rank([flags.profile, readVariable(env, "profile"), user?.defaultProfile, project?.profile]);
  const profile = name.setting && findProfile(user, name.setting, userFile, isUnused);

  /** `isOther`: the value of the profile is that of another service. */
  const rankRow = (
    row: RankedName,
    { isOther = false, others = [] as readonly (Setting<string> | undefined)[] } = {},
  ) => {
    const [inEnv, own] = [readVariable(env, row), profile?.[row]];
    // `--profile` overrides what belongs to a service, even for fields that the profile does not set.
    const isEnvOut = flags.profile !== undefined && settingRows[row]?.of === "service";
    const isOwnOut = isUnused || isOther;
    const byDefault = settingRows[row]?.byDefault;
    return rank(
      [
        row === "accountId" ? flags.accountId : undefined,
        isEnvOut ? undefined : inEnv,
        isOwnOut ? undefined : own,
        ...others,
        byDefault === undefined ? undefined : { value: byDefault, origin: "default" },
      ],
      [isEnvOut ? inEnv : undefined, isOwnOut ? own : undefined],
    );
  };
  const baseUrl = rankRow("baseUrl");
  const isOther = profile?.baseUrl !== undefined && !isUnused && !sameUrl(profile.baseUrl, baseUrl.setting);
  const header = rankRow("accountHeader", { isOther });
  const others = header.setting?.origin === "default" ? [await sources.readContractHeader()] : [];
  const confirms = [oneOf(consentModes, readVariable(env, "confirm")), project?.confirm];
  return {
    profile: isUnused
      ? { setting: undefined, overridden: [name.setting, ...name.overridden].filter(isSet) }
      : name,
    baseUrl,
    apiKey: rank(flags.profile === undefined ? [...keys, profile?.key] : [profile?.key, ...keys]),
    accountId: rankRow("accountId"),
    accountHeader: rankRow("accountHeader", { isOther, others }),
    webUrl: rankRow("webUrl", { isOther }),
    journal: rankRow("journal"),
    confirm: rankConsent(isUnused || isOther ? undefined : profile?.confirm, confirms, env),
    selectedProfile: isUnused ? undefined : profile,
  };
}

/** Takes the first candidate that is set. `ineligible` values are listed as overridden only. */
function rank<T>(
  candidates: readonly (Setting<T> | undefined)[],
  ineligible: readonly (Setting<T> | undefined)[] = [],
): Effective<T> {
  const [setting, ...overridden] = candidates.filter(isSet);
  return { setting, overridden: [...overridden, ...ineligible.filter(isSet)] };
}

function isSet<T>(setting: Setting<T> | undefined): setting is Setting<T> {
  return setting !== undefined;
}

/** An empty variable counts as unset. */
export function readVariable(
  env: SettingsSources["env"],
  name: keyof typeof environmentVariables,
): Setting<string> | undefined {
  const origin = environmentVariables[name];
  const value = ownValue(env, origin)?.trim();
  return value ? { value, origin } : undefined;
}

function fromFlag({ flags }: SettingsSources, name: "profile" | "accountId"): Setting<string> | undefined {
  const value = name === "profile" ? flags.profile : flags.account;
  return value === undefined ? undefined : { value, origin: settings[name].flag };
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

/** Throws a `Failure` "usage" for another value. */
function oneOf<T extends string>(
  values: readonly T[],
  setting: Setting<string> | undefined,
): Setting<T> | undefined {
  if (setting === undefined) return undefined;
  const value = values.find((each) => each === setting.value);
  if (value !== undefined) return withValue(setting, value);
  throw new Failure("usage", `${setting.origin} cannot be "${setting.value}"`, {
    hint: `write one of ${values.join(", ")}`,
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

function findProfile(
  user: UserSettings | undefined,
  name: Setting<string>,
  userFile: string,
  isUnused: boolean,
): Profile | undefined {
  const profile = user?.profiles.get(name.value);
  if (profile !== undefined || isUnused) return profile;
  const names = [...(user?.profiles.keys() ?? [])].join(", ");
  throw new Failure("usage", `there is no profile "${name.value}" (named by ${name.origin})`, {
    hint: names === "" ? `add it under "profiles:" in ${userFile}` : `the profiles are: ${names}`,
  });
}

/** The rate of this process from each source, from the highest rank to the default. */
export function rateSettings(env: SettingsSources["env"]): readonly [Setting<string>, ...Setting<string>[]] {
  const variable = readVariable(env, "rate");
  const byDefault = { value: settings.rate.byDefault, origin: "default" };
  return variable === undefined ? [byDefault] : [variable, byDefault];
}
