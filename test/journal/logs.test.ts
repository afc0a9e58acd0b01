// The journal over a store: how an append is made sure of, which records are believed, and which logs are listed.
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import type { AppendResult, EventStore, StoredEvent, StoredLog } from "../../src/journal/event-store.ts";
import type { OperationEvent } from "../../src/journal/events.ts";
import { appendSurely, createJournal, operationName } from "../../src/journal/journal.ts";
import { at, requestOf } from "../delivery/in-memory/deliveries.ts";
import { access, incidentId, numberedId } from "../harness/builders.ts";
import { createRandom } from "../harness/incident.ts";
import { createMemoryStore } from "./open-stores.ts";

const service = { baseUrl: access.baseUrl, account: access.accountId };
const keyOf = (number: number) => ({ ...service, id: numberedId(number) });
const nameOf = (number: number) => operationName(keyOf(number));
const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 1000, content } as const;
const created = (serviceId = "an id"): OperationEvent => ({ type: "created", at, by: "answer", serviceId });

const refusing = (retryable: boolean) =>
  new Failure("unavailable", "no route to the host", { hint: "check it", retryable });

describe("an append", () => {
  const mine: StoredEvent = { writer: "mine" };
  const other: StoredEvent = { writer: "other" };
  const nothing: StoredLog = { first: 0, events: [other, other] };
  const has = (first: number, ...events: readonly StoredEvent[]): StoredLog => ({ first, events });

  /** What the store answers, one after the other: to an append, and then to the reading that follows it. */
  async function appendWith(
    answers: readonly (AppendResult | StoredLog | Error | undefined)[],
    { number = 2, isStopped = false } = {},
  ) {
    const left = [...answers];
    const pauses: number[] = [];
    const next = async (isWanted: (answer: unknown) => boolean) => {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      expect(isWanted(answer)).toBe(true);
      return answer as never;
    };
    const isLog = (answer: unknown) => typeof answer === "object";
    const signal = isStopped ? AbortSignal.abort() : undefined;
    const store = {
      append: async () => [await next((answer) => !isLog(answer))],
      read: async () => next(isLog),
    } as unknown as EventStore;
    const clock = { sleep: async (milliseconds: number) => void pauses.push(milliseconds) };
    const append = { log: "op-1", number, event: mine, isUnsettled: true };
    const result = await appendSurely({ clock, store, ...(signal && { signal }) }, append).catch(
      ({ kind, message, retryable }: Failure) => ({ kind, message, retryable }),
    );
    return { result, pauses, left: left.length };
  }

  it.each<[string, Parameters<typeof appendWith>[0], Parameters<typeof appendWith>[1], string, number[]]>([
    ["that is ours", ["ours"], {}, "ours", []],
    ["that another process took", ["taken"], {}, "taken", []],
    ["that is there after no answer", [undefined, has(0, other, other, mine)], {}, "ours", []],
    ["that is there after an unknown answer", ["unknown", has(0, other, other, mine)], {}, "ours", []],
    ["whose number has another event", ["unknown", has(0, other, other, other, mine)], {}, "taken", []],
    ["in a log that was pruned before", ["unknown", has(1, other, mine)], {}, "ours", []],
    ["in a log that was pruned after it", ["unknown", has(3, other)], {}, "taken", []],
    ["that follows a summary", ["unknown", has(2), "ours"], {}, "ours", [100]],
    ["that succeeds the second time", ["unknown", nothing, "ours"], {}, "ours", [100]],
    ["that arrives late", ["unknown", nothing, "taken", has(0, other, other, mine)], {}, "ours", [100]],
    ["that arrives too late", ["unknown", nothing, "taken", has(0, other, other, other)], {}, "taken", [100]],
    ["whose reading fails once", ["unknown", refusing(true), "ours"], {}, "ours", [100]],
    [
      "that fails once after an unknown answer",
      ["unknown", nothing, refusing(true), "ours"],
      {},
      "ours",
      [100, 500],
    ],
  ])("%s is settled", async (_, answers, options, result, pauses) => {
    expect(await appendWith(answers, options)).toEqual({ result, pauses, left: 0 });
  });

  const noRoute = (retryable: boolean) => ({
    kind: "unavailable",
    message: "no route to the host",
    retryable,
  });

  it.each<[string, Parameters<typeof appendWith>[0], boolean, object, number[]]>([
    ["the store cannot be reached", [refusing(true)], false, noRoute(true), []],
    ["the store refuses a reading", ["unknown", refusing(false)], false, noRoute(false), []],
    ["the code has a fault", ["unknown", new TypeError("a fault")], false, { message: "a fault" }, []],
    [
      "the store never says",
      Array.from({ length: 5 }, () => ["unknown", nothing] as const).flat(),
      false,
      { kind: "unavailable", message: "the journal's store did not confirm an entry", retryable: true },
      [100, 500, 2000, 5000],
    ],
    [
      "the process is stopped",
      ["unknown", nothing],
      true,
      { kind: "interrupted", message: "cancelled by Ctrl-C", retryable: false },
      [],
    ],
  ])("ends with a failure where %s", async (_, answers, isStopped, failure, pauses) => {
    const end = await appendWith(answers, { isStopped });
    expect(end).toMatchObject({ result: failure, pauses, left: 0 });
  });
});

function openJournal(wrap: (store: EventStore) => Partial<EventStore> = () => ({})) {
  const memory = createMemoryStore();
  const asked: number[] = [];
  const store: EventStore = {
    ...memory,
    newest: (limit) => {
      asked.push(limit);
      return memory.newest(limit);
    },
    ...wrap(memory),
  };
  const journal = createJournal({
    store,
    writer: createRandom().guid,
    clock: { sleep: async () => undefined },
  });
  const write = async (number: number, ...events: readonly OperationEvent[]) => {
    for (const event of events) await journal.append(await journal.read(keyOf(number)), event);
  };
  const append = (log: string, number: number, event: StoredEvent) =>
    memory.append([{ log, number, event, isUnsettled: false }]);
  const idsOf = (logs: readonly { key: { id: string } }[]) => logs.map(({ key }) => Number(key.id.slice(-6)));
  const list = async (options?: { readonly limit?: number }) => {
    const { broken, isCut, logs } = await journal.list(options);
    return { broken: broken.map(({ name }) => name), isCut, ids: idsOf(logs) };
  };
  const find = async (id: string, services = [service]) => {
    const { broken, logs } = await journal.find(id, services);
    return { ids: idsOf(logs), broken: broken.map(({ name }) => name) };
  };
  return { append, asked, find, idsOf, journal, list, memory, write };
}

describe("a record", () => {
  const record = { writer: "w", formatVersion: 1, readBy: "0.2.0", key: keyOf(1), event: sending };
  const entry = (number: number) => `${nameOf(1)}-00${number}`;
  const changed = (number: number) =>
    `the journal's file ${entry(number)}.json cannot be trusted: it was changed`;
  const last = (fields: object) => ({ ...record, event: { type: "unsent", at, attempt: 0, ...fields } });

  const messageOf = async (...records: readonly object[]) => {
    const { append, journal } = openJournal();
    for (const [index, each] of records.entries()) await append(nameOf(1), index, each as StoredEvent);
    return journal.read(keyOf(1)).then(
      ({ state }) => state,
      ({ message }: Failure) => message,
    );
  };

  it.each(
    Object.entries<[readonly object[], string]>({
      "of this format": [[record], "sending"],
      "with an id in capitals": [
        [{ ...record, key: { ...keyOf(1), id: numberedId(1).toUpperCase() } }],
        "sending",
      ],
      "of a newer format": [
        [record, { ...last({}), formatVersion: 3, readBy: "9.0.0" }],
        `the journal's entry ${entry(1)} needs incident 9.0.0 or later`,
      ],
      "of another operation": [
        [record, { ...last({}), key: keyOf(2) }],
        `the journal's file ${nameOf(1)} cannot be trusted: it belongs to another operation`,
      ],
      "that begins with another event": [
        [{ ...record, event: { type: "not-created", at } }],
        `the journal's file ${nameOf(1)} cannot be trusted: it does not begin with its content`,
      ],
    }),
  )("%s is believed, or not", async (_, [records, expected]) => {
    expect(await messageOf(...records)).toBe(expected);
  });

  const complete = {
    at,
    withId: true,
    deadline: 1,
    attempt: 0,
    status: 400,
    reason: "",
    serviceId: "a",
    summary: {},
  };
  const fields = [
    ["sending", "withId"],
    ["sending", "deadline"],
    ["unsent", "attempt"],
    ["refused", "attempt"],
    ["refused", "status"],
    ["uncertain", "attempt"],
    ["uncertain", "reason"],
    ["created", "serviceId"],
    ["pruned", "summary"],
  ] as const;
  const events = [
    null,
    "event",
    { type: "fired", at, alertStarts: 1 },
    { type: "fired", at, alertStarts: [1] },
    { type: "pruned", at, summary: { state: "created", digest: "d", alertStarts: "text" } },
    { at },
    { type: "other", at },
    { type: "toString", at },
  ];

  const rowsOf = <T>(part: string, values: readonly T[], recordsWith: (value: T) => readonly object[]) =>
    values.map((value): [string, T, readonly object[]] => [part, value, recordsWith(value)]);

  it.each<[string, unknown, readonly object[]]>([
    ...rowsOf("content", [undefined, null, "text", {}], (own) => [
      { ...record, event: { ...sending, content: own } },
    ]),
    ...rowsOf("format", [0, "2", undefined], (version) => [{ ...record, formatVersion: version }]),
    ...rowsOf("key", [undefined, null, "key", { baseUrl: "a" }, { id: "a" }], (key) => [{ ...record, key }]),
    ...rowsOf("event", events, (event) => [record, { ...record, event }]),
    ...rowsOf("event of a type without its field", fields, ([type, field]) => {
      const { [field]: _, ...others } = { type, ...complete };
      return [record, { ...record, event: others }];
    }),
  ])("with the %s %j was changed", async (_, _value, records) => {
    expect(await messageOf(...records)).toBe(changed(records.length - 1));
  });

  it("says who wrote it, which version reads it, and what it settles", async () => {
    const { journal, memory } = openJournal();
    const log = await journal.read(keyOf(1));
    expect(await journal.append(log, sending)).toMatchObject({
      result: "ours",
      log: { state: "sending", next: 1 },
    });
    const { events } = await memory.read(nameOf(1));
    expect(events).toEqual([{ ...record, writer: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
  });

  it("is lost to another process with the log as it is now", async () => {
    const { journal, write } = openJournal();
    const log = await journal.read(keyOf(1));
    await write(1, sending, created());
    expect(await journal.append(log, sending)).toMatchObject({
      result: "lost",
      log: { state: "created", next: 2 },
    });
  });

  it.each<[string, readonly OperationEvent[], object]>([
    ["sending", [sending], { isUnsettled: true }],
    ["created", [sending, created()], { isUnsettled: false }],
  ])("that is %s tells the store what it settles", async (_, events, expected) => {
    const told: object[] = [];
    const { journal } = openJournal(() => ({
      append: async (appends) => {
        told.push(...appends.map(({ isUnsettled }) => ({ isUnsettled })));
        return ["ours"];
      },
    }));
    let log = await journal.read(keyOf(1));
    for (const event of events) ({ log } = await journal.append(log, event));
    expect(told.at(-1)).toEqual(expected);
  });
});

describe("a list", () => {
  const time = (second: number) => `2026-11-20T06:31:${String(second).padStart(2, "0")}.000Z`;
  /** Operations 1, 2, … in the order in which they begin; the third is not settled. */
  async function openWith(count: number, wrap?: (store: EventStore) => Partial<EventStore>) {
    const opened = openJournal((store) => ({
      unsettled: async () => [nameOf(3), "probe-1"],
      ...wrap?.(store),
    }));
    for (let number = 1; number <= count; number += 1) {
      const start = { ...sending, at: time(Math.floor(number / 2) % 60) };
      await opened.write(number, start, ...(number === 3 ? [] : [created(`service-${number}`)]));
    }
    return opened;
  }

  it.each<[string, { readonly limit: number } | undefined, readonly number[], boolean]>([
    ["of all", undefined, [1, 2, 3, 4, 5], false],
    ["of the newest two, and what is unsettled", { limit: 2 }, [3, 4, 5], true],
    ["of the newest four of five", { limit: 4 }, [2, 3, 4, 5], true],
    ["of the newest five of five", { limit: 5 }, [1, 2, 3, 4, 5], false],
    ["of what is unsettled", { limit: 0 }, [3], false],
  ])("%s is oldest first", async (_, options, ids, isCut) => {
    const { list } = await openWith(5);
    expect(await list(options)).toEqual({ broken: [], isCut, ids });
  });

  it("is in the order of the times at which the operations began", async () => {
    const { list, memory, write } = openJournal();
    for (const [number, second] of [
      [2, 30],
      [1, 10],
      [3, 20],
    ] as const)
      await write(number, { ...sending, at: time(second) }, created());
    expect((await list()).ids).toEqual([1, 3, 2]);
    expect(await memory.logs("op-")).toEqual([nameOf(1), nameOf(2), nameOf(3)].sort());
  });

  it("has the others where one cannot be trusted, and fails where the store does", async () => {
    const { append, list } = await openWith(4);
    await append(nameOf(2), 2, { writer: "w" });
    expect(await list()).toMatchObject({ broken: [nameOf(2)], ids: [1, 3, 4] });
    let isDown = false;
    const failing = await openWith(4, (store) => ({
      read: async (name) => {
        if (name === nameOf(2) && isDown) throw refusing(true);
        return store.read(name);
      },
    }));
    isDown = true;
    await expect(failing.list()).rejects.toThrow("no route to the host");
  });

  it("of what is unsettled has no log that is settled by now, and no probe", async () => {
    const { idsOf, journal, write } = await openWith(4);
    expect(idsOf((await journal.unsettled()).logs)).toEqual([3]);
    await write(3, created());
    expect(await journal.unsettled()).toEqual({ logs: [], changes: [], broken: [] });
  });

  it.each([
    ["its own id", numberedId(2), [2]],
    ["the id of the service", "service-4", [4]],
    ["the id of an unsettled one", numberedId(3), [3]],
    ["an id that nothing has", "none", []],
  ])("of operations with %s has these", async (_, id, ids) => {
    const { find } = await openWith(5);
    expect(await find(id)).toEqual({ ids, broken: [] });
    expect(await find(id, [])).toEqual({ ids, broken: [] });
  });

  it("of operations with an id has one among many, whatever the letter case of the service", async () => {
    const { find, write } = await openWith(4);
    for (let number = 100; number < 450; number += 1)
      await write(number, sending, created(`SERVICE-${number}`));
    expect(await find("service-1")).toEqual({ ids: [1], broken: [] });
    expect(await find("service-101")).toEqual({ ids: [101], broken: [] });
  });

  it("of operations with an id tells what cannot be read only where it may be the one", async () => {
    const { append, find } = await openWith(5);
    await append(nameOf(1), 2, { writer: "w" });
    await append(nameOf(3), 1, { writer: "w" });
    expect(await find(numberedId(2))).toEqual({ ids: [2], broken: [] });
    expect(await find(numberedId(1))).toEqual({ ids: [], broken: [nameOf(1)] });
    expect(await find("service-5")).toEqual({ ids: [5], broken: [] });
    expect(await find("none")).toEqual({ ids: [], broken: [] });
  });
});

it("the name of an operation has no letter case", () => {
  expect(operationName({ ...service, id: incidentId.toUpperCase() })).toBe(
    operationName({ ...service, id: incidentId }),
  );
});
