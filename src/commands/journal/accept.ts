// `incident journal accept`: goes on with a shared journal that was rolled back.
import { Failure } from "../../failure.ts";
import { openJournal } from "../../journal/open-journal.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { lineReport } from "../../kit/report.ts";
import { countOf } from "../../text/lengths.ts";

export const spec = {
  result: "page",
  examples: {
    "incident journal accept": "after a restore, once you have compared it with the status page",
  },
  notes:
    "A machine sends nothing with a shared journal that lacks the last entry that the machine has seen. This command makes\n" +
    "it forget that entry. A later run may send again what the journal lost: settle what the status page shows.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const location = await context.workspace.journal();
  const accepted = (await openJournal(context, location)).accept();
  if (accepted === undefined)
    throw new Failure("usage", "no shared journal is chosen", {
      hint: "set INCIDENT_CLI_JOURNAL to the journal that was rolled back",
    });
  const are = accepted === 1 ? "it is" : "they are";
  const text = `this machine goes on with ${countOf(accepted, "sequence")} of ${location.shown} as ${are}`;
  return lineReport({ journal: location.shown, accepted }, text);
};
