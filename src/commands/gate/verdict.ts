// The verdict of the gate: a pure function of the incidents that are known, of those that were observed, and of what the
// service lists. An incident without an observation is unread, and an unread incident blocks.
import { cancellation, Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { BrokenEntry } from "../../journal/journal.ts";
import type { System } from "../../platform/context.ts";
import { advise, argv } from "../../text/advice.ts";
import { localTime } from "../../text/date-times.ts";
import { countOf } from "../../text/lengths.ts";
import type { Setting } from "../../workspace/setting.ts";
import { unprovenUrl } from "../shared/base-url.ts";
import {
  deletedCommand,
  type KnownIncident,
  type Observation,
  type UnknownIncident,
} from "./known-incidents.ts";
import type { ListFacts } from "./read-list.ts";

/** The state of an incident for the gate; `is: "unread"` stands for a missing observation. */
type Standing = Observation | { readonly is: "unread"; readonly incident: KnownIncident };

/** The knowledge of a run about incidents that the journal does not have. */
export interface Scope {
  readonly list: ListFacts;
  /** Whether the journal is that of this machine, and never declared at this service, and no file names an incident. */
  readonly isEmpty: boolean;
  /** Whether this run proves the base URL: only then does a 404 say that an incident does not exist. */
  readonly isProven: boolean;
  readonly baseUrl: Setting<string>;
  /** `--allow-unknown` */
  readonly allowsUnknown: boolean;
}

export interface Findings {
  /** Ordered by their ids. */
  readonly open: readonly Incident[];
  /** Open, and left out by the filter. */
  readonly others: number;
  /** Those that the service answered with 404, and nothing here knows as declared. */
  readonly missing: number;
  readonly unsettled: readonly UnknownIncident[];
  readonly unknown: readonly UnknownIncident[];
  readonly unread: readonly KnownIncident[];
  /** When the last one was declared that was read with all before it: an ISO date-time, UTC; empty where none has a date. */
  readonly reached: string;
  readonly known: number;
}

/** `observed` has the observation of each incident that was read, by its place in `known`. */
export function findingsOf(
  known: readonly KnownIncident[],
  observed: ReadonlyMap<number, Observation>,
  broken: readonly BrokenEntry[],
): Findings {
  const standings = known.map<Standing>(
    (incident, index) => observed.get(index) ?? { is: "unread", incident },
  );
  const entries = broken.map(({ name: id, failure }) => ({ id, name: undefined, problem: failure.message }));
  const open = standings.flatMap((each) => (each.is === "open" ? [each.incident] : []));
  return {
    open: open.sort((one, other) => one.id.localeCompare(other.id)),
    others: standings.filter(({ is }) => is === "other").length,
    missing: standings.filter(({ is }) => is === "gone" || is === "not-shown").length,
    unsettled: standings.flatMap((each) => (each.is === "unsettled" ? [each.incident] : [])),
    unknown: [
      ...entries,
      ...standings.flatMap((each) =>
        each.is === "unknown" || each.is === "not-shown" ? [each.incident] : [],
      ),
    ],
    unread: standings.flatMap((each) => (each.is === "unread" ? [each.incident] : [])),
    reached: known[standings.findIndex(({ is }) => is === "unread") - 1]?.at ?? "",
    known: known.length,
  };
}

/** Undefined where nothing blocks. The system tells why incidents are unread. */
export function failureOf(
  findings: Findings,
  scope: Scope,
  { localOffset, signal }: Pick<System, "localOffset" | "signal">,
): Failure | undefined {
  const { known, missing, open, unread } = findings;
  const part = `${known - unread.length} of ${known} known incidents were read`;
  if (open.length > 0) {
    const command = ["incident", "get", ...open.map(({ id }) => id), "--wait-for", "resolved"];
    return new Failure("blocked", `blocked: ${areOpen(open)}${unread.length > 0 ? `; ${part}` : ""}`, {
      hint: `wait until ${open.length === 1 ? "it is" : "they are"} resolved`,
      commands: [{ command, purpose: "wait for that" }],
    });
  }
  if ((unread.length > 0 || scope.list.is === "unread") && signal.aborted)
    return cancellation(signal, `${part}, so it is not known whether one is open`);
  if (missing > 0 && !scope.isProven) {
    const { baseUrl } = scope;
    return new Failure("usage", unprovenUrl(baseUrl), {
      hint: advise`check the base URL from ${baseUrl.origin}; ${argv`incident doctor`} checks it`,
    });
  }
  const unknown = unknownFailure(findings);
  if (unknown !== undefined || unread.length === 0) return unknown ?? scopeFailure(scope);
  const { reached } = findings;
  const range = reached === "" ? "" : `, those declared since ${localTime(reached, localOffset)}`;
  return new Failure("unavailable", `${part}${range}, and none of these blocks`, {
    hint: "run it again, which reads the next ones; or bound it with --since, such as --since 30d",
    retryable: true,
  });
}

/** The failure for incidents whose status is not known. */
function unknownFailure({ unknown, unsettled }: Findings): Failure | undefined {
  if (unsettled.length > 0)
    return new Failure("unavailable", `it is not known whether ${areOpen(unsettled)}`, {
      hint: "check the status page, then settle each create; another run of the gate does not help before",
      commands: unsettled.map(({ id }) => ({
        command: argv`incident journal settle ${id}`,
        purpose: "settle it",
      })),
    });
  const hidden = unknown.flatMap((each) => each.hidden ?? []);
  if (hidden.length > 0 && hidden.length === unknown.length)
    return new Failure(
      "unavailable",
      `the service does not show ${countOf(hidden.length, "known incident")}`,
      {
        hint: "run it again, since a cache or a replica may be behind; or settle each one that was deleted",
        commands: hidden.map((id) => ({ command: deletedCommand(id), purpose: "it was deleted" })),
        retryable: true,
      },
    );
  if (unknown.length === 0) return undefined;
  return new Failure("unavailable", `the service gave no answer about whether ${areOpen(unknown)}`, {
    hint: advise`run it again; ${argv`incident journal list`} shows the creates without a known outcome`,
    retryable: true,
  });
}

/** The failure for incidents that the service may have, and that nothing here knows. */
function scopeFailure({ allowsUnknown, baseUrl, isEmpty, list }: Scope): Failure | undefined {
  if (list.is === "unread" && (list.isDescribed || !allowsUnknown))
    return new Failure("unavailable", `it is not known what is open at the service: ${list.problem}`, {
      hint: list.isDescribed
        ? "run it again"
        : "run it again; or look only at what the journal and the files name, with --allow-unknown",
      retryable: true,
    });
  if (list.is === "read" && !list.isComplete) {
    const range = list.reached === undefined ? "" : `, back to ${list.reached}`;
    const message = `the list of the service was not read to its end${range}, and none of these blocks`;
    return new Failure("unavailable", message, {
      hint: "the service may have more, which are older: bound the gate with --since, such as --since 30d",
    });
  }
  if (list.is !== "none" || !isEmpty || allowsUnknown) return undefined;
  const message = `no incident is known here, so it is not known whether one is open: nothing was declared at ${baseUrl.value} from here, and ${list.reason}`;
  return new Failure("usage", message, {
    hint: advise`let the machines share a journal (${argv`incident journal init`}), name the definitions with -f, or pass anyway with --allow-unknown`,
  });
}

function areOpen({ length }: readonly unknown[]): string {
  return length === 1 ? "1 known incident is open" : `${length} known incidents are open`;
}
