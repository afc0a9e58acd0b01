// `incident update`, and `incident resolve` with a status of its own: checks the flags, finds the incident, and changes it.
import type { EditedFields } from "../../delivery/changes/edit.ts";
import { Failure } from "../../failure.ts";
import { statuses } from "../../incident/values.ts";
import {
  type CommandSpec,
  defineCommand,
  type FlagsOf,
  type Input,
  type Run,
  type RunContext,
} from "../../kit/define-command.ts";
import { flag, inGroup } from "../../kit/flags.ts";
import {
  confirmFlags,
  emergencyFlags,
  fieldFlags,
  journalFlags,
  notifyFlags,
  statusValues,
} from "../../kit/shared-flags.ts";
import { checkConfirmFlag } from "../sending/consent.ts";
import { checkEntry, fieldsOf, readValues, withTextOfStdin } from "../sending/fields.ts";
import type { DryRun } from "../sending/preview.ts";
import { canAsk } from "../shared/questions.ts";
import { type ChangedIncident, changeIncident, reportOf } from "./change.ts";
import { checkTarget, findIncident, openSession, type Target } from "./session.ts";

/** The flags that `incident resolve` has as well. */
export const sharedFlags = {
  ...inGroup("Which incident, in place of its id", {
    key: flag.text("--key <text>", "the incident that was declared with this --key"),
    dedupKey: flag.text("--dedup-key <text>", "the newest incident that was declared with this --dedup-key"),
  }),
  ...inGroup("Notify and preview", {
    ...notifyFlags,
    dryRun: flag.switch("--dry-run", "print the requests and send nothing"),
    ...confirmFlags,
  }),
  ...inGroup("In an emergency", {
    new: flag.switch(
      "--new",
      "post it even if an equal one was posted, or the outcome of an equal one is not known",
    ),
  }),
  ...journalFlags,
  ...emergencyFlags,
};

export const spec = defineCommand({
  name: "update",
  operands: "[id]",
  completions: "incidents",
  flags: {
    ...inGroup("What", {
      status: fieldFlags.status,
      message: fieldFlags.message,
      severity: fieldFlags.severity,
      name: fieldFlags.name,
      service: fieldFlags.service,
    }),
    ...inGroup("When", {
      ifStatus: flag.text(
        "--if-status <status>",
        "only if the incident has this status; exit 11 if it has another",
        statusValues,
      ),
      reopen: flag.switch("--reopen", "post it even if the incident is resolved"),
    }),
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

export const run: Run<typeof spec> = async (context, given) => {
  const input = await withTextOfStdin(context, given);
  const changed = await findAndChange(context, input, spec, input);
  return "incident" in changed ? reportOf(context, [changed]) : changed;
};

/** `spec` and `typed`: the command line as it was typed, for the command that a person confirms. */
export async function findAndChange(
  context: RunContext,
  input: UpdateInput,
  spec: CommandSpec,
  typed: Input,
): Promise<ChangedIncident | DryRun> {
  const { flags, global } = input;
  const { asks, needsText, target, ...wanted } = await checkInput(context, input);
  const session = await openSession(context, global, { ...target, ...flags });
  const isNamed = Object.values(target).some((each) => each !== undefined);
  const asked = asks && (needsText || !isNamed) ? await import("./ask.ts") : undefined;
  const incidentId =
    isNamed || asked === undefined
      ? await findIncident(session, target)
      : await asked.askForIncident(context, global, session);
  const entry =
    needsText && asked !== undefined
      ? await asked.askForUpdate(context, global, session, incidentId, wanted.entry ?? {})
      : wanted.entry;
  const isAsked = asked !== undefined;
  return changeIncident(
    context,
    session,
    { ...wanted, entry, incidentId, isAsked, spec, input: typed },
    flags,
  );
}

/** Everything that is known before the network is used. Throws a `Failure` "usage". */
async function checkInput(context: RunContext, { flags, global, operands }: UpdateInput) {
  checkConfirmFlag(flags);
  const target: Target = { operand: operands[0], key: flags.key, dedupKey: flags.dedupKey };
  const asks = canAsk(context, global) && !flags.dryRun;
  checkTarget(target, asks);
  const { ifStatus } = flags;
  if (ifStatus !== undefined && !statuses.some((each) => each === ifStatus.toUpperCase()))
    throw new Failure("usage", `--if-status: "${ifStatus}" is not a status`, {
      hint: `write one of ${statuses.join(", ")}`,
    });
  const given = fieldsOf(flags);
  const { incident, update } = await readValues(given, await context.workspace.catalog());
  const fields = incident as EditedFields;
  const isEdit = Object.keys(update).length === 0 && Object.keys(fields).length > 0;
  const entry = isEdit ? undefined : update;
  const needsText = entry !== undefined && entry.description === undefined;
  if (needsText && !asks)
    throw new Failure("usage", "--message must be given", {
      hint: "add --message with the text that customers read; nothing was sent",
    });
  if (entry !== undefined && !needsText) await checkEntry(context, entry);
  return { asks, entry, fields, needsText, target };
}
