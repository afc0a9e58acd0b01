// The verdict of the gate, as pure functions: the incidents of files, the journal and the list of the service, the standing of each,
// and whether one blocks. An incident that was not read blocks.
import { isPosted, unshownUpdate } from "../../delivery/changes/known-updates.ts";
import { type DeliveryOptions, mayBeBehind } from "../../delivery/delivery-options.ts";
import { localTimeOf } from "../../delivery/failures.ts";
import { cancellation, Failure, type FailureDetails } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { incidentIdOf, type OperationLog } from "../../journal/events.ts";
import { isGuid } from "../../rules/forms.ts";
import { shell } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { type Filter, isBefore, passes } from "../shared/incident-list.ts";

export interface KnownIncident {
  readonly id: string;
  readonly name: string | undefined;
  /** When it was declared or changed, or last tried: an ISO date-time, UTC; empty where the journal does not have it. */
  readonly at: string;
  /** The log of its create, else of its newest change. */
  readonly log?: OperationLog;
  /** The updates that were posted to it from here, the newest first. */
  readonly posted: readonly OperationLog[];
  readonly listed?: Incident | undefined;
}

/** Each incident once: those of files, then the newest. Without a file, one from before `since` is left out. */
export function knownIncidents(
  fromFiles: readonly Pick<KnownIncident, "id" | "name">[],
  inJournal: ReadonlyMap<string, KnownIncident>,
  listed: readonly Incident[],
  since: number | undefined,
): readonly KnownIncident[] {
  const inList = new Map(listed.map((incident) => [incident.id.toLowerCase(), incident]));
  const recent = listed.filter((incident) => !isBefore(incident, since)).map(incidentFacts);
  const all = [
    ...fromFiles,
    ...[...inJournal.values()].filter(({ at }) => since === undefined || Date.parse(at) >= since),
    ...recent,
  ];
  const known = new Map<string, KnownIncident>();
  for (const { id, name } of all) {
    const key = id.toLowerCase();
    const own = inJournal.get(key) ?? { id, name, at: "", posted: [] };
    if (!known.has(key)) known.set(key, { ...own, listed: inList.get(key) });
  }
  return [...known.values()];
}

/** The incidents that may exist, by their ids in lower case. `logs`: the newest first. */
export function incidentsIn(logs: readonly OperationLog[]): ReadonlyMap<string, KnownIncident> {
  const known = new Map<string, KnownIncident>();
  const isCreate = ({ change }: OperationLog) => change === undefined;
  for (const log of [...logs.filter(isCreate), ...logs.filter((each) => !isCreate(each))]) {
    const { created, name, uncertain } = log;
    if (created === undefined && uncertain === undefined) continue;
    const id = incidentIdOf(log);
    // The first event can be of a much older create that was refused.
    const at = created?.at ?? log.events.at(-1)?.at ?? "";
    const own = known.get(id.toLowerCase()) ?? { id, name, at, log, posted: [] };
    const posted = isPosted(log) ? [...own.posted, log] : own.posted;
    known.set(id.toLowerCase(), { ...own, posted });
  }
  return new Map([...known].sort(([, one], [, other]) => other.at.localeCompare(one.at)));
}

/** Why it is not known whether an incident is open. */
export function unread(problem: string, details: Partial<FailureDetails> = {}): Failure {
  return new Failure("unavailable", problem, { hint: "run it again", ...details });
}

/** An open incident, or why it is not known; undefined where it is resolved or deleted, or the filter leaves it out. */
export type Standing = Incident | Failure | undefined;

export interface Observing {
  readonly filter: Filter;
  /** Whether the service keeps the ids of creates. */
  readonly keepsIds: boolean;
  readonly isListWhole: boolean;
  readonly system: DeliveryOptions["system"];
}

/** An incident is open unless it shows RESOLVED and the last update from here. `incident`: undefined where its id is not found. */
export function standingOf(
  incident: Incident | undefined,
  known: KnownIncident,
  observing: Observing,
): Standing {
  const { filter, system } = observing;
  if (incident === undefined) return standingOfMissing(known, observing);
  if (!isResolved(incident)) return passes(incident, filter) ? incident : undefined;
  const unshown = unshownUpdate(incident, known.posted, system);
  if (unshown?.change?.kind !== "update" || unshown.change.status === "RESOLVED") return undefined;
  const at = localTimeOf({ system }, unshown.created?.at);
  return unread(`it shows RESOLVED, and not the update that was posted from here at ${at}`);
}

const settleHint = "run it again; or check the status page, and settle what it shows";

function standingOfMissing(
  { at, id, log }: KnownIncident,
  { isListWhole, keepsIds, system }: Observing,
): Standing {
  if (log === undefined) return keepsIds || isListWhole ? undefined : unread(...unknownId);
  if (log.created === undefined && log.change === undefined) {
    const settle = { command: shell`incident journal settle ${id}`, purpose: "look for it, and settle it" };
    return unread("its create has no known outcome", { hint: settleHint, commands: [settle] });
  }
  if (isListWhole && !mayBeBehind(at, system)) return undefined;
  const participle = log.change === undefined ? "declared" : "changed";
  return unread(
    `it was ${participle}, and the service does not show it; it may be deleted, or a replica may be behind`,
    { hint: settleHint, commands: [settlement(id, log, "it was deleted")] },
  );
}

/** For an incident whose read fails, and that the whole list lacks: the service may have merged it with another. */
export function standingOfUnread(
  failure: Failure,
  { at, id, log }: KnownIncident,
  { isListWhole, system }: Observing,
): Failure {
  if (log?.created === undefined || !isListWhole || mayBeBehind(at, system)) return failure;
  const purpose = "it was deleted, or merged with another";
  return failure.with({ hint: settleHint, commands: [settlement(id, log, purpose)] });
}

function settlement(id: string, log: OperationLog, purpose: string) {
  const operation = log.change === undefined ? id : log.key.id;
  return { command: shell`incident journal settle ${operation} --not-created --yes`, purpose };
}

const unknownId = [
  "the service does not show this id of a file, and may have given its incident another, which only the journal of its create knows",
  {
    hint: "declare it first, with incident apply; or set INCIDENT_CLI_JOURNAL to the journal of its create",
    retryable: false,
  },
] as const;

/**
 * Undefined where nothing blocks. `unknown`: the incidents that may be open, and the sources that may know of one. An aborted
 * `signal` is the reason why incidents were not read.
 */
export function verdictOf(
  open: readonly Incident[],
  unknown: readonly { readonly id: string; readonly failure: Failure }[],
  signal: AbortSignal,
): Failure | undefined {
  if (open.length > 0) {
    const ids = open.map(({ id }) => id);
    const command = `incident get ${ids.join(" ")} --wait-for resolved`;
    const are = open.length === 1 ? "is" : "are";
    return new Failure("blocked", `blocked: ${countOf(open.length, "known incident")} ${are} open`, {
      hint: `wait until ${open.length === 1 ? "it is" : "they are"} resolved`,
      // `get` takes GUIDs alone.
      commands: ids.every(isGuid) ? [{ command, purpose: "wait for that" }] : [],
    });
  }
  const [first, ...others] = unknown;
  if (first !== undefined && signal.aborted)
    return cancellation(signal, "it is not known whether an incident is open");
  // A person has to act before it can be read.
  const broken = unknown.find(({ failure }) => failure.kind !== "unavailable")?.failure;
  if (broken !== undefined) return broken;
  if (first === undefined) return undefined;
  const { failure, id } = first;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const message = `it is not known whether an incident is open: ${id}: ${failure.message}${more}`;
  const commands = unknown.flatMap(({ failure: { details } }) => details.commands ?? []);
  return failure.with({ message, commands });
}
