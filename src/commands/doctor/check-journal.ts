// The checks of `incident doctor` on the journal: whether it can be used, and the unsettled creates.
import { describeOperation } from "../../delivery/failures.ts";
import { Failure } from "../../failure.ts";
import { checkExclusiveAppend } from "../../journal/fleet/check-exclusive-append.ts";
import { failureOfReading } from "../../journal/journal-errors.ts";
import { newest, unsettled } from "../../journal/model.ts";
import { openSequences } from "../../journal/open-sequences.ts";
import { openState } from "../../journal/open-state.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { branchRefs, defaultRefs, type JournalSettings } from "../../workspace/journal-location.ts";
import { type Finding, failed, ok, wrong } from "./finding.ts";

export async function checkJournal(context: RunContext): Promise<Finding[]> {
  const folder = context.workspace.stateDirectory.value;
  const settings = await context.workspace.journal();
  const shared = await checkSharedJournal(context, folder, settings);
  const { journal } = await openState(context, folder, settings);
  const { broken, models } = await journal.models();
  const open = models.flatMap(unsettled);
  const unreadable = broken.map(({ failure }) => failed("journal", failure));
  if (open.length === 0 && unreadable.length === 0) {
    const { length } = models
      .flatMap((model) => [...newest(model)])
      .filter(({ change }) => change === undefined);
    return [...shared, ok("journal", `${countOf(length, "create")}, none with an unknown outcome`)];
  }
  const uncertain = open.map((log) =>
    wrong(
      "journal",
      "uncertain",
      `the outcome of ${log.change ? "" : "the create of "}${describeOperation(log)} at ${log.key.baseUrl} is not known`,
      advise`look for it with ${argv`incident journal settle ${log.key.id}`}`,
    ),
  );
  return [...shared, ...uncertain, ...unreadable];
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
    const one = await openSequences(context, folder, candidate);
    const other = await openSequences(context, folder, candidate);
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
  const written = `${settings.shown} (${origin}) can be written, and one of two writers wins`;
  return [ok("shared journal", written)];
}
