// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the journal.
import { describeOperation } from "../../delivery/failures.ts";
import { Failure } from "../../failure.ts";
import { checkState } from "../../journal/check-state.ts";
import { checkExclusiveAppend } from "../../journal/fleet/check-exclusive-append.ts";
import { openPrivateFolder } from "../../journal/folder/private-files.ts";
import { newest, unsettled } from "../../journal/model.ts";
import { openState } from "../../journal/open-journal.ts";
import { openSequences } from "../../journal/open-sequences.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Files } from "../../platform/context.ts";
import { statIfThere } from "../../platform/repository.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { branchRefs, defaultRefs, type JournalSettings } from "../../workspace/journal-location.ts";
import { describeUnknownVariable, findUnknownVariables } from "../../workspace/settings.ts";
import { type Check, type Facts, type Finding, failed, note, ok, skipped, wrong } from "./finding.ts";

export const machineChecks: readonly Check[] = [
  { name: "Node.js", find: findNode },
  { name: "variables", find: findVariables },
  { name: "settings file", find: findUserFile },
  { name: "project file", find: findProjectFile },
  { name: "state directory", find: findStateDirectory },
  { name: "journal", find: findJournal },
  { name: "confirmation", find: findConfirmation },
];

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = "v20.18.1";

function findNode({ system: { nodeVersion } }: RunContext): Finding {
  const isOld = nodeVersion.localeCompare(oldestNode, "en", { numeric: true }) < 0;
  if (!isOld) return ok("Node.js", nodeVersion);
  return wrong("Node.js", "usage", `${nodeVersion} is older than ${oldestNode}`, "install a newer Node.js");
}

async function findVariables({ system }: RunContext): Promise<Finding[]> {
  const problems = await Promise.all(findUnknownVariables(system.env).map(describeUnknownVariable));
  return problems.map((problem) => wrong("variables", "usage", problem, "correct its name, or remove it"));
}

async function findUserFile({ files, workspace }: RunContext): Promise<Finding> {
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

async function findProjectFile({ workspace }: RunContext, { global }: Facts): Promise<Finding> {
  if (global.noProject) return skipped("project file", "left out by --no-project");
  await workspace.project();
  return ok("project file", workspace.projectFile() ?? "none here");
}

/** Writes, links and removes a file, as a create does. */
async function findStateDirectory(context: RunContext): Promise<Finding[]> {
  const { value: folder, origin } = context.workspace.stateDirectory;
  await checkState(context, folder);
  const place = openPrivateFolder(context, folder);
  const probe = `doctor-${context.system.random.guid()}`;
  place.create(probe, "written by incident doctor\n");
  place.remove(probe);
  const written = ok("state directory", `${folder} (${origin}) can be written`);
  const network = networkFileSystem(context.files, folder);
  if (network === undefined) return [written];
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

async function findJournal(context: RunContext): Promise<Finding[]> {
  const folder = context.workspace.stateDirectory.value;
  const settings = await context.workspace.journal();
  const { location, shown } = settings;
  const isShared = location.value.kind !== "folder";
  if (isShared) await checkShared(context, folder, settings);
  const { journal } = await openState(context, folder, settings);
  const { broken, models } = await journal.models();
  const creates = models.flatMap((model) => [...newest(model)]).filter(({ change }) => change === undefined);
  const problems = [
    ...models.flatMap(unsettled).map((log) => {
      const operation = `${log.change ? "" : "the create of "}${describeOperation(log)}`;
      const message = `the outcome of ${operation} at ${log.key.baseUrl} is not known`;
      const hint = advise`look for it with ${argv`incident journal settle ${log.key.id}`}`;
      return wrong("journal", "uncertain", message, hint);
    }),
    ...broken.map((failure) => failed("journal", failure)),
  ];
  const written = `${shown} (${location.origin}) can be written, and one of two writers wins`;
  const none = ok("journal", `${countOf(creates.length, "create")}, none with an unknown outcome`);
  return [
    ...(isShared ? [ok("shared journal", written)] : []),
    ...(problems.length === 0 ? [none] : problems),
  ];
}

/** Throws a `Failure`, which names the branches of a repository where it accepts those alone. */
async function checkShared(context: RunContext, folder: string, settings: JournalSettings): Promise<void> {
  const { origin, value } = settings.location;
  const failureWith = async (candidate: JournalSettings): Promise<Failure | undefined> => {
    try {
      const open = () => openSequences(context, folder, candidate);
      await checkExclusiveAppend(await open(), await open(), context.system.random.guid());
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  };
  const failure = await failureWith(settings);
  if (failure === undefined) return;
  const isRefused = failure.kind === "usage" || failure.kind === "credentials";
  if (!isRefused || value.kind !== "git" || value.refs !== defaultRefs) throw failure;
  const inBranches = { ...settings, location: { value: { ...value, refs: branchRefs }, origin } };
  if ((await failureWith(inBranches)) !== undefined) throw failure;
  throw new Failure("usage", failure.message, {
    hint: `the repository accepts branches: keep the journal there with INCIDENT_CLI_JOURNAL=${settings.shown}#${branchRefs}`,
  });
}

async function findConfirmation({ workspace }: RunContext): Promise<Finding[]> {
  const { origin, value } = (await workspace.settings()).confirm.setting;
  if (value === "never") return [];
  const which = value === "always" ? "each create" : "a create that notifies";
  return [ok("confirmation", `${which} needs --confirm where nobody can be asked (${origin})`)];
}
