// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the journal.
import { join } from "node:path";
import { checkState } from "../../journal/check-state.ts";
import { openPrivateFolder } from "../../journal/folder/private-files.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Files } from "../../platform/context.ts";
import { statIfThere } from "../../platform/repository.ts";
import { advise, argv } from "../../text/advice.ts";
import { describeUnknownVariable, findUnknownVariables } from "../../workspace/settings.ts";
import { checkJournal } from "./check-journal.ts";
import { attempt, type Finding, note, ok, skipped, wrong } from "./finding.ts";

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = "v20.18.1";

type Found = Finding | readonly Finding[];
type Check = (context: RunContext, global: GlobalFlags) => Found | Promise<Found>;

export async function checkMachine(context: RunContext, global: GlobalFlags): Promise<Finding[]> {
  const checks = {
    "Node.js": checkNode,
    variables: checkVariables,
    "settings file": checkUserFile,
    "project file": checkProjectFile,
    "state directory": checkStateDirectory,
    journal: checkJournal,
    confirmation: checkConfirmation,
  } satisfies Record<string, Check>;
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const result = await attempt(check, () => run(context, global));
    findings.push(...[result.ok ? result.value : result.finding].flat());
  }
  return findings;
}

function checkNode({ system: { nodeVersion } }: RunContext): Finding {
  const isOld = nodeVersion.localeCompare(oldestNode, "en", { numeric: true }) < 0;
  if (!isOld) return ok("Node.js", nodeVersion);
  return wrong("Node.js", "usage", `${nodeVersion} is older than ${oldestNode}`, "install a newer Node.js");
}

async function checkVariables({ system }: RunContext): Promise<Finding[]> {
  const problems = await Promise.all(findUnknownVariables(system.env).map(describeUnknownVariable));
  return problems.map((problem) => wrong("variables", "usage", problem, "correct its name, or remove it"));
}

async function checkUserFile({ files, workspace }: RunContext): Promise<Finding> {
  const file = workspace.sources.userFile;
  const settings = await workspace.profiles();
  const stat = statIfThere(files, file);
  if (stat === undefined) {
    const hint = advise`${argv`incident login`} creates it; environment variables can hold every setting as well`;
    return note("settings file", `${file} does not exist`, hint);
  }
  const mode = (stat.mode & 0o777).toString(8).padStart(3, "0");
  const names = [...(settings?.profiles.keys() ?? [])];
  return ok("settings file", `${file}, mode ${mode}, profiles: ${names.join(", ") || "none"}`);
}

async function checkProjectFile({ workspace }: RunContext, { noProject }: GlobalFlags): Promise<Finding> {
  if (noProject) return skipped("project file", "left out by --no-project");
  await workspace.project();
  return ok("project file", workspace.projectFile() ?? "none here");
}

async function checkConfirmation({ workspace }: RunContext): Promise<Found> {
  const { origin, value } = (await workspace.settings()).confirm.setting;
  if (value === "never") return [];
  const which = value === "always" ? "each create" : "a create that notifies";
  return ok("confirmation", `${which} needs --confirm where nobody can be asked (${origin})`);
}

/** Writes, links and removes a file, as a create does. */
async function checkStateDirectory(context: RunContext): Promise<Found> {
  const { value: folder, origin } = context.workspace.stateDirectory;
  await checkState(context, folder);
  const place = openPrivateFolder(context, folder, folder);
  const probe = `doctor-${context.system.random.guid()}`;
  place.write("written by incident doctor\n", (temporary) => place.link(temporary, join(folder, probe)));
  place.remove(probe);
  const written = ok("state directory", `${folder} (${origin}) can be written`);
  const network = networkFileSystem(context.files, folder);
  if (network === undefined) return written;
  const hint =
    "after a lost answer, a create can end with exit code 8 although nothing was sent; name a folder on a local disk with INCIDENT_CLI_STATE_DIR, or a journal that machines share, such as INCIDENT_CLI_JOURNAL=git:";
  return [written, note("state directory", `${folder} is on a network (${network})`, hint)];
}

/** The types of file systems that Linux gives, as in statfs(2). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "SMB"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
]);

/** The name of the network file system of an existing folder; undefined for a local one, or where no one can tell. */
export function networkFileSystem(files: Pick<Files, "statfsSync">, folder: string): string | undefined {
  // On Windows, the path of a share.
  if (/^[\\/]{2}[^\\/]/.test(folder)) return "SMB";
  try {
    // The type is a signed number on some systems.
    return networkTypes.get(files.statfsSync(folder).type >>> 0);
  } catch {
    return undefined;
  }
}
