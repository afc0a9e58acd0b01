// The command line and the help of `incident update`.
import { type CommandSpec, defineCommand, type FlagsOf, type Input } from "../../kit/define-command.ts";
import { flag, inGroup } from "../../kit/flags.ts";
import {
  confirmFlags,
  emergencyFlags,
  exclusiveConfirm,
  exclusiveJournal,
  exclusiveNotify,
  fieldFlags,
  journalFlags,
  notifyFlags,
  statusValues,
} from "../../kit/shared-flags.ts";

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

export const exclusive = [exclusiveNotify, exclusiveConfirm, exclusiveJournal] as const;

export const outputs = ["table", "json", "id", "markdown"] as const;

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
  exclusive,
  outputs,
  modes: { dryRun: ["table", "json", "curl"] },
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

export type UpdateFlags = FlagsOf<typeof spec>;
export type UpdateInput = Input<UpdateFlags>;

/** The command line as it was typed, for the command that a person confirms. */
export interface Typed {
  readonly spec: CommandSpec;
  readonly input: Input;
}
