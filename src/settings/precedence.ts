// Which of all the sources each setting is taken from, and what it overrode there: flag, environment, the chosen
// profile, the project's file, default. Nothing is judged here but which values belong together.
import { Failure } from "../failure.ts";
import type { KeySource } from "./credentials.ts";
import type { Profile, PromisedClientIds, UserSettings } from "./profiles.ts";
import type { ProjectSettings } from "./project-settings.ts";
import { variables } from "./variables.ts";

/** Where a value came from, as a person would look for it: a flag, a variable, `file:line`, or a default. */
export type Origin = string;

export interface Setting<T> {
  readonly value: T;
  readonly origin: Origin;
}

export interface Choice<T> {
  readonly chosen: Setting<T> | undefined;
  /** What would have been taken otherwise, the nearest first. */
  readonly overridden: readonly Setting<T>[];
}

export interface Choices {
  readonly profile: Choice<string>;
  readonly baseUrl: Choice<string>;
  readonly key: Choice<KeySource>;
  readonly account: Choice<string>;
  readonly accountHeader: Choice<string>;
  readonly clientIds: Choice<PromisedClientIds>;
  /** The chosen profile, where one takes part. */
  readonly selected: Profile | undefined;
}

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: { readonly profile?: string | undefined; readonly account?: string | undefined };
  /** The working directory, where a relative path of the environment starts. */
  readonly resolvePath: (path: string) => string;
  /** The user's file, if there is one; called only where the flags and the environment leave a need for it. */
  readonly readUserSettings: () => Promise<UserSettings | undefined>;
  /** The project's file, if there is one. */
  readonly readProjectSettings: () => Promise<ProjectSettings | undefined>;
  /** Where the user's file is, or would be. */
  readonly userFile: string;
}

/** The default name of the account header (spec 4.1, 5.2). */
export const defaultAccountHeader = "x-service-account";

/**
 * Chooses all settings together. With `thorough`, the profile is read even where nothing of it can be chosen, to
 * show what was overridden. Throws a `Failure` "usage" for a profile that is not there.
 */
export async function chooseSettings(sources: SettingsSources, thorough = false): Promise<Choices> {
  const { env, flags } = sources;
  const fromEnv = (name: string): Setting<string> | undefined => {
    const value = env[name];
    return value?.trim() ? { value, origin: name } : undefined;
  };
  const trimmed = (setting: Setting<string> | undefined) =>
    setting && { ...setting, value: setting.value.trim() };

  const envUrl = trimmed(fromEnv(variables.baseUrl));
  const envAccount = trimmed(fromEnv(variables.account));
  const envKeys = environmentKeys(fromEnv(variables.apiKey), trimmed(fromEnv(variables.apiKeyFile)), sources);
  const flagAccount = flags.account === undefined ? undefined : { value: flags.account, origin: "--account" };
  const flagProfile = flags.profile === undefined ? undefined : { value: flags.profile, origin: "--profile" };
  const envProfile = trimmed(fromEnv(variables.profile));

  // Read in any case: what a project file may not hold is refused, whatever the environment says.
  const project = await sources.readProjectSettings();
  const isEnvComplete =
    envUrl !== undefined && envKeys.length > 0 && (flagAccount ?? envAccount) !== undefined;
  const isIdle = isEnvComplete && (flagProfile ?? envProfile) === undefined;
  const user = isIdle && !thorough ? undefined : await sources.readUserSettings();
  const profile = choice([flagProfile, envProfile, user?.defaultProfile, project?.profile]);
  const found = profile.chosen && findProfile(user, profile.chosen, sources.userFile, isIdle);
  const selected = isIdle ? undefined : found;

  // `--profile` on the command line beats the whole environment group: what the profile has not is then not set.
  const isGroupBeaten = flagProfile !== undefined;
  const baseUrl = isGroupBeaten ? choice([found?.baseUrl], [envUrl]) : choice([envUrl, found?.baseUrl]);
  const account = isGroupBeaten
    ? choice([flagAccount, found?.accountId], [envAccount])
    : choice([flagAccount, envAccount, found?.accountId]);
  const key = isGroupBeaten ? choice([found?.key, ...envKeys]) : choice([...envKeys, found?.key]);

  // What is said of one service holds for no other.
  const isOfProfile = selected?.baseUrl === undefined || sameUrl(selected.baseUrl, baseUrl.chosen);
  const ofProfile = <T>(setting: Setting<T> | undefined, fallback?: Setting<T>): Choice<T> =>
    isOfProfile && !isIdle ? choice([setting, fallback]) : choice([fallback], [setting]);
  return {
    profile: isIdle
      ? { chosen: undefined, overridden: settingsOf([profile.chosen, ...profile.overridden]) }
      : profile,
    baseUrl,
    key,
    account,
    accountHeader: ofProfile(found?.accountHeader, { value: defaultAccountHeader, origin: "default" }),
    clientIds: ofProfile(found?.clientIds),
    selected,
  };
}

function choice<T>(
  candidates: readonly (Setting<T> | undefined)[],
  beaten: readonly (Setting<T> | undefined)[] = [],
): Choice<T> {
  const [chosen, ...overridden] = settingsOf(candidates);
  return { chosen, overridden: [...overridden, ...settingsOf(beaten)] };
}

function settingsOf<T>(candidates: readonly (Setting<T> | undefined)[]): Setting<T>[] {
  return candidates.filter((candidate) => candidate !== undefined);
}

function environmentKeys(
  key: Setting<string> | undefined,
  file: Setting<string> | undefined,
  { resolvePath }: SettingsSources,
): Setting<KeySource>[] {
  return settingsOf<KeySource>([
    key && { value: { kind: "value", key: key.value }, origin: key.origin },
    file && { value: { kind: "file", file: resolvePath(file.value) }, origin: file.origin },
  ]);
}

/** Whether two base URLs are the same but for a trailing slash. */
export function sameUrl(one: Setting<string> | undefined, other: Setting<string> | undefined): boolean {
  const plain = (setting: Setting<string> | undefined) => setting?.value.replace(/\/+$/, "");
  return plain(one) === plain(other);
}

function findProfile(
  settings: UserSettings | undefined,
  name: Setting<string>,
  userFile: string,
  isIdle: boolean,
): Profile | undefined {
  const profile = settings?.profiles.get(name.value);
  if (profile !== undefined || isIdle) return profile;
  const known = [...(settings?.profiles.keys() ?? [])].join(", ");
  throw new Failure("usage", `there is no profile "${name.value}" (named by ${name.origin})`, {
    hint: known === "" ? `add it under "profiles:" in ${userFile}` : `the profiles are: ${known}`,
  });
}
