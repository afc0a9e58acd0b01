// The outcome of an attempt that a shared journal does not accept: kept on this machine, and appended later, once.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import type { LoggedContent, OperationEvent } from "../../../src/journal/events.ts";
import {
  appendPendingEvents,
  checkPending,
  withPendingEvents,
} from "../../../src/journal/fleet/pending-events.ts";
import { openPrivateFolder } from "../../../src/journal/folder/private-files.ts";
import { createJournal, type Journal } from "../../../src/journal/journal.ts";
import { createMemoryStore } from "../../../src/journal/memory-store.ts";
import { createClock, temporaryFolder } from "../../harness/incident.ts";

const at = "2026-03-10T08:30:00.000Z";
const service = { baseUrl: "http://service.example", account: "a" };
const key = { ...service, id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
const shown = "git+ssh://host/journal";
const sending: OperationEvent = {
  type: "sending",
  at,
  withId: true,
  deadline: 1000,
  content: { digest: "digest" },
};
const uncertain: OperationEvent = { type: "uncertain", at, attempt: 0, reason: "no answer" };
const created: OperationEvent = { type: "created", at, by: "answer", serviceId: key.id };

/** A shared journal with one attempt that has no ending. `failures`: how often an append of it fails from now on. */
async function openMachine(signal = new AbortController().signal) {
  const clock = createClock();
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };
  const root = temporaryFolder();
  const folder = openPrivateFolder(
    { files: fs, system: { random, user: process.getuid?.() } },
    root,
    join(root, "kept"),
  );
  const attempts = openPrivateFolder(
    { files: fs, system: { random, user: process.getuid?.() } },
    root,
    join(root, "attempts"),
  );
  const bootTime = () => ({ boot: "b", elapsed: clock.monotonic() });
  const plain = createJournal({ store: createMemoryStore(), writer: random.guid, clock });
  const failures: Failure[] = [];
  let appends = 0;
  const shared: Journal = {
    ...plain,
    async append(log, event) {
      appends += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return plain.append(log, event);
    },
  };
  const sent = (await plain.append(await plain.read(key), sending)).log;
  const deps = { system: { bootTime, clock, random, signal }, attempts, folder, shown };
  const journal = withPendingEvents(shared, deps);
  return {
    clock,
    failures,
    folder,
    journal,
    plain,
    sent,
    shared,
    appends: () => appends,
    attempts,
    deps,
    appendPending: () => appendPendingEvents(shared, deps),
    typesIn: async () => (await plain.read(key)).events.map(({ type }) => type),
  };
}

const unreachable = (retryable = true) =>
  new Failure("unavailable", "the journal cannot be reached", { hint: "try again", retryable });
const always = () => Array.from({ length: 1000 }, () => unreachable());

describe("the outcome of an attempt", () => {
  it("is appended again for half a minute, at growing intervals", async () => {
    const { appends, clock, failures, journal, sent, typesIn } = await openMachine();
    failures.push(...Array.from({ length: 5 }, () => unreachable()));
    const start = clock.monotonic();
    expect((await journal.append(sent, uncertain)).result).toBe("ours");
    expect(clock.monotonic() - start).toBe(500 + 1000 + 2000 + 5000 + 5000);
    expect(appends()).toBe(6);
    expect(await typesIn()).toEqual(["sending", "uncertain"]);
  });

  it("is kept once the half minute is over, and appended by a later command, once", async () => {
    const { appendPending, clock, failures, folder, journal, sent, typesIn } = await openMachine();
    failures.push(...always());
    const start = clock.monotonic();
    await expect(journal.append(sent, uncertain)).rejects.toThrow("cannot be reached");
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(30_000);
    expect(clock.monotonic() - start).toBeLessThan(36_000);
    expect(folder.names()).toHaveLength(1);
    failures.length = 0;
    await appendPending();
    await appendPending();
    expect(await typesIn()).toEqual(["sending", "uncertain"]);
    expect(folder.names()).toEqual([]);
  });

  it.each<OperationEvent>([
    uncertain,
    created,
    { type: "unsent", at, attempt: 0, reason: "no connection" },
    { type: "refused", at, attempt: 0, status: 403, message: "Forbidden" },
    { type: "created", at, by: "reading", serviceId: key.id },
  ])("is kept at once where another attempt is of no use: %o", async (event) => {
    const { appends, failures, folder, journal, sent } = await openMachine();
    failures.push(unreachable(false));
    await expect(journal.append(sent, event)).rejects.toThrow("cannot be reached");
    expect(appends()).toBe(1);
    const [name = ""] = folder.names();
    expect(JSON.parse(folder.read(name) ?? "")).toEqual({ key, event, journal: shown });
  });

  it("is kept at once where the run is interrupted", async () => {
    const controller = new AbortController();
    controller.abort("SIGINT");
    const { appends, failures, folder, journal, sent } = await openMachine(controller.signal);
    failures.push(unreachable());
    await expect(journal.append(sent, uncertain)).rejects.toThrow("cannot be reached");
    expect(appends()).toBe(1);
    expect(folder.names()).toHaveLength(1);
  });

  it("is not kept where the tool itself fails", async () => {
    const { folder, journal, sent, shared } = await openMachine();
    shared.append = () => Promise.reject(new TypeError("x is undefined"));
    await expect(journal.append(sent, uncertain)).rejects.toThrow(TypeError);
    expect(folder.names()).toEqual([]);
  });

  it.each<OperationEvent>([
    sending,
    { type: "acknowledged", at },
    { type: "not-created", at },
    { type: "resend", at },
    { type: "created", at, by: "person", serviceId: key.id },
  ])("is not what can be done again: $type", async (event) => {
    const { appends, failures, folder, journal, sent } = await openMachine();
    failures.push(unreachable());
    await expect(journal.append(sent, event)).rejects.toThrow("cannot be reached");
    expect(appends()).toBe(1);
    expect(folder.names()).toEqual([]);
  });
});

describe("a pending event", () => {
  async function withPending(event: OperationEvent) {
    const machine = await openMachine();
    machine.failures.push(unreachable(false));
    await expect(machine.journal.append(machine.sent, event)).rejects.toThrow("cannot be reached");
    return machine;
  }

  it.each([true, false])(
    "stays until it is appended, and says whether that may be tried again: %s",
    async (retryable) => {
      const { appendPending, failures, folder, typesIn } = await withPending(uncertain);
      failures.push(unreachable(retryable));
      await expect(appendPending()).rejects.toMatchObject({
        message: expect.stringContaining("has not recorded the outcome of an earlier create"),
        hint: "nothing was sent; try again",
        retryable,
      });
      expect(folder.names()).toHaveLength(1);
      await appendPending();
      expect(folder.names()).toEqual([]);
      expect(await typesIn()).toEqual(["sending", "uncertain"]);
    },
  );

  it("stays where another journal is open", async () => {
    const { appendPending, deps, folder, shared, typesIn } = await withPending(uncertain);
    await appendPendingEvents(shared, { ...deps, shown: "postgres://elsewhere" });
    expect(folder.names()).toHaveLength(1);
    expect(await typesIn()).toEqual(["sending"]);
    await appendPending();
    expect(folder.names()).toEqual([]);
  });

  it("belongs to the open journal where it does not name one, as in 0.2.0", async () => {
    const { appendPending, folder, typesIn } = await openMachine();
    folder.replace("old.json", JSON.stringify({ key, event: uncertain }));
    await appendPending();
    expect(folder.names()).toEqual([]);
    expect(await typesIn()).toEqual(["sending", "uncertain"]);
  });

  it("follows the events of others, in a log that went on meanwhile", async () => {
    const { appendPending, plain, sent, shared, typesIn } = await withPending(created);
    const append = shared.append;
    let isFirst = true;
    shared.append = async (log, event) => {
      if (isFirst) await plain.append(sent, { type: "resend", at });
      isFirst = false;
      return append(log, event);
    };
    await appendPending();
    expect(await typesIn()).toEqual(["sending", "resend", "created"]);
  });

  it.each<[string, OperationEvent, OperationEvent]>([
    ["the incident is known", uncertain, created],
    ["the incident is known to have been declared", created, created],
    ["a person settled it", uncertain, { type: "not-created", at }],
  ])("is left out where %s", async (_, pending, known) => {
    const { appendPending, folder, plain, sent, typesIn } = await withPending(pending);
    await plain.append(sent, known);
    await appendPending();
    expect(await typesIn()).toEqual(["sending", known.type]);
    expect(folder.names()).toEqual([]);
  });

  it("is appended where it says that the incident exists, whatever a person settled", async () => {
    const { appendPending, plain, sent, typesIn } = await withPending(created);
    await plain.append(sent, { type: "not-created", at });
    await appendPending();
    expect(await typesIn()).toEqual(["sending", "not-created", "created"]);
  });

  it.each([
    ["another journal", service, "postgres://elsewhere", true],
    ["its own journal", service, shown, false],
    ["the journal of this machine alone", service, undefined, true],
    ["another journal, for another account", { ...service, account: "b" }, "postgres://elsewhere", false],
    ["another journal, for no account", { ...service, account: undefined }, "postgres://elsewhere", false],
    [
      "another journal, for another service",
      { ...service, baseUrl: "http://other.example" },
      "postgres://elsewhere",
      false,
    ],
  ])("stops a send with %s", async (_, forService, other, isStopped) => {
    const { folder } = await withPending(uncertain);
    const check = () => checkPending([folder], { ...key, ...forService }, undefined, other);
    if (isStopped)
      expect(check).toThrow(`the create of ${key.id} was sent from here, and its shared journal`);
    else expect(check).not.toThrow();
  });

  it.each([
    ["of 0.2.0, which names no journal, stops a send with the journal of this machine", undefined, true],
    ["of 0.2.0, which names no journal, belongs to the open one", "postgres://elsewhere", false],
  ])("%s", async (_, other, isStopped) => {
    const { folder } = await openMachine();
    folder.replace("old.json", JSON.stringify({ key, event: uncertain }));
    const check = () => checkPending([folder], key, undefined, other);
    if (isStopped) expect(check).toThrow("was sent from here");
    else expect(check).not.toThrow();
  });

  it.each<[string, string, LoggedContent | undefined, LoggedContent | undefined, boolean]>([
    ["its id", key.id, { digest: "a", name: "A" }, { digest: "b", name: "B" }, true],
    ["its content", "another", { digest: "a", name: "A" }, { digest: "a", name: "B" }, true],
    ["its name", "another", { digest: "a", name: "A" }, { digest: "b", name: " a" }, true],
    ["another content and name", "another", { digest: "a", name: "A" }, { digest: "b", name: "B" }, false],
    ["another content, where it has no name", "another", { digest: "a" }, { digest: "b", name: "B" }, true],
    ["any content, where its own is not known", "another", undefined, { digest: "b", name: "B" }, true],
  ])("stops a send around its journal with %s", async (_, id, sent, content, isStopped) => {
    const { attempts, folder } = await openMachine();
    const event = sent === undefined ? uncertain : { ...sending, content: sent };
    attempts.replace("attempt.json", JSON.stringify({ key, event, journal: shown }));
    folder.replace("outcome.json", JSON.stringify({ key, event: uncertain, journal: shown }));
    const check = () => checkPending([attempts, folder], { ...key, id }, content);
    if (isStopped) expect(check).toThrow(`the create of ${key.id} was sent from here`);
    else expect(check).not.toThrow();
  });

  it("is named where several are left: the first", async () => {
    const { folder } = await openMachine();
    for (const id of ["first", "second"])
      folder.replace(`${id}.json`, JSON.stringify({ key: { ...key, id }, event: uncertain }));
    expect(() => checkPending([folder], key, undefined)).toThrow("the create of first was sent from here");
  });

  it("names the id under which it was declared", async () => {
    const { folder } = await withPending(created);
    expect(() => checkPending([folder], key, undefined)).toThrow(`(declared as ${key.id})`);
  });
});

describe("an attempt with a shared journal", () => {
  const next: OperationEvent = { ...sending, bootTime: { boot: "b", elapsed: 0 } };
  const again: OperationEvent = { type: "resend", at };

  /** A machine that begins an attempt. The operation has an earlier one, which a person settled. */
  async function withAttempt(outcome?: OperationEvent) {
    const machine = await openMachine();
    const { journal, plain, sent } = machine;
    const free = (await plain.append(sent, { type: "not-created", at })).log;
    const { log } = await journal.append(free, next);
    const isKept = () => machine.attempts.names().length === 1;
    if (outcome !== undefined) await journal.append(log, outcome);
    return { ...machine, free, isKept, log };
  }

  it("is remembered before its event is in the journal", async () => {
    const { attempts, deps, free, plain } = await withAttempt();
    const before = attempts.names().length;
    let kept = 0;
    const append: Journal["append"] = async (log, event) => {
      kept = attempts.names().length - before;
      return plain.append(log, event);
    };
    const lost = await withPendingEvents({ ...plain, append }, deps).append(free, next);
    // Another process took the step, so this one sends nothing.
    expect([lost.result, kept, attempts.names().length]).toEqual(["lost", 1, before]);
  });

  it.each<[string, OperationEvent | undefined, boolean]>([
    ["in the journal", created, false],
    ["that it was refused", { type: "refused", at, attempt: 2, status: 403, message: "" }, false],
    ["that nothing was sent", { type: "unsent", at, attempt: 2, reason: "" }, false],
    ["unknown", { type: "uncertain", at, attempt: 2, reason: "" }, true],
    ["not in the journal", undefined, true],
  ])("with its outcome %s", async (_, outcome, isRemembered) => {
    const { attempts, isKept } = await withAttempt(outcome);
    expect(isKept()).toBe(isRemembered);
    const check = () => checkPending([attempts], key, undefined);
    if (isRemembered) expect(check).toThrow(`the create of ${key.id} was sent from here`);
    else expect(check).not.toThrow();
  });

  it("is forgotten where its event could not be appended", async () => {
    const { attempts, failures, free, journal } = await withAttempt(created);
    failures.push(unreachable());
    await expect(journal.append(free, next)).rejects.toThrow("cannot be reached");
    expect(attempts.names()).toEqual([]);
  });

  it("is forgotten by a later command once somebody settled it, and by no other journal", async () => {
    const { appendPending, deps, isKept, log, plain, shared } = await withAttempt();
    await appendPending();
    expect(isKept()).toBe(true);
    await plain.append((await plain.append(log, again)).log, { type: "not-created", at });
    await appendPendingEvents(shared, { ...deps, shown: "postgres://elsewhere" });
    expect(isKept()).toBe(true);
    await appendPending();
    expect(isKept()).toBe(false);
  });

  it("is one of several of its process, and all are forgotten with their outcome", async () => {
    const { attempts, journal, log } = await withAttempt();
    const permitted = (await journal.append((await journal.append(log, again)).log, next)).log;
    expect(attempts.names()).toHaveLength(2);
    await journal.append(permitted, { ...created, by: "reading" });
    expect(attempts.names()).toEqual([]);
  });

  /** Another attempt than that of the journal, which is kept as `event`. */
  async function withOther(event: OperationEvent, id = key.id.replace("7c", "8c")) {
    const machine = await withAttempt(created);
    const { attempts, deps } = machine;
    attempts.replace("other.json", JSON.stringify({ key: { ...key, id }, event, journal: deps.shown }));
    return { ...machine, isKept: () => attempts.names().length === 1 };
  }

  it("is kept while this machine cannot tell since when it runs", async () => {
    const { deps, isKept, shared } = await withOther({ ...next, bootTime: { boot: "a", elapsed: 0 } });
    await appendPendingEvents(shared, { ...deps, system: { bootTime: () => undefined } });
    expect(isKept()).toBe(true);
  });

  it("is left to its sender, before its event is in the journal, until no byte can leave", async () => {
    const { appendPending, clock, isKept } = await withOther({
      ...next,
      bootTime: { boot: "b", elapsed: 500 },
    });
    await appendPending();
    expect(isKept()).toBe(true);
    clock.advance(1500 - clock.monotonic());
    await appendPending();
    expect(isKept()).toBe(true);
    clock.advance(1);
    await appendPending();
    expect(isKept()).toBe(false);
  });

  it.each<[string, OperationEvent, string | undefined, boolean]>([
    [
      "that began before this machine was started",
      { ...next, bootTime: { boot: "a", elapsed: 0 } },
      undefined,
      false,
    ],
    ["of a machine without a clock of its boot", sending, undefined, false],
    ["that is in the journal", next, key.id, false],
    ["that is not the one in the journal", { ...next, at: "2026-03-10T09:30:00.000Z" }, key.id, true],
    ["whose time is that of another event", { ...next, at: "2026-03-10T10:30:00.000Z" }, key.id, true],
  ])("%s is kept or not", async (_, event, id, isRemembered) => {
    const { appendPending, isKept, plain } = await withOther(event, id);
    const known = await plain.read(key);
    await plain.append(known, { type: "acknowledged", at: "2026-03-10T10:30:00.000Z" });
    await appendPending();
    expect(isKept()).toBe(isRemembered);
  });
});
