// Resolves the settings: precedence (flag, environment, profile, project file, default), then the checks of a service. Base
// URL, key and account are checked together, so that a key is only ever sent to the service that it belongs to.
import { resolve } from "node:path";
import type { Contract } from "../document/contract.ts";
import { Failure, ignoreFailure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { isGuid } from "../rules/forms.ts";
import { shell } from "../text/advice.ts";
import { listOf } from "../text/lengths.ts";
import { ownValue } from "../untrusted-data.ts";
import type { KeySource } from "./credentials.ts";
import type { Project } from "./project-file.ts";
import { checkBaseUrl, sameUrl } from "./service-urls.ts";
import {
  defaultAccountHeader,
  environmentVariables,
  type Setting,
  type SettingWithVariable,
  type ShownSetting,
  settings,
} from "./settings.ts";
import type { Profile, UserSettings } from "./user-file.ts";

type EffectiveSettings = Awaited<ReturnType<typeof applyPrecedence>>;

type Env = System["env"];

export interface WorkspaceFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** Ignores the project's file, so that a broken one never stops an emergency. */
  readonly noProject?: boolean | undefined;
  /** Goes on where the contract cannot be used. */
  readonly ignoreContract?: boolean | undefined;
}

interface WorkspaceParts {
  readonly flags: WorkspaceFlags;
  readonly userFile: string;
  readonly stateDirectory: Setting<string>;
  readonly project: () => Promise<Pick<Project, "settings">>;
  readonly profiles: () => Promise<UserSettings | undefined>;
  readonly contract: () => Promise<Contract | undefined>;
  readonly contractFile: () => { readonly name: string };
}

/** All settings, in the order of `config show`, and not yet checked. Throws a `Failure` "usage" for an unknown profile. */
export async function applyPrecedence(workspace: WorkspaceParts, { cwd, env }: Pick<System, "cwd" | "env">) {
  const { flags, userFile } = workspace;
  const readFlag = (value: string | undefined, origin: string): Setting<string> | undefined =>
    value ? { value, origin } : undefined;
  const account = readFlag(flags.account, settings.accountId.flag);
  const key = keyIn(env, cwd);
  // The project file is always read: a refused field is an error even if the environment sets everything.
  const project = (await workspace.project()).settings();
  const named = readFlag(flags.profile, settings.profile.flag) ?? readVariable(env, "profile");
  // A service that the environment sets is used as it is, whatever the user's file says, or however it is broken.
  const isInEnv =
    named === undefined &&
    key !== undefined &&
    readVariable(env, "baseUrl") !== undefined &&
    (account ?? readVariable(env, "accountId")) !== undefined;
  const user = isInEnv ? undefined : await workspace.profiles();
  const profile = isInEnv ? undefined : (named ?? user?.defaultProfile ?? project.profile);
  const selectedProfile = profile && findProfile(user, profile, userFile);

  /** Of a setting that belongs to a service: with `--profile`, its variable does not count. */
  const readOfService = (row: SettingWithVariable, inProfile: Setting<string> | undefined) =>
    (flags.profile === undefined ? readVariable(env, row) : undefined) ?? inProfile;
  const baseUrl = readOfService("baseUrl", selectedProfile?.baseUrl);
  const isOther = selectedProfile?.baseUrl !== undefined && !sameUrl(selectedProfile.baseUrl, baseUrl);
  /** The profile, unless it is about another service. */
  const own = isOther ? undefined : selectedProfile;
  const header = readOfService("accountHeader", own?.accountHeader);
  // A contract that cannot be used stops a request, and not a command that shows the settings.
  const contract = header === undefined ? await workspace.contract().catch(ignoreFailure) : undefined;
  const described = contract?.operations?.accountHeader;
  return {
    profile,
    baseUrl,
    apiKey: flags.profile === undefined ? (key ?? selectedProfile?.key) : (selectedProfile?.key ?? key),
    accountId: account ?? readOfService("accountId", selectedProfile?.accountId),
    accountHeader: described
      ? { value: described, origin: workspace.contractFile().name }
      : (header ?? defaultHeader),
    webUrl: readOfService("webUrl", own?.webUrl),
    journal: readVariable(env, "journal") ??
      selectedProfile?.journal ?? { value: "folder", origin: "default" },
    stateDirectory: workspace.stateDirectory,
    selectedProfile,
  } satisfies Record<ShownSetting | "selectedProfile", unknown>;
}

/** An empty variable counts as unset. */
export function readVariable(env: Env, name: SettingWithVariable): Setting<string> | undefined {
  const origin = environmentVariables[name];
  const value = ownValue(env, origin)?.trim();
  return value ? { value, origin } : undefined;
}

/** The first of the variables of the key that is set. */
function keyIn(env: Env, cwd: string): Setting<KeySource> | undefined {
  const key = readVariable(env, "apiKey");
  // The key as it is: its check tells of the spaces around it.
  if (key !== undefined) return { ...key, value: { kind: "value", key: ownValue(env, key.origin) ?? "" } };
  const file = readVariable(env, "apiKeyFile");
  return file && { ...file, value: { kind: "file", file: resolve(cwd, file.value) } };
}

function findProfile(user: UserSettings | undefined, name: Setting<string>, userFile: string): Profile {
  const profile = user?.profiles.get(name.value);
  if (profile !== undefined) return profile;
  const names = [...(user?.profiles.keys() ?? [])].join(", ");
  const add = `add it with ${shell`incident login --profile ${name.value}`}, or under "profiles:" in ${userFile}`;
  throw new Failure("usage", `there is no profile "${name.value}" (named by ${name.origin})`, {
    hint: names === "" ? add : `the profiles are: ${names}; or ${add}`,
  });
}

/** The settings of a service before the key is fetched. */
export type ServiceTarget = ReturnType<typeof checkServiceTarget>;

export interface ServiceSettings extends Omit<ServiceTarget, "key"> {
  readonly apiKey: Setting<string>;
}

/** Throws a `Failure` "usage" that names the setting to change and its place. */
export function checkServiceTarget(effective: EffectiveSettings, env: Env, userFile: string) {
  const { accountHeader, accountId: account, apiKey: key, baseUrl, webUrl } = effective;
  if (baseUrl === undefined || key === undefined || account === undefined)
    throw missingSettings(effective, userFile);
  checkKeyBelongs(effective.selectedProfile, baseUrl, key, env);
  // The key is fetched last, and the address of the web application is checked where a link needs it.
  return { ...checkEndpoint({ baseUrl, account, accountHeader }, env), key, webUrl };
}

/** Checks each setting on its own. Throws a `Failure` "usage". */
export function checkEndpoint(
  given: Readonly<Record<"account" | "baseUrl", Setting<string>>> & {
    readonly accountHeader?: Setting<string> | undefined;
  },
  env: Env,
) {
  const baseUrl = checkBaseUrl(given.baseUrl);
  checkPin(baseUrl, env[environmentVariables.sandboxPin]);
  return { baseUrl, account: checkAccount(given.account), accountHeader: checkHeader(given.accountHeader) };
}

/** A key is only sent to the base URL that it was given with: both are the profile's, or both are not. */
function checkKeyBelongs(
  profile: Profile | undefined,
  baseUrl: Setting<string>,
  key: Setting<KeySource>,
  env: Env,
): void {
  if (profile === undefined) return;
  const isOwnKey = key === profile.key;
  const isOwnUrl = baseUrl === profile.baseUrl;
  if (isOwnKey && sameUrl(profile.baseUrl, baseUrl)) return;
  // A key from elsewhere is for a profile without one, unless it was given with another base URL.
  const isAlone = profile.key === undefined && sameUrl(readVariable(env, "baseUrl") ?? baseUrl, baseUrl);
  if (!isOwnKey && (!isOwnUrl || isAlone)) return;
  const message = `the key from ${key.origin} is not sent to the base URL from ${baseUrl.origin}: they were not given together`;
  throw new Failure("usage", message, { hint: "take both from the environment, or both from one profile" });
}

const required = { baseUrl: "the base URL", apiKey: "the API key", accountId: "the account" } as const;

function missingSettings(effective: EffectiveSettings, userFile: string): Failure {
  const names = (["baseUrl", "apiKey", "accountId"] as const).filter((name) => effective[name] === undefined);
  const { profile } = effective;
  const place =
    profile === undefined
      ? `a profile in ${userFile} that --profile or defaultProfile: names`
      : `profile "${profile.value}" in ${userFile}`;
  // --profile takes the base URL and the account of the environment away.
  const isEnvOut = profile?.origin === "--profile";
  const set = isEnvOut ? "" : `${names.map((name) => environmentVariables[name]).join(", ")}, or `;
  const are = names.length === 1 ? "is" : "are";
  const problem = `${listOf(names.map((name) => required[name]))} ${are} not set`;
  return new Failure("usage", problem, {
    hint: `run incident login, or set ${set}${names.join(", ")} in ${place}; to try it without a service: incident sandbox -- sh`,
  });
}

/** Keeps a rehearsal from reaching production: while the pin is set, no other base URL is allowed. */
function checkPin(baseUrl: Setting<string>, pin: string | undefined): void {
  if (pin === undefined || pin === "" || pin.replace(/\/+$/, "") === baseUrl.value) return;
  const message = `this runs inside a sandbox (${environmentVariables.sandboxPin} is set), and ${baseUrl.origin} points elsewhere: ${baseUrl.value}`;
  throw new Failure("usage", message, {
    hint: "nothing was sent; take the profile or base URL out of the rehearsal, or run it outside",
  });
}

/** The message does not repeat the value, which is the key if the user mixed up key and account. */
function checkAccount(account: Setting<string>): Setting<string | undefined> {
  if (account.value === "none") return { ...account, value: undefined };
  if (isGuid(account.value)) return account;
  throw new Failure("usage", `the account from ${account.origin} is not a GUID`, {
    hint: "copy the account's identifier from the web application, or write none to send no account header",
  });
}

const defaultHeader: Setting<string> = { value: defaultAccountHeader, origin: "default" };

function checkHeader(header = defaultHeader): Setting<string> {
  if (/^[a-z0-9!#$%&'*+.^_`|~-]+$/i.test(header.value))
    return { ...header, value: header.value.toLowerCase() };
  throw new Failure("usage", `invalid header name (${header.origin})`, {
    hint: `write a name such as ${defaultAccountHeader}`,
  });
}
