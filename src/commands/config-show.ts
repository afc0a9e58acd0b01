// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid,
// and the paths of the settings files. It shows at most the last characters of a key.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultTimeout } from "../api/connect.ts";
import { catchFailure, Failure } from "../failure.ts";
import { defineCommand, type Run } from "../kit/define-command.ts";
import type { Context } from "../platform/context.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { shellWord } from "../text/advice.ts";
import type { Style } from "../view/terminal/style.ts";
import { renderTable } from "../view/terminal/table.ts";
import { type KeySource, maskKey, readKey } from "../workspace/credentials.ts";
import { type JournalSettings, showJournal } from "../workspace/journal-location.ts";
import { stateDirectories, stateDirectory } from "../workspace/locations.ts";
import { type Effective, type EffectiveSettings, rateSettings } from "../workspace/precedence.ts";
import { checkServiceTarget, resolveJournal } from "../workspace/resolve.ts";
import { type Setting, withValue } from "../workspace/setting.ts";
import { type ShownSetting, settings } from "../workspace/settings.ts";
import { checkWebUrl } from "../workspace/web-url.ts";

export const spec = defineCommand({
  name: "config show",
  flags: {},
  result: "page",
  examples: {
    "incident config show": "what a command would use here",
    "incident config show --profile staging": "and with this profile",
  },
  notes: "A key is shown by its last four characters, and its command is not run.",
});

const formatVersion = 1;

interface ShownValue {
  readonly value: string | null;
  readonly origin: string | null;
}

interface SettingLine extends ShownValue {
  readonly name: string;
  readonly overridden: readonly ShownValue[];
}

export const run: Run<typeof spec> = async (context, { global }) => {
  const { sources } = context.workspace;
  const effective = await context.workspace.settings();
  const { accountId, apiKey, baseUrl, profile } = effective;
  const shownKey = {
    setting: apiKey.setting && (await withoutKey(context, apiKey.setting)),
    overridden: await Promise.all(apiKey.overridden.map((key) => withoutKey(context, key))),
  };
  const byDefault = { value: inSeconds(defaultTimeout), origin: "default" };
  const own = global.timeout && { value: inSeconds(global.timeout), origin: settings.timeout.flag };
  const shown: Record<ShownSetting, Effective<string>> = {
    profile,
    baseUrl,
    apiKey: shownKey,
    accountId,
    accountHeader: effective.accountHeader,
    webUrl: effective.webUrl,
    journal: withoutPasswords(effective.journal),
    confirm: effective.confirm,
    stateDirectory: inOrder(stateDirectories(context.system)),
    timeout: inOrder(own ? [own, byDefault] : [byDefault]),
    rate: inOrder(rateSettings(context.system.env)),
  };
  const lines = Object.entries(shown).map(([name, { setting, overridden }]): SettingLine => {
    return { name, ...plain(setting), overridden: overridden.map(plain) };
  });
  const { setting: webUrl } = effective.webUrl;
  const checks = [
    () => checkServiceTarget(effective, sources),
    () => checkRepository(context, resolveJournal(effective)),
    () => webUrl && checkWebUrl(webUrl),
  ];
  for (const check of checks) {
    const failure = catchFailure(check);
    if (failure !== undefined) context.warn(`${failure.message}; ${failure.hint}`);
  }
  const { userFile } = context.workspace.sources;
  const exists = context.files.statSync(userFile, { throwIfNoEntry: false }) !== undefined;
  const projectFile = context.workspace.projectFile() ?? null;
  const files = [
    ...journalRows(context, effective),
    ["your file", userFile, exists ? "" : "does not exist yet; incident login creates it"],
    ["project's file", projectFile, ""],
  ] as const;
  return {
    is: "page",
    data: { formatVersion, settings: lines, userFile, exists, projectFile },
    page: (style) => renderSettings(style, lines, files, context.system.home),
  };
};

const inSeconds = (time: number) => `${time / 1000}s`;

/** An origin can be a getter. */
const plain = (setting: Setting<string> | undefined): ShownValue => ({
  value: setting?.value ?? null,
  origin: setting?.origin ?? null,
});

const inOrder = ([setting, ...overridden]: readonly Setting<string>[]) => ({ setting, overridden });

function withoutPasswords({ setting, overridden }: Effective<string>): Effective<string> {
  const hide = (each: Setting<string>) => withValue(each, showJournal(each.value));
  return { setting: setting && hide(setting), overridden: overridden.map(hide) };
}

/** The folder of the journal of this machine. */
function journalRows({ files, system }: Context, { journal }: EffectiveSettings) {
  if (journal.setting.value !== "folder") return [];
  const folder = join(stateDirectory(system).value, "journal");
  const isThere = files.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return [
    ["journal's folder", folder, isThere ? "" : "does not exist yet; the first create makes it"] as const,
  ];
}

/** Throws a `Failure` "usage" where the journal is in a repository on this machine that does not exist. */
function checkRepository({ files }: Context, { location: { origin, value } }: JournalSettings): void {
  if (value.kind !== "git" || !value.url?.startsWith("file://")) return;
  const path = fileURLToPath(value.url);
  if (files.statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  throw new Failure("usage", `the journal from ${origin} names ${path}, which does not exist`, {
    hint: `make it with git init --bare ${shellWord(path)}`,
  });
}

/** Does not run a key command, which may ask the person, and hides its arguments, which may be secret. */
async function withoutKey(context: Context, setting: Setting<KeySource>): Promise<Setting<string>> {
  const { origin, value: source } = setting;
  if (source.kind === "command") return { value: `what ${source.command[0]} prints`, origin };
  if (source.kind === "value") return { value: maskKey(source.key), origin };
  try {
    return { value: `${maskKey((await readKey(context, setting)).value)} in ${source.file}`, origin };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { value: `not usable: ${error.message}`, origin };
  }
}

/** Shortens paths below `home` to `~`. Leaves out an overridden value that is the same. */
function renderSettings(
  style: Style,
  lines: readonly SettingLine[],
  files: readonly (readonly [name: string, path: string | null, note: string])[],
  home: string,
): SafeText {
  const show = (text: string | null) => style.line((text ?? "").replaceAll(`${home}/`, "~/"));
  const showValue = (value: string | null) => (value === null ? style.color.dim("not set") : show(value));
  const rows = lines.flatMap(({ name, value, origin, overridden }) => [
    [style.line(name), showValue(value), show(origin)],
    ...overridden
      .filter((other) => other.value !== value)
      .map((other) => [
        safe``,
        style.color.dim(safe`instead of ${show(other.value)}`),
        style.color.dim(show(other.origin)),
      ]),
  ]);
  const fileRows = files.map(([name, path, note]) => [style.line(name), showValue(path), style.line(note)]);
  return renderTable(style, ["SETTING", "VALUE", "FROM"], [...rows, ...fileRows]);
}
