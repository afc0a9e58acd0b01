// The journal of this machine beside a shared one: a copy of what it appended, the endings that the shared journal did not
// take, and evidence of what the shared journal has lost.
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import { createClaims } from "../../../src/journal/claims.ts";
import type { EventStore } from "../../../src/journal/event-store.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { copyLogs } from "../../../src/journal/fleet/copy-logs.ts";
import { createOutbox } from "../../../src/journal/fleet/outbox.ts";
import { createJournal, operationName } from "../../../src/journal/journal.ts";
import { at, requestOf } from "../../delivery/in-memory/deliveries.ts";
import { createClock } from "../../harness/incident.ts";
import { createMemoryFiles } from "../../harness/memory-files.ts";
import { createFolderStore, createMemoryStore } from "../open-stores.ts";

const { content } = requestOf();
const service = { baseUrl: "http://service.example", account: "a" };
const key = { ...service, id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
const name = operationName(key);
const sending: OperationEvent = { type: "sending", at, withId: true, deadline: 1000, content };
const uncertain: OperationEvent = { type: "uncertain", at, attempt: 0, reason: "no answer" };
const created: OperationEvent = { type: "created", at, by: "answer", serviceId: key.id };
const settled: OperationEvent = { type: "not-created", at };

const unreachable = (retryable = true) =>
  new Failure("unavailable", "the journal cannot be reached", { hint: "try again", retryable });

/** Machines that share a store, which can fail, and lose what it has. */
function createFleet() {
  const clock = createClock();
  let logs = createMemoryStore();
  const failures: Failure[] = [];
  let appends = 0;
  const shared: EventStore = {
    append: async (given) => {
      appends += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return logs.append(given);
    },
    read: (log) => logs.read(log),
    unsettled: async () => [],
    logs: (prefix) => logs.logs(prefix),
    newest: (limit) => logs.newest(limit),
    find: () => logs.logs("op-"),
    prune: (given) => logs.prune(given),
    sweep: async () => undefined,
  };
  function openMachine({ signal = new AbortController().signal } = {}) {
    const files = createMemoryFiles("/state");
    const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
    const local = createFolderStore({ files, system: { random, user: undefined } }, "/state");
    const writer = random.guid;
    const open = () => {
      const outbox = createOutbox(shared, local, {
        system: { clock, signal },
        writer,
      });
      const deps = { store: outbox.store, writer, clock, signal, copy: outbox.copy };
      const journal = outbox.withEndingsKept(createJournal(deps));
      const bootTime = () => ({ boot: "b", elapsed: 0 });
      return {
        claims: createClaims({ ...deps, journal, system: { bootTime } }),
        journal,
        store: outbox.store,
      };
    };
    return { files, local, open, ...open() };
  }
  const typesIn = async (store: Pick<EventStore, "read">) =>
    (await store.read(name)).events.map(({ event }) => (event as OperationEvent).type);
  return {
    clock,
    failures,
    openMachine,
    shared,
    appends: () => appends,
    /** As from a backup of before the first event. */
    lose: () => {
      logs = createMemoryStore();
    },
    typesIn,
    types: () => typesIn(shared),
  };
}

type Machine = ReturnType<ReturnType<typeof createFleet>["openMachine"]>;

const append = async ({ journal }: Pick<Machine, "journal">, ...events: readonly OperationEvent[]) => {
  let log = await journal.read(key);
  for (const event of events) ({ log } = await journal.append(log, event));
  return log;
};

describe("an event that a shared journal takes", () => {
  it("is copied to this machine with its text, which the journal does not hold", async () => {
    const { openMachine, shared } = createFleet();
    const machine = openMachine();
    await append(machine, sending, uncertain);
    const [first, second] = (await shared.read(name)).events;
    expect(first?.event).toEqual({
      ...sending,
      content: expect.not.objectContaining({ body: expect.anything() }),
    });
    expect(second?.event).toEqual({ ...uncertain, reason: "" });
    const steps = async (store: EventStore) => (await store.read(name)).events.map(({ event }) => event);
    expect(await steps(machine.local)).toEqual([sending, uncertain]);
    expect(await steps(machine.open().store)).toEqual([sending, uncertain]);
    expect(await machine.local.newest(9)).toEqual([name]);
    // Another machine has no text.
    expect(await steps(openMachine().store)).toEqual([first?.event, second?.event]);
  });

  it("has the events of other machines before it in the copy", async () => {
    const { openMachine, typesIn } = createFleet();
    const [one, other] = [openMachine(), openMachine()];
    await append(one, sending, uncertain);
    await append(other, settled, { ...sending, at: "later" });
    expect(await typesIn(other.local)).toEqual(["sending", "uncertain", "not-created", "sending"]);
    expect(await typesIn(one.local)).toEqual(["sending", "uncertain"]);
  });

  it("is copied before anyone relies on it, also where the journal did not say that it took it", async () => {
    const fleet = createFleet();
    const machine = fleet.openMachine();
    const { append: take } = fleet.shared;
    fleet.shared.append = async (given) => {
      await take(given);
      return given.map(() => "unknown");
    };
    const reopened = machine.open();
    await append(reopened, sending);
    expect(await fleet.typesIn(machine.local)).toEqual(["sending"]);
  });

  it("is not copied where another process took the step", async () => {
    const { openMachine, typesIn } = createFleet();
    const [one, other] = [openMachine(), openMachine()];
    const stale = await one.journal.read(key);
    await append(other, sending);
    expect((await one.journal.append(stale, sending)).result).toBe("lost");
    expect(await typesIn(one.local)).toEqual([]);
  });

  it("sends nothing where this machine has sent the operation with another journal meanwhile", async () => {
    const { openMachine } = createFleet();
    const machine = openMachine();
    const log = await machine.journal.read(key);
    await createJournal({ store: machine.local, writer: () => "folder", clock: createClock() }).append(log, {
      ...sending,
      at: "2026-03-11T08:30:00.000Z",
    });
    await expect(machine.journal.append(log, sending)).rejects.toMatchObject({
      kind: "uncertain",
      message: `the create of ${key.id} is in the journal of this machine, where its outcome is not known, and the shared journal has another attempt`,
      hint: `nothing was sent; find out whether the incident exists, then run INCIDENT_CLI_JOURNAL=folder incident journal settle ${key.id}`,
    });
  });

  it("is listed as unsettled on this machine until another machine has settled it", async () => {
    const { openMachine } = createFleet();
    const [one, other] = [openMachine(), openMachine()];
    await append(one, sending);
    expect(await one.local.unsettled()).toEqual([name]);
    await append(other, created);
    expect((await one.journal.unsettled()).logs).toEqual([]);
    expect(await one.local.unsettled()).toEqual([]);
  });
});

describe("what a shared journal has lost", () => {
  const put = { command: ["incident", "journal", "copy", "--to", "shared"], purpose: "put it back" };

  it.each<[string, readonly OperationEvent[], string]>([
    ["an attempt", [sending], ", where its outcome is not known"],
    ["an incident", [sending, created], `, where it was declared as ${key.id}`],
    ["a refusal", [sending, { type: "refused", at, attempt: 0, status: 403, message: "" }], ""],
  ])("is not sent again from here until it is put back: %s", async (_, events, outcome) => {
    const { clock, lose, openMachine, shared, types } = createFleet();
    const machine = openMachine();
    await append(machine, ...events);
    lose();
    const { journal } = machine.open();
    await expect(journal.read(key)).rejects.toMatchObject({
      kind: "uncertain",
      message: `the create of ${key.id} is in the journal of this machine${outcome}, and not in the shared one, which lost entries or is another one`,
      hint: "nothing was sent; put back what this machine knows, then run it again",
      details: { commands: [put] },
    });
    expect(await types()).toEqual([]);
    await copyLogs({ clock }, machine.local, shared);
    expect((await journal.read(key)).events).toEqual(events);
  });

  it("is shown, and nothing can be appended to it", async () => {
    const { lose, openMachine, types } = createFleet();
    const machine = openMachine();
    await append(machine, sending);
    lose();
    const { journal } = machine.open();
    const { logs } = await journal.unsettled();
    expect(logs.map(({ state }) => state)).toEqual(["sending"]);
    const [log = await journal.read(key)] = logs;
    await expect(journal.append(log, settled)).rejects.toMatchObject({ kind: "uncertain" });
    expect(await types()).toEqual([]);
  });

  it("is found here by the service's own id", async () => {
    const { lose, openMachine } = createFleet();
    const machine = openMachine();
    await append(machine, sending, { ...created, serviceId: "Service-1" });
    lose();
    const { logs } = await machine.open().journal.find("service-1", []);
    expect(logs.map(({ created, lost }) => [created?.serviceId, lost?.kind])).toEqual([
      ["Service-1", "uncertain"],
    ]);
    expect((await openMachine().journal.find("service-1", [])).logs).toEqual([]);
  });

  it("keeps no other machine from sending", async () => {
    const { lose, openMachine } = createFleet();
    await append(openMachine(), sending, created);
    lose();
    expect((await openMachine().journal.read(key)).state).toBe("new");
  });

  it("is a claim as well, and only --new declares another incident", async () => {
    const { lose, openMachine } = createFleet();
    const machine = openMachine();
    const claimed = { digest: "d", occurrence: 1, claimed: new Set<string>() };
    let ids = 0;
    const claim = ({ claims }: Pick<Machine, "claims">, isNew: boolean) =>
      claims.claim(
        service,
        claimed,
        () => `id-${++ids}`,
        isNew,
        async () => undefined,
      );
    expect((await claim(machine, false)).key.id).toBe("id-1");
    lose();
    await expect(claim(machine.open(), false)).rejects.toMatchObject({
      kind: "uncertain",
      message:
        "the create of id-1 is in the journal of this machine, and not in the shared one, which lost entries or is another one",
      details: { commands: [put] },
    });
    expect((await claim(machine.open(), true)).key.id).toBe("id-2");
  });
});

describe("the ending of an attempt", () => {
  const always = () => Array.from({ length: 1000 }, () => unreachable());

  it("is appended again for half a minute, at growing intervals", async () => {
    const { appends, clock, failures, openMachine, types } = createFleet();
    const { journal } = openMachine();
    const log = await append({ journal }, sending);
    failures.push(...Array.from({ length: 5 }, () => unreachable()));
    const start = clock.monotonic();
    expect((await journal.append(log, uncertain)).result).toBe("ours");
    expect(clock.monotonic() - start).toBe(500 + 1000 + 2000 + 5000 + 5000);
    expect(appends()).toBe(7);
    expect(await types()).toEqual(["sending", "uncertain"]);
  });

  /** A machine that keeps the ending of its attempt. */
  async function withEnding(event: OperationEvent, ...given: readonly Failure[]) {
    const fleet = createFleet();
    const machine = fleet.openMachine();
    const log = await append(machine, sending);
    fleet.failures.push(...given);
    await expect(machine.journal.append(log, event)).rejects.toThrow("cannot be reached");
    fleet.failures.length = 0;
    return { ...fleet, machine };
  }

  it("is kept once the half minute is over", async () => {
    const { clock, machine, typesIn } = await withEnding(uncertain, ...always());
    expect(clock.monotonic()).toBeGreaterThanOrEqual(30_000);
    expect(clock.monotonic()).toBeLessThan(36_000);
    expect(await typesIn(machine.local)).toEqual(["sending", "uncertain"]);
  });

  it.each<OperationEvent>([
    uncertain,
    created,
    { type: "unsent", at, attempt: 0, reason: "no connection" },
    { type: "refused", at, attempt: 0, status: 403, message: "Forbidden" },
    { type: "created", at, by: "reading", serviceId: key.id },
  ])(
    "is kept at once where another attempt is of no use, and taken once, by a reading: $type",
    async (event) => {
      const { appends, machine, types, typesIn } = await withEnding(event, unreachable(false));
      expect(appends()).toBe(2);
      expect(await typesIn(machine.local)).toEqual(["sending", event.type]);
      expect(await types()).toEqual(["sending"]);
      for (const _ of [1, 2]) await machine.open().journal.read(key);
      expect(await types()).toEqual(["sending", event.type]);
    },
  );

  it("is kept at once where the run is interrupted", async () => {
    const { failures, openMachine, typesIn } = createFleet();
    const controller = new AbortController();
    const machine = openMachine({ signal: controller.signal });
    const log = await append(machine, sending);
    controller.abort("SIGINT");
    failures.push(unreachable());
    await expect(machine.journal.append(log, uncertain)).rejects.toThrow("cannot be reached");
    expect(await typesIn(machine.local)).toEqual(["sending", "uncertain"]);
  });

  it.each<OperationEvent>([sending, { type: "acknowledged", at }, settled, { type: "resend", at }])(
    "is not what can be done again: $type",
    async (event) => {
      const { failures, openMachine, typesIn } = createFleet();
      const machine = openMachine();
      const log = await append(machine, sending);
      failures.push(unreachable());
      await expect(machine.journal.append(log, event)).rejects.toThrow("cannot be reached");
      expect(await typesIn(machine.local)).toEqual(["sending"]);
    },
  );

  it("is left out where a person settled it, unless it says that the incident exists", async () => {
    for (const [event, types] of [
      [uncertain, ["sending", "not-created"]],
      [created, ["sending", "not-created", "created"]],
    ] as const) {
      const fleet = await withEnding(event, unreachable(false));
      await append(fleet.openMachine(), settled);
      await fleet.machine.open().journal.read(key);
      expect(await fleet.types()).toEqual(types);
    }
  });

  it("leaves the log as it is while it cannot be appended", async () => {
    const { failures, machine } = await withEnding(created, unreachable(false));
    failures.push(...always());
    expect((await machine.open().journal.read(key)).state).toBe("sending");
  });
});
