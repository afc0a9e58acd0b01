// The sources of the settings: the environment, the flags, the user's file and the project's file. A file is read
// only when a setting needs it.
import { resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Context, System } from "../platform/context.ts";
import { quoted } from "../settings/credentials.ts";
import type { SettingsSources } from "../settings/precedence.ts";
import { readPrivateFile } from "../settings/private-file.ts";
import type { UserSettings } from "../settings/profiles.ts";
import { findProjectFile } from "../settings/project.ts";
import type { ProjectSettings } from "../settings/project-settings.ts";
import { userSettingsFile } from "../settings/user-file.ts";

export interface SettingsFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** Ignores the project's file, so that a broken one does not block an emergency. */
  readonly noProject?: boolean | undefined;
}

/** TRANSITION: the flat members are for src/settings until it takes groups. */
export type SettingsDeps = Pick<Context, "files" | "cwd" | "env" | "home" | "user"> & {
  readonly system: Pick<System, "cwd" | "env">;
};

export function settingsSources(context: SettingsDeps, flags: SettingsFlags): SettingsSources {
  return {
    env: context.system.env,
    flags,
    userFile: userSettingsFile(context),
    resolvePath: (path) => resolve(context.system.cwd, path),
    readUserSettings: () => readUserSettings(context),
    readProjectSettings: async () => (flags.noProject ? undefined : await readProjectSettings(context)),
  };
}

/** Undefined without such a file. Throws a `Failure` for a file that is broken or that others can access. */
export async function readUserSettings(context: SettingsDeps): Promise<UserSettings | undefined> {
  const file = userSettingsFile(context);
  const found = readPrivateFile(context, file, "usage");
  if (found === undefined) return undefined;
  if (found.isWritableByOthers) throw exposed(file, "can be changed by others");
  const { checkSettings, parseSettings } = await import("../source/parse-settings.ts");
  const { readProfiles, userSettingsSchema } = await import("../settings/profiles.ts");
  const document = parseSettings(found.text, file);
  if (document === undefined) return undefined;
  const settings = readProfiles(checkSettings(document, userSettingsSchema), document.locate, context);
  const holdsKey = [...settings.profiles.values()].some(({ key }) => key?.value.kind === "value");
  if (holdsKey && found.isReadableByOthers) throw exposed(file, "holds a key and can be read by others");
  return settings;
}

function exposed(file: string, problem: string): Failure {
  return new Failure("credentials", `${file} ${problem}`, { hint: `run chmod 600 ${quoted(file)}` });
}

/** As `readUserSettings`. Refuses the settings that a project must not set. */
export async function readProjectSettings(context: SettingsDeps): Promise<ProjectSettings | undefined> {
  const file = findProjectFile(context);
  if (file === undefined) return undefined;
  const hint = "correct or remove it; for now, --no-project ignores it";
  // A link could point to a secret or to another user's file, and errors would quote it.
  if (!context.files.lstatSync(file).isFile()) {
    throw new Failure("usage", `${file} is not a regular file`, { hint });
  }
  const { checkSettings, parseSettings } = await import("../source/parse-settings.ts");
  const settings = await import("../settings/project-settings.ts");
  const found = readPrivateFile(context, file, "usage");
  const document = found && parseSettings(found.text, file);
  if (document === undefined) return undefined;
  settings.refuseForeignFields(document.value, document.locate);
  return settings.readProjectSettings(
    checkSettings(document, settings.projectSettingsSchema),
    document.locate,
  );
}
