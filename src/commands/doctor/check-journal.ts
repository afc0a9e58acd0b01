// The checks of `incident doctor` on the journal: whether it can be used, and the unsettled creates.
import { describeOperation } from "../../delivery/failures.ts";
import { Failure } from "../../failure.ts";
import { checkExclusiveAppend } from "../../journal/fleet/check-exclusive-append.ts";
import { failureOfReading } from "../../journal/journal-errors.ts";
import { openState } from "../../journal/open-state.ts";
import { openStore } from "../../journal/open-store.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { branchRefs, defaultRefs, type JournalSettings } from "../../workspace/journal-location.ts";
import { type Finding, failed, ok, wrong } from "./finding.ts";

/** The newest creates are read, and all without a known outcome. */
const newestChecked = 50;

export async function checkJournal(context: RunContext): Promise<Finding[]> {
  const folder = context.workspace.stateDirectory.value;
  const settings = await context.workspace.journal();
  const shared = await checkSharedJournal(context, folder, settings);
  const { journal } = await openState(context, folder, settings);
  // git keeps no order: the newest are found by fetching all.
  const limit = settings.location.value.kind === "git" ? 0 : newestChecked;
  const { broken, changes, isCut, logs } = await journal.list({ limit });
  const open = [...logs, ...changes].filter(({ uncertain }) => uncertain !== undefined);
  const unreadable = broken.map(({ failure }) => failed("journal", failure));
  if (open.length === 0 && unreadable.length === 0) {
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
  return [...shared, ...unsettled, ...unreadable];
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
  const written = `${settings.shown} (${origin}) can be written, and one of two writers wins`;
  return [ok("shared journal", written)];
}
