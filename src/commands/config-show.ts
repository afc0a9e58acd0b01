// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid,
// and the paths of the settings files. It shows at most the last characters of a key.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catchFailure, Failure } from "../failure.ts";
import { defineCommand, type Run } from "../kit/define-command.ts";
import type { Context } from "../platform/context.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { shellWord } from "../text/advice.ts";
import type { Style } from "../view/terminal/style.ts";
import { renderTable } from "../view/terminal/table.ts";
import { type KeySource, maskKey, readKey } from "../workspace/credentials.ts";
import { type JournalSettings, showJournal } from "../workspace/journal-location.ts";
import { checkServiceTarget, resolveJournal } from "../workspace/resolve.ts";
import type { Setting } from "../workspace/setting.ts";
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

type FileLine = readonly [name: string, path: string | null, note: string];

export const run: Run<typeof spec> = async (context) => {
  const { files, workspace } = context;
  const { sources, stateDirectory } = workspace;
  const effective = await workspace.settings();
  const { selectedProfile: _, ...rows } = effective;
  const lines: SettingLine[] = [];
  for (const [name, { setting, overridden }] of Object.entries(rows)) {
    const values = [setting, ...overridden].map((each) => showValue(context, name, each));
    const [first, ...others] = await Promise.all(values);
    lines.push({ name, ...(first ?? unset), overridden: others });
  }
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
  const isThere = (path: string) => files.statSync(path, { throwIfNoEntry: false }) !== undefined;
  const { userFile } = sources;
  const exists = isThere(userFile);
  const projectFile = workspace.projectFile() ?? null;
  const journal = join(stateDirectory.value, "journal");
  const made = isThere(journal) ? "" : "does not exist yet; the first create makes it";
  const fileLines: readonly FileLine[] = [
    ...(effective.journal.setting.value === "folder" ? [["journal's folder", journal, made] as const] : []),
    ["your file", userFile, exists ? "" : "does not exist yet; incident login creates it"],
    ["project's file", projectFile, ""],
  ];
  return {
    is: "page",
    data: { formatVersion, settings: lines, userFile, exists, projectFile },
    page: (style) => renderSettings(style, lines, fileLines, context.system.home),
  };
};

const unset: ShownValue = { value: null, origin: null };

async function showValue(
  context: Context,
  name: string,
  setting: Setting<unknown> | undefined,
): Promise<ShownValue> {
  if (setting === undefined) return unset;
  const { origin, value } = setting;
  if (name === "apiKey") return { value: await withoutKey(context, setting as Setting<KeySource>), origin };
  return { value: name === "journal" ? showJournal(String(value)) : String(value), origin };
}

/** Does not run a key command, which may ask the person, and hides its arguments, which may be secret. */
async function withoutKey(context: Context, setting: Setting<KeySource>): Promise<string> {
  const { value: source } = setting;
  if (source.kind === "command") return `what ${source.command[0]} prints`;
  if (source.kind === "value") return maskKey(source.key);
  try {
    return `${maskKey((await readKey(context, setting)).value)} in ${source.file}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `not usable: ${error.message}`;
  }
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

/** Shortens paths below `home` to `~`. Leaves out an overridden value that is the same. */
function renderSettings(
  style: Style,
  lines: readonly SettingLine[],
  files: readonly FileLine[],
  home: string,
): SafeText {
  const show = (text: string | null) => style.line((text ?? "").replaceAll(`${home}/`, "~/"));
  const orUnset = (value: string | null) => (value === null ? style.color.dim("not set") : show(value));
  const rows = lines.flatMap(({ name, value, origin, overridden }) => [
    [style.line(name), orUnset(value), show(origin)],
    ...overridden
      .filter((other) => other.value !== value)
      .map((other) => [
        safe``,
        style.color.dim(safe`instead of ${show(other.value)}`),
        style.color.dim(show(other.origin)),
      ]),
  ]);
  const fileRows = files.map(([name, path, note]) => [style.line(name), orUnset(path), style.line(note)]);
  return renderTable(style, ["SETTING", "VALUE", "FROM"], [...rows, ...fileRows]);
}
