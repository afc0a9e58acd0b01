// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid.
// Of a key it shows at most the last characters. `incident config path`: the settings files.
import { defaultTimeout } from "../../api/connect.ts";
import { settingsSources } from "../../api/settings-files.ts";
import { Failure } from "../../failure.ts";
import { defaultMaxRetries } from "../../http/retry.ts";
import type { Context } from "../../platform/context.ts";
import { type KeySource, maskKey, readKey } from "../../settings/credentials.ts";
import { type Choice, chooseSettings, type Setting } from "../../settings/precedence.ts";
import { findProjectFile } from "../../settings/project.ts";
import { checkChoices } from "../../settings/resolve.ts";
import { stateDirectories } from "../../settings/state.ts";
import { userSettingsFile } from "../../settings/user-file.ts";
import type { SettingRow, ShownSetting } from "../../view/settings.ts";
import type { GlobalFlags, Run } from "../define-command.ts";

/** Version of the envelope that `-o json` prints. */
const formatVersion = 1;

export const show: Run = async (context, { global }) => {
  const sources = settingsSources(context, global);
  const choices = await chooseSettings(sources, true);
  const settings: SettingRow[] = [
    row("profile", choices.profile),
    row("baseUrl", choices.baseUrl),
    await keyRow(context, choices.key),
    row("accountId", choices.account),
    row("accountHeader", choices.accountHeader),
    row("clientIds", choices.clientIds, { value: "unknown", origin: "default" }),
    row("stateDirectory", choiceOf(...stateDirectories(context, global.stateDir))),
    ...requestSettings(global),
  ];
  const failure = catchFailure(() => checkChoices(choices, sources));
  if (failure !== undefined) context.warn(`${failure.message}; ${failure.hint}`);
  return {
    data: { formatVersion, settings },
    page: async (style) =>
      (await import("../../view/settings.ts")).renderSettings(style, settings, context.system.home),
  };
};

/** The user's file, then the project's, one per line. */
export const path: Run = async (context, { global }) => {
  const userFile = userSettingsFile(context);
  const exists = context.files.statSync(userFile, { throwIfNoEntry: false }) !== undefined;
  const projectFile = global.noProject ? undefined : findProjectFile(context);
  if (!exists) context.info(`${userFile} is not there yet; incident login makes it`);
  const files = [userFile, ...(projectFile === undefined ? [] : [projectFile])];
  return {
    data: { formatVersion, userFile, exists, projectFile: projectFile ?? null },
    page: (style) => files.map((file) => `${style.line(file)}\n`).join(""),
  };
};

function row(name: string, { chosen, overridden }: Choice<string>, fallback?: ShownSetting): SettingRow {
  if (chosen === undefined) return { name, ...(fallback ?? { value: null, origin: null }), overridden };
  return { name, ...chosen, overridden: fallback === undefined ? overridden : [...overridden, fallback] };
}

function choiceOf<T>(chosen: Setting<T>, ...overridden: Setting<T>[]): Choice<T> {
  return { chosen, overridden };
}

function requestSettings({ timeout, maxRetries }: GlobalFlags): SettingRow[] {
  const number = <T>(flag: string, given: T | undefined, fallback: T, show: (value: T) => string) => {
    const byDefault = { value: show(fallback), origin: "default" };
    return given === undefined
      ? choiceOf(byDefault)
      : choiceOf({ value: show(given), origin: flag }, byDefault);
  };
  return [
    row(
      "timeout",
      number("--timeout", timeout, defaultTimeout, (value) => `${value / 1000}s`),
    ),
    row("maxRetries", number("--max-retries", maxRetries, defaultMaxRetries, String)),
  ];
}

async function keyRow(context: Context, { chosen, overridden }: Choice<KeySource>): Promise<SettingRow> {
  const shown = async (setting: Setting<KeySource>) => ({
    value: await showKey(context, setting),
    origin: setting.origin,
  });
  const others: ShownSetting[] = [];
  for (const setting of overridden) others.push(await shown(setting));
  return {
    name: "apiKey",
    ...(chosen === undefined ? { value: null, origin: null } : await shown(chosen)),
    overridden: others,
  };
}

/** Does not run a key command, which may ask the person, and hides its arguments, which may be secret. */
async function showKey(context: Context, setting: Setting<KeySource>): Promise<string> {
  const source = setting.value;
  if (source.kind === "command") return `what ${source.command[0]} prints`;
  if (source.kind === "value") return maskKey(source.key);
  try {
    return `${maskKey((await readKey(context, setting)).value)} in ${source.file}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `not usable: ${error.message}`;
  }
}

function catchFailure(check: () => unknown): Failure | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
