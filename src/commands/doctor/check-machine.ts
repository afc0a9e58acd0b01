// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the
// unsettled creates of the journal.
import { join } from "node:path";
import { describeOperation } from "../../delivery/delivery-failures.ts";
import { Failure } from "../../failure.ts";
import { checkState } from "../../journal/check-state.ts";
import { checkExclusiveAppend } from "../../journal/fleet/check-exclusive-append.ts";
import { openPrivateFolder } from "../../journal/folder/private-files.ts";
import { failureOfReading } from "../../journal/journal-errors.ts";
import { openState } from "../../journal/open-state.ts";
import { openStore } from "../../journal/open-store.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Context, Files, Reporter } from "../../platform/context.ts";
import { statIfThere } from "../../platform/repository.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { findUnknownVariables } from "../../workspace/environment-variables.ts";
import { branchRefs, defaultRefs, type JournalSettings } from "../../workspace/journal-location.ts";
import { describeUnknownVariable } from "../../workspace/unknown-variables.ts";
import { attempt, type Finding, failed, note, ok, skipped, wrong } from "./finding.ts";

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = "v20.18.1";

/** The newest creates are read, and all without a known outcome. */
const newestChecked = 50;

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

function checkNode({ system: { bunVersion, nodeVersion } }: RunContext): Finding {
  if (bunVersion !== undefined)
    return ok("Node.js", `not needed: this executable contains Bun ${bunVersion}`);
  const isOld = nodeVersion.localeCompare(oldestNode, "en", { numeric: true }) < 0;
  if (!isOld) return ok("Node.js", nodeVersion);
  return wrong("Node.js", "usage", `${nodeVersion} is older than ${oldestNode}`, "install a newer Node.js");
}

function checkVariables({ system }: RunContext): Finding[] {
  return findUnknownVariables(system.env).map((name) =>
    wrong("variables", "usage", describeUnknownVariable(name), "correct its name, or remove it"),
  );
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
    "after a lost answer, a create can end with exit code 8 although nothing was sent; name a folder on a local disk with --state-dir, or a journal that machines share, such as INCIDENT_CLI_JOURNAL=git:";
  return [written, note("state directory", `${folder} is on a network (${network})`, hint)];
}

async function checkJournal(context: RunContext): Promise<Finding[]> {
  const folder = context.workspace.stateDirectory.value;
  const settings = await context.workspace.journal();
  const shared = await checkSharedJournal(context, folder, settings);
  const { findLost, journal } = await openState(context, folder, settings);
  // git keeps no order: the newest are found by fetching all.
  const limit = settings.location.value.kind === "git" ? 0 : newestChecked;
  const { broken, changes, isCut, logs } = await journal.list({ limit });
  const open = [...logs, ...changes].filter(({ uncertain }) => uncertain !== undefined);
  const unreadable = broken.map(({ failure }) => failed("journal", failure));
  const lost = describeLost(await findLost(newestChecked));
  if (open.length === 0 && unreadable.length === 0 && lost.length === 0) {
    const creates = `${countOf(logs.length, "create")}${isCut ? " or more" : ""}, none`;
    return [...shared, ok("journal", `${limit === 0 ? "no create" : creates} with an unknown outcome`)];
  }
  const unsettled = open.map((log) =>
    wrong(
      "journal",
      "uncertain",
      `the outcome of ${log.change ? "" : "the create of "}${describeOperation(log)} at ${log.key.baseUrl} is not known`,
      advise`look for it with ${argv`incident journal settle ${log.key.id}`}`,
    ),
  );
  return [...shared, ...lost, ...unsettled, ...unreadable];
}

/** What this machine remembers and the shared journal lacks. */
function describeLost(failures: readonly Failure[]): Finding[] {
  const [first] = failures;
  if (first === undefined) return [];
  const more = failures.length === 1 ? "" : ` (and ${countOf(failures.length - 1, "other create")})`;
  return [
    wrong(
      "journal",
      "uncertain",
      first.message + more,
      advise`put back what this machine knows with ${argv`incident journal copy --to shared`}`,
    ),
  ];
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

/** A journal on this machine has no findings. Throws a `Failure`. */
async function checkSharedJournal(
  context: Context & Reporter,
  folder: string,
  settings: JournalSettings,
): Promise<Finding[]> {
  const { origin, value } = settings.location;
  if (value.kind === "folder") return [];
  const check = async (candidate: JournalSettings) => {
    const stores = [await openStore(context, folder, candidate), await openStore(context, folder, candidate)];
    const [one, other] = stores as [(typeof stores)[0], (typeof stores)[0]];
    try {
      await checkExclusiveAppend(one, other, context.system.random.guid());
    } catch (error) {
      throw error instanceof Failure ? failureOfReading(error) : error;
    }
  };
  try {
    await check(settings);
  } catch (error) {
    if (!(error instanceof Failure) || value.kind !== "git" || value.refs !== defaultRefs) throw error;
    if (error.kind !== "usage" && error.kind !== "credentials") throw error;
    const inBranches = { ...settings, location: { value: { ...value, refs: branchRefs }, origin } };
    try {
      await check(inBranches);
    } catch {
      throw error;
    }
    throw new Failure("usage", error.message, {
      hint: `the repository accepts branches: keep the journal there with INCIDENT_CLI_JOURNAL=${settings.shown}#${branchRefs}`,
    });
  }
  return [ok("shared journal", `${settings.shown} (${origin}) can be written, and one of two writers wins`)];
}
