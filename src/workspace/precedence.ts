// Applies precedence to the sources of every setting: flag, environment, profile, project file, default. It decides
// which values belong together, and checks no value.
import { Failure } from "../failure.ts";
import { ownValue } from "../untrusted-data.ts";
import type { KeySource } from "./credentials.ts";
import type { ProjectSettings } from "./project-file.ts";
import { sameUrl } from "./service-urls.ts";
import {
  environmentVariables,
  type Setting,
  type SettingWithVariable,
  type ShownSetting,
  settingRows,
  settings,
} from "./settings.ts";
import type { Profile, UserSettings } from "./user-file.ts";

type TextName = Exclude<ShownSetting, "apiKey" | "journal">;

/** In the order of `config show`. Not yet checked. */
export interface EffectiveSettings extends Readonly<Record<TextName, Setting<string> | undefined>> {
  readonly apiKey: Setting<KeySource> | undefined;
  readonly journal: Setting<string>;
  /** The profile in use; undefined if flags and environment set everything. */
  readonly selectedProfile: Profile | undefined;
}

export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: { readonly [N in ShownSetting]?: string | undefined };
  readonly stateDirectory: Setting<string>;
  /** Resolves a relative path of the environment against the working directory. */
  readonly resolvePath: (path: string) => string;
  /** Reads the user's file, if there is one. Called only if flags and environment do not set everything. */
  readonly readUserSettings: () => Promise<UserSettings | undefined>;
  readonly readProjectSettings: () => Promise<ProjectSettings>;
  readonly readContractHeader: () => Promise<Setting<string> | undefined>;
  readonly userFile: string;
}

/** Applies precedence to all settings together. Throws a `Failure` "usage" for an unknown profile. */
export async function applyPrecedence(sources: SettingsSources): Promise<EffectiveSettings> {
  const { env, flags, userFile } = sources;
  const key = keyIn(sources);
  // The project file is always read: a refused field is an error even if the environment sets everything.
  const project = await sources.readProjectSettings();
  const named = readFlag(flags, "profile") ?? readVariable(env, "profile");
  // A service that the environment sets is used as it is, whatever the user's file says, or however it is broken.
  const isInEnv =
    named === undefined &&
    key !== undefined &&
    readVariable(env, "baseUrl") !== undefined &&
    (readFlag(flags, "accountId") ?? readVariable(env, "accountId")) !== undefined;
  const user = isInEnv ? undefined : await sources.readUserSettings();
  const profile = isInEnv ? undefined : (named ?? user?.defaultProfile ?? project.profile);
  const selectedProfile = profile && findProfile(user, profile, userFile);

  /** `own`: of the profile. With `--profile`, the variable of a setting that belongs to a service does not count. */
  const read = (row: ShownSetting, own?: Setting<string>): Setting<string> | undefined => {
    const { byDefault, of, variable } = settingRows[row] ?? {};
    const hasVariable = variable !== undefined && !(flags.profile !== undefined && of === "service");
    return (
      readFlag(flags, row) ??
      (hasVariable ? readVariable(env, row as SettingWithVariable) : undefined) ??
      own ??
      (byDefault === undefined ? undefined : { value: byDefault, origin: "default" })
    );
  };
  const baseUrl = read("baseUrl", selectedProfile?.baseUrl);
  const isOther = selectedProfile?.baseUrl !== undefined && !sameUrl(selectedProfile.baseUrl, baseUrl);
  /** The profile, unless it is about another service. */
  const own = isOther ? undefined : selectedProfile;
  const header = read("accountHeader", own?.accountHeader);
  const contract = header?.origin === "default" ? await sources.readContractHeader() : undefined;
  return {
    profile,
    baseUrl,
    apiKey: flags.profile === undefined ? (key ?? selectedProfile?.key) : (selectedProfile?.key ?? key),
    accountId: read("accountId", selectedProfile?.accountId),
    accountHeader: contract ?? header,
    webUrl: read("webUrl", own?.webUrl),
    journal: read("journal", selectedProfile?.journal) as Setting<string>,
    stateDirectory: sources.stateDirectory,
    timeout: read("timeout"),
    rate: read("rate"),
    selectedProfile,
  };
}

function readFlag(flags: SettingsSources["flags"], name: ShownSetting): Setting<string> | undefined {
  const value = ownValue<string | undefined>(flags, name);
  return value ? { value, origin: settingRows[name]?.flag ?? "" } : undefined;
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

/** The first of the variables of the key that is set. */
function keyIn({ env, resolvePath }: SettingsSources): Setting<KeySource> | undefined {
  const key = readVariable(env, "apiKey");
  // The key as it is: its check tells of the spaces around it.
  if (key !== undefined) return { ...key, value: { kind: "value", key: ownValue(env, key.origin) ?? "" } };
  const file = readVariable(env, "apiKeyFile");
  return file && { ...file, value: { kind: "file", file: resolvePath(file.value) } };
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
