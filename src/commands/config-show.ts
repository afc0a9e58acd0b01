// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid,
// and the paths of the settings files. It shows at most the last characters of a key.
import { defaultTimeout } from "../api/connect.ts";
import { catchFailure, Failure } from "../failure.ts";
import { defineCommand, type Run } from "../kit/define-command.ts";
import type { Context } from "../platform/context.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "../view/terminal/style.ts";
import { renderTable } from "../view/terminal/table.ts";
import { type KeySource, maskKey, readKey } from "../workspace/credentials.ts";
import { showJournal } from "../workspace/journal-location.ts";
import { stateDirectories } from "../workspace/locations.ts";
import { applyPrecedence, type Effective, rateSettings } from "../workspace/precedence.ts";
import { checkServiceTarget, resolveJournal } from "../workspace/resolve.ts";
import type { Setting } from "../workspace/setting.ts";
import { checkWebUrl } from "../workspace/web-url.ts";

export const spec = defineCommand({
  name: "config show",
  flags: {},
  outputs: ["table", "json"],
  examples: {
    "incident config show": "what a command would use here",
    "incident config show --profile staging": "and with this profile",
  },
  notes: "A key is shown by its last four characters, and its command is not run.",
});

const formatVersion = 1;

interface ShownSetting {
  readonly value: string | null;
  readonly origin: string | null;
}

interface SettingRow extends ShownSetting {
  readonly name: string;
  readonly overridden: readonly ShownSetting[];
}

export const run: Run<typeof spec> = async (context, { global }) => {
  const { sources } = context.workspace;
  const effective = await applyPrecedence(sources, { alwaysReadProfile: true });
  const { setting: key, overridden } = effective.key;
  const shownKey = {
    setting: key && (await withoutKey(context, key)),
    overridden: await Promise.all(overridden.map((other) => withoutKey(context, other))),
  };
  const ranked = {
    profile: rank(effective.profile),
    baseUrl: rank(effective.baseUrl),
    apiKey: rank(shownKey),
    accountId: rank(effective.account),
    accountHeader: rank(effective.accountHeader),
    webUrl: rank(effective.webUrl),
    journal: rank(effective.journal, byDefault("folder")).map(withoutPassword),
    confirm: rank(effective.confirm),
    stateDirectory: stateDirectories(context.system),
    timeout: fromFlag("--timeout", global.timeout, defaultTimeout, (time) => `${time / 1000}s`),
    rate: rateSettings(context.system.env),
  } satisfies Record<string, readonly ShownSetting[]>;
  // The first value is the effective one, and overrides the others.
  const settings = Object.entries(ranked).map(([name, [first = notSet, ...overridden]]): SettingRow => {
    return { name, ...first, overridden };
  });
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
  const { userFile } = context.workspace.sources;
  const exists = context.files.statSync(userFile, { throwIfNoEntry: false }) !== undefined;
  const projectFile = context.workspace.projectFile() ?? null;
  const files = [
    ["your file", userFile, exists ? "" : "does not exist yet; incident login creates it"],
    ["project's file", projectFile, ""],
  ] as const;
  return {
    data: { formatVersion, settings, userFile, exists, projectFile },
    page: (style) => renderSettings(style, settings, files, context.system.home),
  };
};

const notSet: ShownSetting = { value: null, origin: null };

const byDefault = (value: string): ShownSetting => ({ value, origin: "default" });

function rank(
  { setting, overridden }: Effective<string | boolean>,
  fallback?: ShownSetting,
): readonly ShownSetting[] {
  const others = overridden.map(shown);
  if (setting === undefined) return [fallback ?? notSet, ...others];
  return [shown(setting), ...others, ...(fallback === undefined ? [] : [fallback])];
}

function shown({ value, origin }: Setting<string | boolean>): ShownSetting {
  return { value: String(value), origin };
}

function fromFlag<T>(origin: string, value: T | undefined, fallback: T, show: (value: T) => string) {
  const own = value === undefined ? [] : [{ value: show(value), origin }];
  return [...own, byDefault(show(fallback))];
}

function withoutPassword({ value, origin }: ShownSetting): ShownSetting {
  return { value: value && showJournal(value), origin };
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
  settings: readonly SettingRow[],
  files: readonly (readonly [name: string, path: string | null, note: string])[],
  home: string,
): SafeText {
  const show = (text: string | null) => style.line((text ?? "").replaceAll(`${home}/`, "~/"));
  const showValue = (value: string | null) => (value === null ? style.color.dim("not set") : show(value));
  const rows = settings.flatMap(({ name, value, origin, overridden }) => [
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
  return renderTable(style, ["SETTING", "VALUE", "FROM"], [...rows, ...fileRows], { isText: true });
}
