// `incident config show`: every setting and its origin, also where it is invalid, and of a key at most its last characters.
import { catchFailure } from "../failure.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { pageReport } from "../kit/report.ts";
import { isGuid } from "../rules/forms.ts";
import { renderTable } from "../view/terminal/table.ts";
import { type KeySource, maskKey } from "../workspace/credentials.ts";
import { parseJournalLocation, withoutLogin } from "../workspace/journal-location.ts";
import { checkServiceTarget } from "../workspace/resolve.ts";
import { checkWebUrl } from "../workspace/service-urls.ts";
import type { Setting } from "../workspace/settings.ts";

export const spec = {
  result: "page",
  examples: {
    "incident config show": "what a command would use here",
    "incident config show --profile staging": "and with this profile",
  },
  notes:
    "A stored key is shown by its last four characters. A key file is not read, and a command is not run.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const { system, workspace } = context;
  const { userFile } = workspace;
  const effective = await workspace.settings();
  const { selectedProfile: _, ...rows } = effective;
  const lines = Object.entries(rows).map(([name, setting]) => showSetting(name, setting));
  const checks = [
    () => checkServiceTarget(effective, system.env, userFile),
    () => parseJournalLocation(effective.journal),
    () => effective.webUrl && checkWebUrl(effective.webUrl),
  ];
  for (const check of checks) {
    const failure = catchFailure(check);
    if (failure !== undefined) context.warn(`${failure.message}; ${failure.hint}`);
  }
  const data = { settings: lines, userFile, projectFile: workspace.projectFile() ?? null };
  return pageReport(data, (style) => {
    const home = `${system.home}/`;
    // Inside an address, the same text is another path.
    const short = (text: string) => (text.startsWith(home) ? `~/${text.slice(home.length)}` : text);
    const show = (text: string | null) => style.line(short(text ?? ""));
    const rows = lines.map(({ name, value, origin }) => {
      return [style.line(name), value === null ? style.color.dim("not set") : show(value), show(origin)];
    });
    return renderTable(style, ["SETTING", "VALUE", "FROM"], rows);
  });
};

function showSetting(name: string, setting: Setting<unknown> | undefined) {
  if (setting === undefined) return { name, value: null, origin: null };
  const { origin, value } = setting;
  if (name === "apiKey") {
    const key = value as KeySource;
    // The arguments of a command may be secret.
    if (key.kind === "command") return { name, value: `what ${key.command[0]} prints`, origin };
    return { name, value: key.kind === "file" ? `in ${key.file}` : maskKey(key.key), origin };
  }
  // An account that is no GUID may be a key in the wrong place.
  if (name === "accountId" && value !== "none" && !isGuid(String(value)))
    return { name, value: maskKey(String(value)), origin };
  // A request reads the service's document; this command sends none.
  const from =
    name === "accountHeader" ? origin.replace(/^default$/, "$&, or the service's document") : origin;
  return { name, value: withoutLogin(String(value)), origin: from };
}
