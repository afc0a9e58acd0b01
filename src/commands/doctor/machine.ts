// The checks of `incident doctor` that need no service: Node.js, the settings files, the state directory and the journal.
import { describeOperation } from "../../delivery/failures.ts";
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
import { type Attempt, type Tell, tellFailure } from "./attempt.ts";

/** The oldest supported Node.js, as in the engines of package.json. */
const oldestNode = "v20.18.1";

export async function checkMachine(
  context: RunContext,
  global: GlobalFlags,
  attempt: Attempt,
): Promise<void> {
  const { system, workspace } = context;
  await attempt("Node.js", (tell) => {
    const { nodeVersion } = system;
    const isOld = nodeVersion.localeCompare(oldestNode, "en", { numeric: true }) < 0;
    if (isOld) tell("usage", `${nodeVersion} is older than ${oldestNode}`, "install a newer Node.js");
    else tell("ok", nodeVersion);
  });
  await attempt("settings file", async (tell) => {
    const file = workspace.sources.userFile;
    const settings = await workspace.profiles();
    const hint = advise`${argv`incident login`} creates it; environment variables can hold every setting as well`;
    if (settings === undefined) tell("note", `${file} has no settings`, hint);
    else tell("ok", `${file}, profiles: ${[...settings.profiles.keys()].join(", ") || "none"}`);
  });
  await attempt("project file", async (tell) => {
    await workspace.project();
    tell("ok", global.noProject ? "left out by --no-project" : (workspace.projectFile() ?? "none here"));
  });
  // Writes and removes a file, as a create does.
  await attempt("state directory", async (tell) => {
    const { value: folder, origin } = workspace.stateDirectory;
    await checkState(context, folder);
    const place = openPrivateFolder(context, folder);
    const probe = `doctor-${system.random.guid()}`;
    place.create(probe, "written by incident doctor\n");
    place.remove(probe);
    tell("ok", `${folder} (${origin}) can be written`);
  });
  await attempt("journal", (tell) => checkJournal(context, tell));
}

async function checkJournal({ workspace, ...context }: RunContext, tell: Tell): Promise<void> {
  const settings = await workspace.journal();
  const folder = workspace.stateDirectory.value;
  if (settings.location.value.kind !== "folder") {
    await checkAppend(await openSequences(context, folder, settings), context.system.random.guid());
    tell("ok", `${settings.shown} (${settings.location.origin}) can be written`);
  }
  const { journal } = await openState(context, folder, settings);
  const { broken, models } = await journal.models();
  for (const failure of broken) tellFailure(tell, failure);
  const uncertain = models.flatMap(unsettled);
  for (const log of uncertain) {
    const operation = `${log.change ? "" : "the create of "}${describeOperation(log)}`;
    const message = `the outcome of ${operation} at ${log.key.baseUrl} is not known`;
    tell("uncertain", message, advise`look for it with ${argv`incident journal settle ${log.key.id}`}`);
  }
  if (broken.length > 0 || uncertain.length > 0) return;
  const creates = models.flatMap((model) => [...newest(model)]).filter(({ change }) => change === undefined);
  tell("ok", `${countOf(creates.length, "create")}, none with an unknown outcome`);
}
