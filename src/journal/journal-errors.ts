// Problems of the journal as failures that name the next action.
import { Failure, messageOf } from "../failure.ts";
import { Advice, advise, type Hint } from "../text/advice.ts";
import { cutText } from "../text/lengths.ts";

/** The deliberate way around a shared journal that cannot be used, with its risk. */
export const aroundJournal =
  "if the incident cannot wait: INCIDENT_CLI_JOURNAL=folder keeps the journal on this machine, and --no-journal (of create, update and resolve) keeps none; neither knows what the shared journal has, so it may be sent a second time";

/** The hint of a store: a command that sends nothing anyway needs only its `action`. */
export class StoreHint extends Advice {
  readonly action: Hint;

  /** `risky`: a way around the store, for an incident that cannot wait. */
  constructor(action: Hint, risky?: string) {
    const { parts } = advise`nothing was sent; ${action}`;
    super(risky === undefined ? parts : [...parts, `; ${risky}`]);
    this.action = action;
  }
}

/** The failure of a command that sends nothing anyway: its hint is about the journal alone. */
export function failureOfReading(failure: Failure): Failure {
  const { hint } = failure.details;
  return hint instanceof StoreHint ? failure.with({ hint: hint.action }) : failure;
}

/** An entry that may be the record of a create is never ignored. */
export function untrusted(entry: string, reason: string): Failure {
  return new Failure("usage", `the journal's file ${entry} cannot be trusted: ${reason}`, {
    hint: "this run sent nothing, but an earlier one may have: look for the incident, at the status page or with incident get; move the file away only once you know",
  });
}

/** `needed` is the first version of incident that reads the entry, as the entry says. */
export function newerEntry(entry: string, needed: unknown): Failure {
  const isVersion = typeof needed === "string" && /^\d+\.\d+\.\d+$/.test(needed);
  const reader = isVersion ? `incident ${needed} or later` : "a newer version of incident";
  return new Failure("usage", `the journal's ${entry} needs ${reader}`, {
    hint: `this run sent nothing; update to ${reader}, and leave the journal as it is`,
  });
}

/** Another user may change the files of a folder of the state directory. */
export function othersMayWrite(folder: string): Failure {
  return new Failure("usage", `the state directory ${folder} belongs to others, or others may write to it`, {
    hint: new StoreHint(
      `run chmod 700 ${folder}, or name another, such as a new one inside it, with INCIDENT_CLI_STATE_DIR`,
    ),
  });
}

/** The system refuses the state directory, and nothing was sent. A path can be too long to print. */
export function unusable(folder: string, cause: unknown): Failure {
  const reason = messageOf(cause).replace(/, \w+ '.*/s, "");
  return new Failure("usage", `the state directory ${cutText(folder, 200)} cannot be used: ${reason}`, {
    hint: new StoreHint(
      "correct it, or name another directory with INCIDENT_CLI_STATE_DIR, which does not know the creates that were sent from this one",
    ),
    cause,
  });
}

/** The state directory cannot be written, and nothing was sent. */
export function unwritable(folder: string, cause: unknown): Failure {
  return new Failure("usage", `the journal cannot be written in ${folder}: ${messageOf(cause)}`, {
    hint: "make the folder writable, or name another, on a disk with hard links, with INCIDENT_CLI_STATE_DIR; --no-journal (of create, update and resolve) sends without a journal",
    cause,
  });
}
