// `incident update`, and `incident resolve` with a status of its own: checks the flags, finds each incident, and changes it.
import type { EditedFields } from "../../delivery/changes/edit.ts";
import { worstOf } from "../../delivery/failures.ts";
import { Failure } from "../../failure.ts";
import {
  type CommandSpec,
  defineCommand,
  type FlagsOf,
  type Input,
  type Run,
  type RunContext,
} from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import type { Report } from "../../kit/report.ts";
import {
  confirmFlags,
  emergencyFlags,
  fieldFlags,
  journalFlags,
  notifyFlags,
  statusValues,
} from "../../kit/shared-flags.ts";
import { checkEntry, fieldsOf, readValues, withTextOfStdin } from "../sending/fields.ts";
import type { DryRun } from "../sending/preview.ts";
import { canAsk } from "../shared/questions.ts";
import { type ChangedIncident, changeIncident, reportOf } from "./change.ts";
import { checkTarget, findIncident, openSession, type Session } from "./session.ts";

/** The flags that `incident resolve` has as well. */
export const sharedFlags = {
  key: flag.text("--key <text>", "the incident that was declared with this --key"),
  dedupKey: flag.text("--dedup-key <text>", "the newest incident that was declared with this --dedup-key"),
  ...notifyFlags,
  dryRun: flag.switch("--dry-run", "print the requests and send nothing"),
  ...confirmFlags,
  new: flag.switch(
    "--new",
    "post it even if an equal one was posted, or the outcome of an equal one is not known",
  ),
  ...journalFlags,
  ...emergencyFlags,
};

export const spec = defineCommand({
  name: "update",
  operands: "[id]",
  flags: {
    status: fieldFlags.status,
    message: fieldFlags.message,
    severity: fieldFlags.severity,
    name: fieldFlags.name,
    service: fieldFlags.service,
    ifStatus: flag.choice(
      "--if-status <status>",
      "only if the incident has this status; exit 11 if it has another",
      statusValues,
    ),
    reopen: flag.switch("--reopen", "post it even if the incident is resolved"),
    ...sharedFlags,
  },
  result: "incidents",
  modes: { dryRun: "requests" },
  examples: {
    "incident update": "at a terminal: asks which incident, and for the rest",
    "incident update $ID --status monitoring --message 'A fix is live. We are watching it.'":
      "post an update",
    "incident update $ID --status identified --message 'We found the cause.' --notify":
      "and tell subscribers",
    "incident update $ID --severity critical": "correct the severity, without an update",
    "incident update --dedup-key checkout-eu --status identified --message 'We found the cause.'":
      "the open incident of an alert",
    "incident update $ID --status monitoring --message 'A fix is live.' --if-status identified":
      "in a runbook: only after the step before",
    "generate | incident update $ID --status monitoring --message -": "with a text from another program",
    "incident update $ID --service checkout": "correct the affected services",
  },
  notes:
    "The update is posted as the service's own document describes it. Without --status, the status stays as it is.\n" +
    "Where an equal update was posted, nothing is posted, so that the same command can run again; where the status has\n" +
    "moved on since, that is exit 11. Nothing is posted after a RESOLVED without --reopen.\n" +
    "Files are for incident apply.",
});

type UpdateFlags = FlagsOf<typeof spec>;
type UpdateInput = Input<UpdateFlags>;

export const run: Run<typeof spec> = (context, input) => changeEach(context, spec, input);

/** Changes the incidents of the operands in turn, or the one of a key. `resolves`: with the status RESOLVED. */
export async function changeEach(
  context: RunContext,
  spec: CommandSpec,
  given: UpdateInput,
  resolves = false,
): Promise<Report<"incidents" | "requests">> {
  // The command line that a person confirms.
  const typed = await withTextOfStdin(context, given);
  const { global, operands } = typed;
  const flags = { ...typed.flags, ...(resolves && { status: "resolved" }) };
  const checked = await checkInput(context, { ...typed, flags });
  const session = await openSession(context, global, flags);
  const changed: ChangedIncident[] = [];
  const failures: Failure[] = [];
  for (const operand of operands.length === 0 ? [undefined] : operands) {
    const input = { ...typed, operands: operand === undefined ? [] : [operand] };
    try {
      const result = await findAndChange(context, session, spec, input, checked);
      if (!("incident" in result)) return result;
      changed.push(result);
      if (result.failure !== undefined) failures.push(result.failure);
    } catch (error) {
      if (!(error instanceof Failure) || operands.length < 2) throw error;
      context.warn(`${operand}: ${error.message}`);
      failures.push(error);
      if (context.system.signal.aborted) break;
    }
  }
  if (operands.length < 2) return reportOf(context, session.delivery, changed, failures[0]);
  const worst = worstOf(
    failures,
    changed.some(({ how }) => how === "posted"),
  );
  const count = `${changed.length} of ${operands.length} incidents are resolved`;
  const commands = failures.flatMap(({ details }) => details.commands ?? []);
  const hint = "the lines above say why each other is not; run it again with the ids of these alone";
  return reportOf(
    context,
    session.delivery,
    changed,
    worst?.with({
      message: `${count}; ${worst.message}`,
      commands,
      ...(worst.kind === "partial" && { hint }),
    }),
  );
}

async function findAndChange(
  context: RunContext,
  session: Session,
  spec: CommandSpec,
  input: UpdateInput,
  { asks, entry: given, fields, needsText }: Awaited<ReturnType<typeof checkInput>>,
): Promise<ChangedIncident | DryRun> {
  const { flags, global, operands } = input;
  const isNamed = [...operands, flags.key, flags.dedupKey].some((each) => each !== undefined);
  const asked = asks && (needsText || !isNamed) ? await import("./ask.ts") : undefined;
  const incidentId =
    isNamed || asked === undefined
      ? await findIncident(session, operands[0], flags)
      : await asked.askForIncident(context, global, session);
  const entry =
    needsText && asked !== undefined
      ? await asked.askForUpdate(context, global, session, incidentId, given ?? {})
      : given;
  const isAsked = asked !== undefined;
  return changeIncident(context, session, { entry, fields, flags, incidentId, spec, input, isAsked });
}

/** Everything that is known before the network is used. Throws a `Failure` "usage". */
async function checkInput(context: RunContext, { flags, global, operands }: UpdateInput) {
  const { confirm, dryRun } = flags;
  if (operands.length > 1 && (confirm !== undefined || dryRun))
    throw new Failure("usage", "--confirm and --dry-run are for one incident", {
      hint: "give one id at a time; nothing was sent",
    });
  const asks = canAsk(context, global) && !dryRun;
  checkTarget(operands, flags, asks);
  const given = fieldsOf(flags);
  const { incident, update } = await readValues(given, await context.workspace.project());
  const fields = incident as EditedFields;
  const isEdit = Object.keys(update).length === 0 && Object.keys(fields).length > 0;
  const entry = isEdit ? undefined : update;
  const needsText = entry !== undefined && entry.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  if (entry !== undefined && !needsText) await checkEntry(context, entry);
  return { asks, entry, fields, needsText };
}
