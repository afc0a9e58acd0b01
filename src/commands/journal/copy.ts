// `incident journal copy`: takes the journal of this machine into a shared one, or a shared one to this machine.
import { Failure } from "../../failure.ts";
import { copyJournal } from "../../journal/fleet/copy-journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { lineReport } from "../../kit/report.ts";
import type { JournalLocation } from "../../workspace/journal-location.ts";

export const spec = {
  flags: {
    to: flag.choice("--to <journal>", "the one of the settings, or this machine", ["shared", "folder"]),
  },
  result: "page",
  examples: {
    "incident journal copy --to shared": "before the first create with INCIDENT_CLI_JOURNAL",
    "incident journal copy --to folder": "the shared journal to this machine",
  },
  notes:
    "It can be interrupted and repeated. An operation that both journals continued is left as it is, and named.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const shared = await context.workspace.journal();
  if (shared.kind === "folder")
    throw new Failure("usage", "no shared journal is chosen", {
      hint: "set INCIDENT_CLI_JOURNAL, then copy --to shared, or --to folder for the way back",
    });
  if (flags.to === undefined)
    throw new Failure("usage", "--to must be given", {
      hint: "add --to shared, or --to folder for the way back; nothing was copied",
    });
  const here: JournalLocation = { kind: "folder", origin: "this machine", shown: "folder" };
  const [source, to] = flags.to === "shared" ? [here, shared] : [shared, here];
  const { conflicts, copied, unchanged } = await copyJournal(
    await openJournal(context, source),
    await openJournal(context, to),
  );
  const data = { from: source.shown, to: to.shown, copied, unchanged, conflicts };
  const report = lineReport(data, `${copied} copied to ${to.shown}, ${unchanged} were there`);
  if (conflicts.length === 0) return report;
  const message = `the journals have different entries for ${conflicts.join(", ")}, which were not copied`;
  const hint =
    "compare them with incident journal show, once with each journal, and settle what is uncertain";
  return { ...report, failure: new Failure("rejected", message, { hint }) };
};
