// The check of `incident doctor` for a journal that several machines share: reachable, writable, and exclusive.

import { Failure } from "../../failure.ts";
import { checkExclusiveAppend } from "../../journal/fleet/check-exclusive-append.ts";
import { failureOfReading } from "../../journal/journal-errors.ts";
import { openRawStore } from "../../journal/open-store.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { branchRefs, defaultRefs, type JournalSettings } from "../../workspace/journal-location.ts";
import { type Finding, ok } from "./finding.ts";

/** None for a journal on this machine. Throws a `Failure`. */
export async function checkSharedJournal(
  context: Context & Reporter,
  folder: string,
  settings: JournalSettings,
): Promise<Finding[]> {
  const { origin, value } = settings.location;
  if (value.kind === "folder") return [];
  const check = async (candidate: JournalSettings) => {
    const stores = [
      await openRawStore(context, folder, candidate),
      await openRawStore(context, folder, candidate),
    ];
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
