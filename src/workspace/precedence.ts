// Applies precedence to the sources of every setting: flag, environment, profile, project file, default. It decides
// which values belong together, and checks no value.
import { Failure } from "../failure.ts";
import { type ConsentMode, consentModes } from "../incident/values.ts";
import { ownValue, parseJson } from "../untrusted-data.ts";
import { sameUrl } from "./base-url.ts";
import { rankConsent } from "./consent.ts";
import type { KeySource } from "./credentials.ts";
import { environmentVariables } from "./environment-variables.ts";
import type { Profile, UserSettings } from "./profiles.ts";
import type { ProjectSettings } from "./project-file.ts";
import { type Setting, withValue } from "./setting.ts";

/** The outcome of precedence for one setting. */
export interface Effective<T> {
  readonly setting: Setting<T> | undefined;
  /** The values of lower precedence, the highest first. */
  readonly overridden: readonly Setting<T>[];
}

export interface EffectiveSettings {
  /** The name of the profile. */
  readonly profile: Effective<string>;
  readonly baseUrl: Effective<string>;
  readonly key: Effective<KeySource>;
  readonly account: Effective<string>;
  /** The name of the header that carries the account. */
  readonly accountHeader: Effective<string>;
  /** Not yet checked: see web-url.ts. */
  readonly webUrl: Effective<string>;
  readonly journal: Effective<string>;
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

/** The default name of the account header (spec 4.1, 5.2). */
export const defaultAccountHeader = "x-service-account";

/**
 * Applies precedence to all settings together. With `alwaysReadProfile`, it reads the profile even if flags and
 * environment set everything, to list the overridden values. Throws a `Failure` "usage" for an unknown profile.
 */
export async function applyPrecedence(
  sources: SettingsSources,
  { alwaysReadProfile = false }: { readonly alwaysReadProfile?: boolean } = {},
): Promise<EffectiveSettings> {
  const { env, flags } = sources;
  const fromEnv = (setting: keyof typeof environmentVariables): Setting<string> | undefined => {
    const origin = environmentVariables[setting];
    const value = ownValue(env, origin)?.trim();
    return value ? { value, origin } : undefined;
  };
  const envUrl = fromEnv("baseUrl");
  const envAccount = fromEnv("account");
  const envHeader = fromEnv("accountHeader");
  const envConfirm = oneOf(consentModes, fromEnv("confirm"));
  const envCommand = fromEnv("apiKeyCommand");
  const envFile = fromEnv("apiKeyFile");
  const envKey = fromEnv("apiKey");
  // The key as it is: its check tells of the spaces around it.
  const typed = ownValue(env, environmentVariables.apiKey) ?? "";
  const envKeys = present<KeySource>([
    envKey && withValue(envKey, { kind: "value", key: typed }),
    envFile && withValue(envFile, { kind: "file", file: sources.resolvePath(envFile.value) }),
    envCommand && withValue(envCommand, { kind: "command", command: parseWords(envCommand) }),
  ]);
  const flagAccount = flags.account === undefined ? undefined : { value: flags.account, origin: "--account" };
  const flagProfile = flags.profile === undefined ? undefined : { value: flags.profile, origin: "--profile" };
  // Not of the group that --profile overrides: a rehearsal, or a run without the shared journal, sets it.
  const envJournal = fromEnv("journal");
  const envProfile = fromEnv("profile");

  // The project file is always read: a refused field is an error even if the environment sets everything.
  const project = await sources.readProjectSettings();
  const isEnvComplete =
    envUrl !== undefined && envKeys.length > 0 && (flagAccount ?? envAccount) !== undefined;
  const isProfileUnused = isEnvComplete && (flagProfile ?? envProfile) === undefined;
  const user = isProfileUnused && !alwaysReadProfile ? undefined : await sources.readUserSettings();
  const name = rank([flagProfile, envProfile, user?.defaultProfile, project?.profile]);
  const profile = name.setting && findProfile(user, name.setting, sources.userFile, isProfileUnused);
  const selectedProfile = isProfileUnused ? undefined : profile;

  // `--profile` overrides the environment's base URL and account, even for fields that the profile does not set.
  const isEnvOverridden = flagProfile !== undefined;
  const rankWithEnv = <T>(inEnv: Setting<T> | undefined, own: Setting<T> | undefined, flag?: Setting<T>) =>
    isEnvOverridden ? rank([flag, own], [inEnv]) : rank([flag, inEnv, own]);
  const baseUrl = rankWithEnv(envUrl, profile?.baseUrl);
  const account = rankWithEnv(envAccount, profile?.accountId, flagAccount);
  const key = isEnvOverridden ? rank([profile?.key, ...envKeys]) : rank([...envKeys, profile?.key]);

  // The account header applies only to the service of the profile.
  const isProfileService =
    selectedProfile?.baseUrl === undefined || sameUrl(selectedProfile.baseUrl, baseUrl.setting);
  const profileWebUrl = isProfileService && !isProfileUnused ? profile?.webUrl : undefined;
  const forService = <T>(setting: Setting<T> | undefined): Effective<T> =>
    isProfileService && !isProfileUnused ? rank([setting]) : rank([], [setting]);
  const rankHeader = async () => {
    const own = isProfileService && !isProfileUnused ? profile?.accountHeader : undefined;
    const inEnv = isEnvOverridden ? undefined : envHeader;
    const other = { value: defaultAccountHeader, origin: "default" };
    const inContract =
      inEnv === undefined && own === undefined ? await sources.readContractHeader() : undefined;
    return rank(
      [inEnv, own, inContract, other],
      [envHeader, profile?.accountHeader].filter((each) => each !== inEnv && each !== own),
    );
  };
  return {
    profile: isProfileUnused
      ? { setting: undefined, overridden: present([name.setting, ...name.overridden]) }
      : name,
    baseUrl,
    key,
    account,
    accountHeader: await rankHeader(),
    webUrl: rankWithEnv(fromEnv("webUrl"), profileWebUrl),
    journal: isProfileUnused ? rank([envJournal], [profile?.journal]) : rank([envJournal, profile?.journal]),
    confirm: rankConsent(forService(profile?.confirm).setting, [envConfirm, project?.confirm], env),
    selectedProfile,
  };
}

/** Takes the first candidate that is set. `ineligible` values are listed as overridden only. */
function rank<T>(
  candidates: readonly (Setting<T> | undefined)[],
  ineligible: readonly (Setting<T> | undefined)[] = [],
): Effective<T> {
  const [setting, ...overridden] = present(candidates);
  return { setting, overridden: [...overridden, ...present(ineligible)] };
}

function present<T>(candidates: readonly (Setting<T> | undefined)[]): Setting<T>[] {
  return candidates.filter((candidate) => candidate !== undefined);
}

/** Throws a `Failure` "usage" for another value. */
export function oneOf<T extends string>(
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
  settings: UserSettings | undefined,
  name: Setting<string>,
  userFile: string,
  isUnused: boolean,
): Profile | undefined {
  const profile = settings?.profiles.get(name.value);
  if (profile !== undefined || isUnused) return profile;
  const names = [...(settings?.profiles.keys() ?? [])].join(", ");
  throw new Failure("usage", `there is no profile "${name.value}" (named by ${name.origin})`, {
    hint: names === "" ? `add it under "profiles:" in ${userFile}` : `the profiles are: ${names}`,
  });
}

/** Spec 8. */
export const documentedRate: Setting<string> = { value: "600/60s", origin: "default" };

/** The rate of this process from each source, from the highest rank to the default. */
export function rateSettings(env: Readonly<Record<string, string | undefined>>): readonly Setting<string>[] {
  const variable = env[environmentVariables.rate];
  return [...(variable ? [{ value: variable, origin: environmentVariables.rate }] : []), documentedRate];
}
