// Where settings come from, put together: this context's environment, the flags, the user's file and the
// project's, each read only when it is asked for.
import { resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Context } from "../platform/context.ts";
import { shellWord } from "../platform/shell-quote.ts";
import type { SettingsSources } from "../settings/precedence.ts";
import { readPrivateFile } from "../settings/private-file.ts";
import type { UserSettings } from "../settings/profiles.ts";
import { findProjectFile } from "../settings/project.ts";
import type { ProjectSettings } from "../settings/project-settings.ts";
import { userSettingsFile } from "../settings/user-file.ts";

export interface SettingsFlags {
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
  /** The project's file is ignored, so that a broken one never stops an emergency. */
  readonly noProject?: boolean | undefined;
}

export function settingsSources(context: Context, flags: SettingsFlags): SettingsSources {
  return {
    env: context.env,
    flags,
    userFile: userSettingsFile(context),
    resolvePath: (path) => resolve(context.cwd, path),
    readUserSettings: () => readUserSettings(context),
    readProjectSettings: async () => (flags.noProject ? undefined : await readProjectSettings(context)),
  };
}

/** Undefined where there is no such file. Throws a `Failure` for one that is broken or open to others. */
export async function readUserSettings(context: Context): Promise<UserSettings | undefined> {
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
  return new Failure("credentials", `${file} ${problem}`, { hint: `run chmod 600 ${shellWord(file)}` });
}

/** As `readUserSettings`. What it may not hold is refused. */
export async function readProjectSettings(context: Context): Promise<ProjectSettings | undefined> {
  const file = findProjectFile(context);
  if (file === undefined) return undefined;
  const hint = "correct or remove it; for now, --no-project ignores it";
  // A link could have a stranger's file, or a secret, read as if it stood in the project.
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
