// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the
// unsettled creates of the journal.
import { readProjectSettings, readUserSettings } from "../../api/settings-files.ts";
import { showState } from "../../delivery/journal/events.ts";
import { createFolderStore } from "../../delivery/journal/folder-store.ts";
import { openState } from "../../delivery/journal/open-state.ts";
import type { Context, System } from "../../platform/context.ts";
import { findProjectFile } from "../../settings/project.ts";
import { stateDirectory } from "../../settings/state.ts";
import { userSettingsFile } from "../../settings/user-file.ts";
import type { GlobalFlags } from "../define-command.ts";
import { attempt, type Finding, note, ok, skipped, wrong } from "./finding.ts";

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = [20, 18, 1] as const;

export async function checkMachine(context: Context, global: GlobalFlags): Promise<Finding[]> {
  const checks: Readonly<Record<string, () => Finding[] | Promise<Finding[]>>> = {
    "Node.js": () => checkNode(context.system),
    "settings file": () => checkUserFile(context),
    "project file": () => checkProjectFile(context, global),
    "state directory": () => checkStateDirectory(context, global),
    journal: () => checkJournal(context, global),
  };
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const result = await attempt(check, run);
    findings.push(...(result.ok ? result.value : [result.finding]));
  }
  return findings;
}

function checkNode({ nodeVersion }: Pick<System, "nodeVersion">): Finding[] {
  const numbers = nodeVersion.replace(/^v/, "").split(/[.-]/).map(Number);
  const differing = oldestNode.findIndex((number, index) => number !== numbers[index]);
  const isOld = differing !== -1 && (numbers[differing] ?? 0) < (oldestNode[differing] ?? 0);
  if (!isOld) return [ok("Node.js", nodeVersion)];
  const message = `${nodeVersion} is older than v${oldestNode.join(".")}`;
  return [wrong("Node.js", { kind: "usage", message, hint: "install a newer Node.js", diagnostics: [] })];
}

async function checkUserFile(context: Context): Promise<Finding[]> {
  const file = userSettingsFile(context);
  const settings = await readUserSettings(context);
  const stat = context.files.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) {
    return [
      note(
        "settings file",
        `there is no ${file}`,
        "nothing is wrong with that where the environment says everything; incident login makes one",
      ),
    ];
  }
  const mode = (stat.mode & 0o777).toString(8).padStart(3, "0");
  const names = [...(settings?.profiles.keys() ?? [])];
  return [ok("settings file", `${file}, mode ${mode}, profiles: ${names.join(", ") || "none"}`)];
}

async function checkProjectFile(context: Context, { noProject }: GlobalFlags): Promise<Finding[]> {
  if (noProject) return [skipped("project file", "left out by --no-project")];
  const file = findProjectFile(context);
  await readProjectSettings(context);
  return [ok("project file", file ?? "none here")];
}

/** Writes and removes a file, as a create does. */
function checkStateDirectory(context: Context, { stateDir }: GlobalFlags): Finding[] {
  const { value: folder, origin } = stateDirectory(context, stateDir);
  const store = createFolderStore(context, folder);
  const name = `doctor-${context.system.random.guid()}`;
  store.put(name, "written by incident doctor\n");
  store.remove(name);
  return [ok("state directory", `${folder} (${origin}) can be written`)];
}

function checkJournal(context: Context, { stateDir }: GlobalFlags): Finding[] {
  const operations = openState(context, stateDirectory(context, stateDir).value).journal.list();
  const open = operations.filter((operation) => ["sending", "uncertain"].includes(showState(operation)));
  if (open.length === 0)
    return [
      ok(
        "journal",
        `${operations.length === 1 ? "1 create" : `${operations.length} creates`}, every one with a known outcome`,
      ),
    ];
  return open.map(({ key, content }) =>
    wrong("journal", {
      kind: "uncertain",
      message: `nobody knows what came of the create of "${content.body.name}" at ${key.baseUrl}`,
      hint: `look for it with incident journal settle ${key.id}`,
      diagnostics: [],
    }),
  );
}
