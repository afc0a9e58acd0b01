// The verdict of the gate: a pure function of the incidents that are known and of those that were observed. An incident
// without an observation is unread, and an unread incident blocks.
import { cancellation, Failure, stopOf } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { BrokenEntry } from "../../journal/journal.ts";
import { advise, argv } from "../../text/advice.ts";
import type { KnownIncident, Observation, UnknownIncident } from "./known-incidents.ts";

/** Where an incident stands for the gate; `is: "unread"` is what no observation says. */
type Standing = Observation | { readonly is: "unread"; readonly incident: KnownIncident };

export interface Findings {
  /** Ordered by their ids. */
  readonly open: readonly Incident[];
  /** Open, and left out by the filter. */
  readonly others: number;
  readonly unsettled: readonly UnknownIncident[];
  readonly unknown: readonly UnknownIncident[];
  readonly unread: readonly KnownIncident[];
  /** The number of all, with those that were seen resolved before. */
  readonly known: number;
}

/** `observed` has the observation of each incident that was read, by its place in `known`. */
export function findingsOf(
  known: readonly KnownIncident[],
  observed: ReadonlyMap<number, Observation>,
  { broken, seenBefore }: { readonly broken: readonly BrokenEntry[]; readonly seenBefore: number },
): Findings {
  const standings = known.map<Standing>(
    (incident, index) => observed.get(index) ?? { is: "unread", incident },
  );
  const entries = broken.map(({ name: id, failure }) => ({ id, name: undefined, problem: failure.message }));
  const open = standings.flatMap((each) => (each.is === "open" ? [each.incident] : []));
  return {
    open: open.sort((one, other) => one.id.localeCompare(other.id)),
    others: standings.filter(({ is }) => is === "other").length,
    unsettled: standings.flatMap((each) => (each.is === "unsettled" ? [each.incident] : [])),
    unknown: [...entries, ...standings.flatMap((each) => (each.is === "unknown" ? [each.incident] : []))],
    unread: standings.flatMap((each) => (each.is === "unread" ? [each.incident] : [])),
    known: known.length + seenBefore,
  };
}

/** Undefined where nothing blocks. `signal` tells why incidents are unread. */
export function failureOf(findings: Findings, signal: AbortSignal): Failure | undefined {
  const { known, open, unknown, unread, unsettled } = findings;
  const isStopped = unread.length > 0 && signal.aborted;
  const tally = `${known - unread.length} of ${known} known incidents were looked at`;
  if (open.length > 0 && !(isStopped && stopOf(signal).kind !== "timeout")) {
    const command = ["incident", "get", ...open.map(({ id }) => id), "--wait-for", "resolved"];
    const part = unread.length > 0 ? `; ${tally}` : "";
    return new Failure("blocked", `blocked: ${areOpen(open)}${part}`, {
      hint: `wait until ${open.length === 1 ? "it is" : "they are"} resolved`,
      commands: [{ command, purpose: "wait for that" }],
    });
  }
  if (isStopped) {
    const stopped = cancellation(signal, "run it again: it does not read again what it has seen resolved");
    return stopped.with({
      message: `${stopped.message}: ${tally}${open.length > 0 ? `, and ${areOpen(open)}` : ""}`,
    });
  }
  if (unsettled.length > 0) {
    return new Failure("unavailable", `it is not known whether ${areOpen(unsettled)}`, {
      hint: "check the status page, then settle each create; another run of the gate does not help before",
      commands: unsettled.map(({ id }) => ({
        command: argv`incident journal settle ${id}`,
        purpose: "settle it",
      })),
    });
  }
  if (unread.length > 0) {
    return new Failure("unavailable", `it is not known whether more incidents are open: ${tally}`, {
      hint: "run it again: it does not read again what it has seen resolved",
      retryable: true,
    });
  }
  if (unknown.length === 0) return undefined;
  return new Failure("unavailable", `the service gave no answer about whether ${areOpen(unknown)}`, {
    hint: advise`run it again; ${argv`incident journal list`} shows the creates without a known outcome`,
    retryable: true,
  });
}

function areOpen({ length }: readonly unknown[]): string {
  return length === 1 ? "1 known incident is open" : `${length} known incidents are open`;
}
