// The fault grammar, TARGET[#N | #N-M]:KIND[=ARGUMENT]: parses faults and selects the requests that they apply to.
// inject-fault.ts applies them.

import { type Operation, operations } from "./route.ts";

export type FaultStatus = 401 | 403 | 404 | 429 | 500 | 502 | 503;

/** The effect of a fault on a request. Durations are in milliseconds. */
export type Effect =
  /** `retryAfter` is the Retry-After header. */
  | { readonly kind: "status"; readonly status: FaultStatus; readonly retryAfter?: number }
  | { readonly kind: (typeof timedKinds)[number]; readonly duration: number }
  | { readonly kind: keyof typeof plainKinds };

type Target = Operation | "any";

const targets: readonly Target[] = [...operations, "any"];

/** The requests from one number to another. */
interface Selection {
  readonly from: number;
  readonly to: number;
}

export interface Fault {
  readonly target: Target;
  readonly selection: Selection;
  readonly effect: Effect;
  readonly text: string;
}

export interface Faults {
  /** Counts one request, and returns the fault that strikes it. */
  next(operation: string): Pick<Fault, "effect" | "text"> | undefined;
}

const plainKinds = {
  "no-answer": "reads the request and never answers",
  "drop-before-commit": "closes the connection before the request is handled",
  "drop-after-commit": "handles the request, then closes the connection without an answer",
  "error-after-commit": "handles the request, then answers with the 502 page of a proxy",
  truncated: "closes the connection in the middle of the body",
  html: "sends an HTML page with a status of success",
  "ignore-id": "chooses an id of its own for the incident and its updates",
  "refuse-id": "answers 400 where the request has an id",
  "alter-text": "keeps the first half of each text",
} as const satisfies Record<string, string>;

const timedKinds = ["slow", "slow-commit", "stale"] as const;

const statuses: readonly FaultStatus[] = [401, 403, 404, 429, 500, 502, 503];

const otherKinds = [...timedKinds, ...Object.keys(plainKinds)];

export const faultKinds: readonly string[] = [...statuses.map(String), ...otherKinds];

/** Each kind of fault, and its meaning. */
export const faultMeanings: readonly (readonly [kind: string, meaning: string])[] = [
  [statuses.join(" "), "answers with this status and does nothing else"],
  ["429=WAIT, 503=WAIT", "the same, with Retry-After in seconds"],
  ["slow=DURATION", "handles the request at once and delays the answer"],
  ["slow-commit=DURATION", "closes the connection at once and handles the request later"],
  ["stale=DURATION", "answers a read as a replica that is so far behind"],
  ...Object.entries(plainKinds),
];

export const faultGrammar = `TARGET[#N | #N-M]:KIND[=ARGUMENT]. TARGET is ${operations.join(", ")} or any: update adds
an update, and updates reads them. #2 is the second such request, and #2-4 the second to the fourth; without a number, the
fault applies to every one. If several faults apply, the first in the list wins. Durations: 500ms, 10s, 5m; a bare number
is seconds. Examples: create#1:drop-after-commit, any#3:503, get#2-4:429=7, create:no-answer, get:slow=2s`;

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** The longest delay of a timer, in milliseconds. */
const maxDelay = 2 ** 31 - 1;

/** In milliseconds; undefined where it is no duration, or longer than a timer waits. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const duration = Number(amount) * (units.get(unit) ?? Number.NaN);
  return duration <= maxDelay ? duration : undefined;
}

function isPlain(kind: string): kind is keyof typeof plainKinds {
  return Object.hasOwn(plainKinds, kind);
}

function parseEffect(kind: string, argument: string | undefined): Effect | FaultProblem {
  const timed = timedKinds.find((known) => known === kind);
  if (timed) {
    const duration = parseDuration(argument ?? "");
    return duration === undefined
      ? { problem: `"${kind}" needs a duration, as in ${kind}=2s` }
      : { kind: timed, duration };
  }
  const status = statuses.find((known) => String(known) === kind);
  if (argument !== undefined && (status === 429 || status === 503)) {
    const retryAfter = parseDuration(argument);
    return retryAfter === undefined
      ? { problem: `"${argument}" is not a wait, as in ${status}=7` }
      : { kind: "status", status, retryAfter };
  }
  const known: Effect | false =
    (status !== undefined && { kind: "status", status }) || (isPlain(kind) && { kind });
  if (!known) return { problem: `"${kind}" is not a kind of fault`, unknown: kind };
  return argument === undefined ? known : { problem: `"${kind}" takes no argument` };
}

function parseSelection(text: string): Selection | FaultProblem {
  if (text === "") return { from: 1, to: Number.POSITIVE_INFINITY };
  const [, first, last = first] = /^#(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (from >= 1 && to >= from) return { from, to };
  return { problem: `"${text}" does not choose requests: write #2 or #2-4` };
}

export interface FaultProblem {
  /** A phrase for an error message, such as `"slo" is not a kind of fault`. */
  readonly problem: string;
  /** The kind, if it is the kind that is unknown. */
  readonly unknown?: string;
}

export function parseFault(text: string): Fault | FaultProblem {
  const parts = /^([a-z]+)([^:]*):([^=]*)(?:=(.*))?$/.exec(text.trim());
  const target = targets.find((known) => known === parts?.[1]);
  if (!parts || target === undefined)
    return { problem: "a fault is written as create#1:503, get:slow=2s or any#3:drop-before-commit" };
  const [, , requests = "", kind = "", argument] = parts;
  const selection = parseSelection(requests);
  if ("problem" in selection) return selection;
  const effect = parseEffect(kind, argument);
  return "problem" in effect ? effect : { target, selection, effect, text: text.trim() };
}

/** Selects the fault of each request: the first in the list that strikes it. */
export function createFaults(list: readonly Fault[]): Faults {
  const counters = list.map((fault) => ({ fault, count: 0 }));
  return {
    next(operation) {
      let struck: Fault | undefined;
      // Every fault counts every request, even if an earlier fault strikes it, so that #2 is always the second request.
      for (const entry of counters) {
        const { selection, target } = entry.fault;
        if (target !== "any" && target !== operation) continue;
        entry.count += 1;
        if (entry.count >= selection.from && entry.count <= selection.to) struck ??= entry.fault;
      }
      return struck;
    },
  };
}
