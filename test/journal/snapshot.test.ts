// What a snapshot keeps: everything that deciding needs of an operation that is over and that many followed, and the others
// as they are.
import { describe, expect, it } from "vitest";
import type { OperationEvent, OperationKey } from "../../src/journal/events.ts";
import { foldEvents } from "../../src/journal/fold.ts";
import { operationName } from "../../src/journal/journal.ts";
import { hasId, type Log, type Logs, logOf, logsOf, nextOf, takeSnapshot } from "../../src/journal/logs.ts";
import { numberedId } from "../harness/builders.ts";

const service = { baseUrl: "http://service.example", account: "a" };
const at = "2026-03-10T08:30:00.000Z";
const now = Date.parse("2026-03-11T08:30:00.000Z");

const content = {
  digest: "d1",
  parts: { name: "n1", severity: "s1", services: "v1", updates: ["u1", "u2"] },
  body: {
    name: "A\tB, C",
    severity: "MAJOR",
    services: [{ id: "s-1", name: "Checkout" }],
    incidentUpdates: [],
  },
};
const sending = { type: "sending", at, withId: true, deadline: 1, content } as unknown as OperationEvent;
const created: OperationEvent = { type: "created", at, by: "answer", serviceId: "S-9" };
const change = { kind: "update", incidentId: "i", status: "MONITORING", notify: false } as const;

function logWith(
  number: number,
  events: readonly OperationEvent[],
  isUnsettled = false,
): readonly [string, Log] {
  const key = { ...service, id: numberedId(number) };
  const stored = events.map((event, index) => ({
    writer: `${number}-${index}`,
    formatVersion: 1,
    key,
    event,
  }));
  return [operationName(key), { first: 0, events: stored, isUnsettled, began: number }];
}

/** The log as the snapshot has it, where as many others follow it as make it old, or none. */
function throughSnapshot([name, log]: readonly [string, Log], isOld = true): Log {
  const others = Array.from({ length: isOld ? 200 : 0 }, (_, index) =>
    logWith(1000 + index, [sending, created]),
  );
  const logs: Logs = new Map([[name, log], ...others]);
  const snapshot = JSON.parse(JSON.stringify(takeSnapshot(logs, service, now)));
  const found = logsOf(snapshot);
  expect([...found.keys()]).toEqual([...logs.keys()]);
  expect(nextOf(found.get(name))).toBe(log.first + log.events.length);
  return logOf(found.get(name), service);
}

const stateOf = ({ events, first }: Log) => {
  const steps = events.map(({ event }) => event as OperationEvent);
  return foldEvents(events[0]?.key as OperationKey, first, steps);
};

describe("an operation that is over, in a snapshot", () => {
  it.each<[string, readonly OperationEvent[]]>([
    ["that was declared", [sending, created]],
    ["that the service altered", [sending, { ...created, altered: { name: "d" } } as OperationEvent]],
    ["that kept its id", [sending, { ...created, serviceId: numberedId(1) } as OperationEvent]],
    ["with the start times of an alert", [sending, created, { type: "fired", at, alertStarts: ["x"] }]],
    ["that was refused", [sending, { type: "refused", at, attempt: 0, status: 400, message: "" }]],
    ["that a person released", [sending, { type: "not-created", at }]],
    ["that is an update", [{ ...sending, content: { digest: "d2", change } } as OperationEvent, created]],
  ])("%s says the same", (_, events) => {
    const before = stateOf(logWith(1, events)[1]);
    const after = stateOf(throughSnapshot(logWith(1, events)));
    for (const part of [
      "key",
      "next",
      "state",
      "digest",
      "name",
      "severity",
      "services",
      "wasRefused",
      "alertStarts",
      "parts",
      "altered",
      "change",
    ] as const)
      expect(after[part], part).toEqual(before[part]);
    expect(after.created?.serviceId).toBe(before.created?.serviceId);
    expect(after.events).toHaveLength(1);
  });

  it("is found by its ids", () => {
    const [name, log] = logWith(1, [sending, created]);
    const others = Array.from({ length: 200 }, (_, index) => logWith(1000 + index, [sending, created]));
    const found = logsOf(takeSnapshot(new Map([[name, log], ...others]), service, now)).get(name) ?? "";
    expect([numberedId(1), "s-9", "s-8"].map((id) => hasId(found, id))).toEqual([true, true, false]);
  });
});

describe("a log that a snapshot keeps whole", () => {
  const recent = new Date(now - 1000).toISOString();
  it.each<[string, readonly OperationEvent[], boolean]>([
    ["is unsettled", [sending], true],
    ["ended in the last hour", [sending, { ...created, at: recent }], false],
    ["was confirmed", [{ ...sending, confirmed: "sha256:1" } as OperationEvent, created], false],
  ])("%s", (_, events, isUnsettled) => {
    const given = logWith(1, events, isUnsettled);
    expect(throughSnapshot(given)).toEqual(given[1]);
  });

  it("is among the newest", () => {
    const given = logWith(1, [sending, created]);
    expect(throughSnapshot(given, false)).toEqual(given[1]);
  });
});

describe("the claims of a content in a snapshot", () => {
  const claim = (number: number) => ({
    writer: `w${number}`,
    claim: { ...service, id: numberedId(number) },
  });
  const log = (events: Log["events"]) =>
    ["claim-1", { first: 0, events, isUnsettled: false, began: 1 }] as const;

  it("are the last one", () => {
    const found = throughSnapshot(log([claim(1), claim(2)]));
    expect(found).toMatchObject({ first: 1, events: [claim(2)] });
  });

  it("are the last twenty events of a log that names no operation", () => {
    const events = Array.from({ length: 30 }, (_, number) => ({ writer: `w${number}` }));
    expect(throughSnapshot(log(events))).toMatchObject({ first: 10, events: events.slice(10) });
  });
});
