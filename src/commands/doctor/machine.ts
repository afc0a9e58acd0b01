// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the journal.
import { describeOperation } from "../../delivery/failures.ts";
import { Failure } from "../../failure.ts";
import { checkState } from "../../journal/check-state.ts";
import { checkAppend } from "../../journal/fleet/check-append.ts";
import { openPrivateFolder } from "../../journal/folder/private-files.ts";
import { newest, unsettled } from "../../journal/model.ts";
import { openState } from "../../journal/open-journal.ts";
import { openSequences } from "../../journal/open-sequences.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { branchRefs, defaultRefs } from "../../workspace/journal-location.ts";
import type { Attempt, Tell } from "./attempt.ts";

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = "v20.18.1";

export async function checkMachine(
  context: RunContext,
  global: GlobalFlags,
  attempt: Attempt,
): Promise<void> {
  const { system, workspace } = context;
  await attempt("Node.js", ({ ok, wrong }) => {
    const { nodeVersion } = system;
    const isOld = nodeVersion.localeCompare(oldestNode, "en", { numeric: true }) < 0;
    if (isOld) wrong("usage", `${nodeVersion} is older than ${oldestNode}`, "install a newer Node.js");
    else ok(nodeVersion);
  });
  await attempt("settings file", async ({ note, ok }) => {
    const file = workspace.sources.userFile;
    const settings = await workspace.profiles();
    const hint = advise`${argv`incident login`} creates it; environment variables can hold every setting as well`;
    if (settings === undefined) note(`${file} has no settings`, hint);
    else ok(`${file}, profiles: ${[...settings.profiles.keys()].join(", ") || "none"}`);
  });
  await attempt("project file", async ({ ok, skipped }) => {
    if (global.noProject) return skipped("left out by --no-project");
    await workspace.project();
    return ok(workspace.projectFile() ?? "none here");
  });
  // Writes, links and removes a file, as a create does.
  await attempt("state directory", async ({ ok }) => {
    const { value: folder, origin } = workspace.stateDirectory;
    await checkState(context, folder);
    const place = openPrivateFolder(context, folder);
    const probe = `doctor-${system.random.guid()}`;
    place.create(probe, "written by incident doctor\n");
    place.remove(probe);
    ok(`${folder} (${origin}) can be written`);
  });
  await attempt("journal", (tell) => checkJournal(context, tell));
}

async function checkJournal(context: RunContext, { failed, ok, wrong }: Tell): Promise<void> {
  const folder = context.workspace.stateDirectory.value;
  const settings = await context.workspace.journal();
  const { location, shown } = settings;
  if (location.value.kind !== "folder") {
    try {
      await checkAppend(await openSequences(context, folder, settings), context.system.random.guid());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { value } = location;
      if (value.kind !== "git" || value.refs !== defaultRefs || error.kind === "unavailable") throw error;
      const inBranch = `where the host accepts branches alone, keep it in ${shown}#${branchRefs}`;
      throw error.with({ hint: advise`${error.details.hint}; ${inBranch}` });
    }
    ok(`${shown} (${location.origin}) can be written`);
  }
  const { journal } = await openState(context, folder, settings);
  const { broken, models } = await journal.models();
  for (const failure of broken) failed(failure);
  const uncertain = models.flatMap(unsettled);
  for (const log of uncertain) {
    const operation = `${log.change ? "" : "the create of "}${describeOperation(log)}`;
    const message = `the outcome of ${operation} at ${log.key.baseUrl} is not known`;
    wrong("uncertain", message, advise`look for it with ${argv`incident journal settle ${log.key.id}`}`);
  }
  if (broken.length > 0 || uncertain.length > 0) return;
  const creates = models.flatMap((model) => [...newest(model)]).filter(({ change }) => change === undefined);
  ok(`${countOf(creates.length, "create")}, none with an unknown outcome`);
}
