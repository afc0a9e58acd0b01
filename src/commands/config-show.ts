// `incident config show`: every setting, its origin and the values that it overrides, also where they are invalid,
// and the paths of the settings files. It shows at most the last characters of a key.
import { join } from "node:path";
import { catchFailure } from "../failure.ts";
import { defineCommand, type Run } from "../kit/define-command.ts";
import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "../view/terminal/style.ts";
import { renderTable } from "../view/terminal/table.ts";
import { type KeySource, maskKey } from "../workspace/credentials.ts";
import { showJournal } from "../workspace/journal-location.ts";
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
  notes:
    "A stored key is shown by its last four characters. A key file is not read, and a command is not run.",
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
  const lines = Object.entries(rows).map(([name, { setting, overridden }]): SettingLine => {
    return { name, ...showValue(name, setting), overridden: overridden.map((each) => showValue(name, each)) };
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

function showValue(name: string, setting: Setting<unknown> | undefined): ShownValue {
  if (setting === undefined) return { value: null, origin: null };
  const { origin, value } = setting;
  if (name === "apiKey") return { value: withoutKey(value as KeySource), origin };
  return { value: name === "journal" ? showJournal(String(value)) : String(value), origin };
}

/** The arguments of a command may be secret. */
function withoutKey(source: KeySource): string {
  if (source.kind === "command") return `what ${source.command[0]} prints`;
  return source.kind === "file" ? `in ${source.file}` : maskKey(source.key);
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
