// Problems of the journal as failures that name the next action.
import { codeOf, Failure, messageOf } from "../failure.ts";
import { shellWord } from "../text/advice.ts";
import { cutText } from "../text/lengths.ts";

/** The deliberate way around a shared journal that cannot be used, with its risk. */
export const aroundJournal =
  "if the incident cannot wait: INCIDENT_CLI_JOURNAL=folder keeps the journal on this machine, and --no-journal (of create, update and resolve) keeps none; neither knows what the shared journal has, so it may be sent a second time";

/** A part that may be the record of a create is never ignored. `reason`: words, or the error of the system. */
export function untrusted(part: string, reason: unknown): Failure {
  if (/^E(?:MFILE|NFILE|IO)$/.test(codeOf(reason) ?? ""))
    return new Failure("unavailable", `the journal's ${part} cannot be read: ${messageOf(reason)}`, {
      hint: "nothing was sent; check its disk and the limit of open files (ulimit -n), then run it again",
    });
  return new Failure("usage", `the journal's ${part} cannot be trusted: ${messageOf(reason)}`, {
    hint: "this run sent nothing, but an earlier one may have: look for the incident, at the status page or with incident get; move it away only once you know",
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

/** The state directory cannot be used, and nothing was sent. A path can be too long to print. */
export function unusable(folder: string, cause: unknown): Failure {
  const reason = messageOf(cause).replace(/, \w+ '.*/s, "");
  const place = cutText(folder, 200);
  const first = codeOf(cause) === "ENOSPC" ? "free some space on its disk; or " : "";
  return new Failure("usage", `the state directory ${place} cannot be used: ${reason}`, {
    hint: `${first}name it by its whole path, and make it writable for this user alone, as with chmod 700 ${shellWord(place)}, on a disk with hard links, or name another, such as a new one inside it, with INCIDENT_CLI_STATE_DIR; --no-journal (of create, update and resolve) sends without a journal`,
    cause,
  });
}
