// Every state of an operation that a short log can reach, and every combination of what a run can know, for tests
// over the whole of next-step.ts.

import type { EndingKind, Findings, StepRequest } from "../../src/delivery/next-step.ts";
import { canRevise } from "../../src/delivery/settle-by-person.ts";
import { createBody } from "../../src/incident/create-body.ts";
import { partsOf } from "../../src/journal/content.ts";
import type { OperationEvent, OperationLog } from "../../src/journal/events.ts";
import { emptyLog, foldEvents } from "../../src/journal/fold.ts";
import { definition, incidentId } from "../harness/builders.ts";

const at = "2026-11-20T06:31:00.000Z";
const key = { baseUrl: "http://127.0.0.1:1", account: undefined, id: incidentId };
const body = createBody(definition(), incidentId, undefined);
const content = { body, digest: "digest", name: body.name, parts: partsOf(body) };

/** The events that a process or a person can append to a log, by name. */
export function eventsAfter(log: OperationLog): Readonly<Record<string, OperationEvent>> {
  const sendings = log.events.flatMap((event, index) => (event.type === "sending" ? [index] : []));
  const attempt = sendings.at(-1);
  return {
    "sending with id": { type: "sending", at, withId: true, deadline: 1, content },
    "sending without id": { type: "sending", at, withId: false, deadline: 1, content },
    created: { type: "created", at, by: "answer", serviceId: incidentId, content },
    ...((log.uncertain || canRevise(log)) && {
      "settled as created": { type: "created", at, by: "person", serviceId: incidentId },
    }),
    ...(attempt !== undefined && {
      unsent: { type: "unsent", at, attempt, reason: "" },
      refused: { type: "refused", at, attempt, status: 403, message: "" },
      uncertain: { type: "uncertain", at, attempt, reason: "" },
      "answered with 503": { type: "uncertain", at, attempt, reason: "", status: 503 },
    }),
    ...((log.uncertain || log.created || canRevise(log)) && { "not-created": { type: "not-created", at } }),
  };
}

/** Whether the protocol can append `event` to `log`: an attempt begins where a send is decided, and ends once. */
export function canFollow(log: OperationLog, event: OperationEvent): boolean {
  switch (event.type) {
    case "sending":
      return ["new", "sendable", "refused", "uncertain"].includes(log.state);
    case "unsent":
    case "refused":
      return isUnended(log) && log.uncertain !== undefined;
    case "uncertain":
      return isUnended(log);
    case "created":
      return log.state !== "created" || (event.by === "person" && canRevise(log));
    default:
      return true;
  }
}

/** Whether the last attempt has no ending, and no event after it makes its ending superfluous. */
export function isUnended({ created, events }: OperationLog): boolean {
  const attempt = events.findLastIndex(({ type }) => type === "sending");
  const hasEnded = events.some((event) => "attempt" in event && event.attempt === attempt);
  return attempt >= 0 && !hasEnded && created === undefined;
}

export function allLogs(length: number): readonly OperationLog[] {
  const logs = [emptyLog(key)];
  for (const log of logs) {
    if (log.next >= length) continue;
    for (const event of Object.values(eventsAfter(log))) {
      if (canFollow(log, event)) logs.push(append(log, event));
    }
  }
  return logs;
}

export function logOf(names: string): OperationLog {
  let log = emptyLog(key);
  for (const name of names === "" ? [] : names.split(", ")) {
    const event = eventsAfter(log)[name];
    if (event === undefined) throw new Error(`no ${name} here`);
    log = append(log, event);
  }
  return log;
}

export function append(log: OperationLog, event: OperationEvent): OperationLog {
  return foldEvents(log.key, 0, [...log.events, event]);
}

const endingKinds = Object.keys({
  unsent: true,
  "rate-limited": true,
  refused: true,
  "id-refused": true,
  conflict: true,
  unclear: true,
} satisfies Record<EndingKind, true>) as EndingKind[];

const endings: readonly Findings["ending"][] = [
  undefined,
  ...endingKinds.flatMap((kind) => [undefined, 100].map((delay) => ({ kind, delay }))),
];

export const allFindings: readonly Findings[] = [
  { attempts: 0, isUnclear: false },
  { attempts: 9, isUnclear: false },
  { attempts: 9, isUnclear: true },
].flatMap((run) =>
  [false, true].flatMap((withoutId) =>
    endings.flatMap((ending) =>
      ([undefined, "absent"] as const).flatMap((look) =>
        ([undefined, "absent", "missed", "failed"] as const).map((readBack) => ({
          ...run,
          withoutId,
          ...(ending && { ending }),
          ...(look && { look }),
          ...(readBack && { readBack }),
        })),
      ),
    ),
  ),
);

export const allRequests: readonly StepRequest[] = [false, true].flatMap((isRedefined) =>
  [false, true].flatMap((mayExist) =>
    [false, true].map((canBeFound) => ({ isRedefined, mayExist, canBeFound })),
  ),
);
