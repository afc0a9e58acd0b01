// Reads the settings of a run: environment, flags, the user's file and the project's file. It is in api because it
// joins settings (schemas and precedence) with source (YAML), which do not import each other.
import { resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { type JournalSettings, resolveJournal, secretsOf } from "./journal-location.ts";
import { findProjectFile, userSettingsFile } from "./locations.ts";
import { checkPlace, exposedFailure, foreignFailure } from "./own-place.ts";
import { applyPrecedence, type SettingsSources } from "./precedence.ts";
import { readPrivateFile } from "./private-file.ts";
import type { UserSettings } from "./profiles.ts";
import type { ProjectSettings } from "./project-settings.ts";
import { checkEndpoint } from "./resolve.ts";
import type { Setting } from "./setting.ts";

export interface SettingsFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** Ignores the project's file, so that a broken one never stops an emergency. */
  readonly noProject?: boolean | undefined;
}

export interface SettingsDeps {
  readonly files: Files;
  readonly system: Pick<System, "env" | "cwd" | "home" | "user">;
}

/** Reads each file only on demand. */
export function settingsSources(context: SettingsDeps, flags: SettingsFlags): SettingsSources {
  const { system } = context;
  return {
    env: system.env,
    flags,
    userFile: userSettingsFile(system),
    resolvePath: (path) => resolve(system.cwd, path),
    readUserSettings: () => readUserSettings(context),
    readProjectSettings: async () => (flags.noProject ? undefined : await readProjectSettings(context)),
  };
}

/** Where the journal is kept, for a command that needs no service. Throws a `Failure`. */
export async function readJournalSettings(
  context: SettingsDeps,
  flags: SettingsFlags,
): Promise<JournalSettings> {
  return resolveJournal(await applyPrecedence(settingsSources(context, flags)));
}

/** The services that the settings and the profiles name, to look for a create there first. */
export async function readKnownServices(
  context: SettingsDeps,
  flags: SettingsFlags,
): Promise<readonly { readonly baseUrl: string; readonly account: string | undefined }[]> {
  const effective = await applyPrecedence(settingsSources(context, flags));
  const profiles = [...((await readUserSettings(context))?.profiles.values() ?? [])];
  const named = [
    { baseUrl: effective.baseUrl.setting, account: effective.account.setting },
    ...profiles.map(({ accountId, baseUrl }) => ({ baseUrl, account: accountId })),
  ];
  return named.flatMap(({ account, baseUrl }) => readEndpoint(context, baseUrl, account));
}

/** A service and an account as the journal names them; none for settings that cannot be used, with which nothing was sent. */
export function readEndpoint(
  { system }: SettingsDeps,
  baseUrl: Setting<string> | undefined,
  account: Setting<string> | undefined,
): readonly { readonly baseUrl: string; readonly account: string | undefined }[] {
  if (account === undefined || baseUrl === undefined) return [];
  try {
    const endpoint = checkEndpoint({ account, baseUrl, accountHeader: undefined }, system.env);
    return [{ baseUrl: endpoint.baseUrl.value, account: endpoint.account.value?.toLowerCase() }];
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** Returns undefined if the file does not exist. Throws a `Failure` if it is invalid or open to other users. */
export async function readUserSettings(context: SettingsDeps): Promise<UserSettings | undefined> {
  const file = userSettingsFile(context.system);
  const found = readPrivateFile(context, file, "usage");
  if (found === undefined) return undefined;
  if (found.otherOwner !== undefined) throw foreignFailure(file, found.otherOwner);
  checkPlace(context, file);
  if (found.isWritableByOthers) throw exposedFailure(file, "can be changed by others");
  const { checkSettings, parseSettings } = await import("../source/parse-settings.ts");
  const { readProfiles } = await import("./profiles.ts");
  const { userSettingsRules } = await import("./settings-rules.ts");
  const document = parseSettings(found.text, file);
  if (document === undefined) return undefined;
  const settings = readProfiles(
    checkSettings(document, userSettingsRules),
    file,
    document.locate,
    context.system,
  );
  const holdsKey = [...settings.profiles.values()].some(
    ({ journal, key }) => key?.value.kind === "value" || secretsOf(journal?.value ?? "").length > 0,
  );
  if (holdsKey && found.isReadableByOthers) {
    throw exposedFailure(file, "holds a key and can be read by others");
  }
  return settings;
}

/** Returns undefined if there is no file. Throws a `Failure` if it is invalid or has a field that it must not have. */
export async function readProjectSettings(context: SettingsDeps): Promise<ProjectSettings | undefined> {
  const file = findProjectFile(context);
  if (file === undefined) return undefined;
  const hint = "correct or remove it; for now, --no-project ignores it";
  // A symbolic link could make a private file appear in an error message.
  if (!context.files.lstatSync(file).isFile()) {
    throw new Failure("usage", `${file} is not a regular file`, { hint });
  }
  const { checkSettings, parseSettings } = await import("../source/parse-settings.ts");
  const settings = await import("./project-settings.ts");
  const { projectSettingsRules } = await import("./settings-rules.ts");
  const found = readPrivateFile(context, file, "usage");
  const document = found && parseSettings(found.text, file);
  if (document === undefined) return undefined;
  settings.refuseUserOnlyFields(document.value, document.locate);
  return settings.readProjectSettings(
    checkSettings(document, projectSettingsRules, settings.projectExample),
    file,
    document.locate,
  );
}
