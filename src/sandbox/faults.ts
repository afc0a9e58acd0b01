// The fault grammar, TARGET[#N | #N-M]:KIND[=DURATION]: parses faults and selects their requests. app.ts applies them.
import { parseDuration } from "../text/date-times.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { type Operation, operations } from "./route.ts";

const statuses = ["401", "403", "404", "429", "500", "502", "503"] as const;

const timedKinds = ["slow", "slow-commit", "stale"] as const;

const plainKinds = {
  "no-answer": "reads the request and never answers",
  "drop-before-commit": "closes the connection and handles nothing",
  "drop-after-commit": "handles the request, then closes the connection",
  "error-after-commit": "handles the request, sends the 502 page of a proxy",
  truncated: "closes the connection in the middle of the body",
  html: "sends an HTML page with a status of success",
  "ignore-id": "chooses its own ids for incidents and updates",
  "refuse-id": "answers 400 where the request has an id",
  "alter-text": "keeps the first half of each text",
} as const;

export type FaultStatus = (typeof statuses)[number];

type FaultKind = FaultStatus | (typeof timedKinds)[number] | keyof typeof plainKinds;

const faultKinds = [...statuses, ...timedKinds, ...Object.keys(plainKinds)] as readonly FaultKind[];

export const faultMeanings: readonly (readonly [kind: string, meaning: string])[] = [
  [statuses.join(" "), "answers with this status and does nothing else"],
  ["429=DURATION, 503=DURATION", "the same, with Retry-After in seconds"],
  ["slow=DURATION", "handles the request at once and delays the answer"],
  ["slow-commit=DURATION", "closes the connection, handles the request later"],
  ["stale=DURATION", "answers a read as a replica that is so far behind"],
  ...Object.entries(plainKinds),
];

export const faultGrammar = `TARGET[#N | #N-M]:KIND[=DURATION]. TARGET is ${operations.join(", ")} or any. #2 is the
second such request, and #2-4 the second to the fourth; without a number, the fault applies to every one. If several
faults apply, the first in the list wins. Durations: 500ms, 10s, 5m; a bare number is seconds. Examples:
create#1:drop-after-commit, any#3:503, get#2-4:429=7, create:no-answer, get:slow=2s`;

export interface Fault {
  readonly text: string;
  readonly target: Operation | "any";
  /** The first and the last request of the target that it strikes, counted from 1. */
  readonly from: number;
  readonly to: number;
  readonly kind: FaultKind;
  /** In milliseconds. */
  readonly duration?: number | undefined;
}

const pattern = /^(?<target>[a-z]+)(?:#(?<from>\d+)(?:-(?<to>\d+))?)?:(?<kind>[^=]*)(?:=(?<argument>.*))?$/;

/** A fault, or the problem with its text. */
export function parseFault(given: string): Fault | string {
  const text = given.trim();
  const parts = pattern.exec(text)?.groups ?? {};
  const target = [...operations, "any" as const].find((known) => known === parts.target);
  const from = Number(parts.from ?? 1);
  const to = Number(parts.to ?? parts.from ?? Number.POSITIVE_INFINITY);
  if (target === undefined || from < 1 || to < from)
    return `"${text}" is no fault: write it as create#1:503, get#2-4:slow=2s or any:no-answer`;
  const { argument } = parts;
  const kind = faultKinds.find((known) => known === parts.kind);
  if (kind === undefined)
    return withSuggestion(`"${parts.kind}" is not a kind of fault`, nearest(parts.kind ?? "", faultKinds));
  const isTimed = timedKinds.some((timed) => timed === kind);
  if (argument === undefined && !isTimed) return { text, target, from, to, kind };
  if (!isTimed && kind !== "429" && kind !== "503") return `"${kind}" takes no argument`;
  const duration = parseDuration(argument ?? "");
  // A timer takes no longer delay.
  if (duration < 2 ** 31) return { text, target, from, to, kind, duration };
  return `"${kind}" needs a duration, as in ${kind}=2s`;
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(list: readonly Fault[]) {
  const counters = list.map((fault) => ({ fault, count: 0 }));
  return {
    /** Counts one request, and returns the fault that strikes it: the first in the list. */
    next(operation: string): Fault | undefined {
      // Every fault counts every request, even if an earlier fault strikes it, so that #2 is always the second request.
      const counted = counters.filter(({ fault: { target } }) => target === "any" || target === operation);
      for (const entry of counted) entry.count += 1;
      return counted.find(({ fault, count }) => count >= fault.from && count <= fault.to)?.fault;
    },
  };
}
