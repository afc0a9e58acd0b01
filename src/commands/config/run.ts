// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid.
// It shows at most the last characters of a key. `incident config path`: the settings files.
import { defaultTimeout } from "../../api/connect.ts";
import { catchFailure, Failure } from "../../failure.ts";
import { defaultMaxRetries } from "../../http/retry.ts";
import type { Context, System } from "../../platform/context.ts";
import { safeLines } from "../../platform/terminal/safe-text.ts";
import type { SettingRow, ShownSetting } from "../../view/settings.ts";
import { type KeySource, maskKey, readKey } from "../../workspace/credentials.ts";
import { showJournal } from "../../workspace/journal-location.ts";
import { stateDirectories } from "../../workspace/locations.ts";
import { applyPrecedence, documentedRate, type Effective, rateSettings } from "../../workspace/precedence.ts";
import { checkServiceTarget, resolveJournal } from "../../workspace/resolve.ts";
import type { Setting } from "../../workspace/setting.ts";
import { checkWebUrl } from "../../workspace/web-url.ts";
import type { GlobalFlags, Run } from "../define-command.ts";

const formatVersion = 1;

export const show: Run = async (context, { global }) => {
  const { sources } = context.workspace;
  const effective = await applyPrecedence(sources, { alwaysReadProfile: true });
  const settings: SettingRow[] = [
    row("profile", effective.profile),
    row("baseUrl", effective.baseUrl),
    await keyRow(context, effective.key),
    row("accountId", effective.account),
    row("accountHeader", effective.accountHeader),
    row("clientIds", effective.clientIds, { value: "unknown", origin: "default" }),
    row("webUrl", effective.webUrl),
    row("journal", withoutPasswords(effective.journal), { value: "folder", origin: "default" }),
    row("journalNames", effective.journalNames, { value: "true", origin: "default" }),
    row("confirm", effective.confirm),
    row("stateDirectory", rank(...stateDirectories(context.system, global.stateDir))),
    ...requestSettings(context.system, global),
  ];
  const { setting: webUrl } = effective.webUrl;
  const checks = [
    () => checkServiceTarget(effective, sources),
    () => resolveJournal(effective),
    () => webUrl && checkWebUrl(webUrl),
  ];
  for (const check of checks) {
    const failure = catchFailure(check);
    if (failure !== undefined) context.warn(`${failure.message}; ${failure.hint}`);
  }
  return {
    data: { formatVersion, settings },
    page: async (style) =>
      (await import("../../view/settings.ts")).renderSettings(style, settings, context.system.home),
  };
};

export const path: Run = async (context) => {
  const { userFile } = context.workspace.sources;
  const exists = context.files.statSync(userFile, { throwIfNoEntry: false }) !== undefined;
  const projectFile = context.workspace.projectFile();
  if (!exists) context.info(`${userFile} does not exist yet; incident login creates it`);
  const files = [userFile, ...(projectFile === undefined ? [] : [projectFile])];
  return {
    data: { formatVersion, userFile, exists, projectFile: projectFile ?? null },
    page: (style) => safeLines(files.map((file) => style.line(file))),
  };
};

function row(name: string, { setting, overridden }: Effective<string>, fallback?: ShownSetting): SettingRow {
  if (setting === undefined) return { name, ...(fallback ?? { value: null, origin: null }), overridden };
  return { name, ...setting, overridden: fallback === undefined ? overridden : [...overridden, fallback] };
}

function withoutPasswords({ setting, overridden }: Effective<string>): Effective<string> {
  const show = (each: Setting<string>) => ({ ...each, value: showJournal(each.value) });
  return { setting: setting && show(setting), overridden: overridden.map(show) };
}

function rank<T>(setting: Setting<T>, ...overridden: Setting<T>[]): Effective<T> {
  return { setting, overridden };
}

function requestSettings(
  { env }: Pick<System, "env">,
  { maxRetries, rate, timeout }: GlobalFlags,
): SettingRow[] {
  const [rateSetting = documentedRate, ...overriddenRates] = rateSettings(env, rate);
  const number = <T>(flag: string, value: T | undefined, fallback: T, show: (value: T) => string) => {
    const byDefault = { value: show(fallback), origin: "default" };
    return value === undefined ? rank(byDefault) : rank({ value: show(value), origin: flag }, byDefault);
  };
  return [
    row(
      "timeout",
      number("--timeout", timeout, defaultTimeout, (value) => `${value / 1000}s`),
    ),
    row("maxRetries", number("--max-retries", maxRetries, defaultMaxRetries, String)),
    row("rate", rank(rateSetting, ...overriddenRates)),
  ];
}

async function keyRow(
  context: Context,
  { setting: effective, overridden }: Effective<KeySource>,
): Promise<SettingRow> {
  const shown = async (setting: Setting<KeySource>) => ({
    value: await showKey(context, setting),
    origin: setting.origin,
  });
  return {
    name: "apiKey",
    ...(effective === undefined ? { value: null, origin: null } : await shown(effective)),
    overridden: await Promise.all(overridden.map(shown)),
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
