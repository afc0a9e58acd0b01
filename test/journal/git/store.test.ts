// How an append to a journal in git ends, by what the host makes of each push; and the reads beside it.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import type { ScratchRepository } from "../../../src/journal/git/scratch-repository.ts";
import { createStoreAt } from "../../../src/journal/git/store.ts";
import { jsonDigest } from "../../../src/text/json-digest.ts";
import { appendOf } from "../event-store.ts";
import { createMemoryHost, type MemoryHost } from "./memory-repository.ts";

const root = "refs/j";
const log = "op-1";
const bucketOf = (name: string) => Number.parseInt(jsonDigest(name).slice(0, 8), 16) % 2048;

/** Another log of the same ref, and one of another ref in another list. */
const names = Array.from({ length: 20_000 }, (_, index) => `op-${index + 2}`);
const neighbour = names.find((name) => bucketOf(name) === bucketOf(log)) ?? "";
const stranger = names.find((name) => bucketOf(name) !== bucketOf(log)) ?? "";

type Push = ScratchRepository["push"];
type Answer = (push: Push, updates: Parameters<Push>[0], host: MemoryHost) => ReturnType<Push>;

/** What a host makes of a push, and what it says. */
const hosts = {
  /** The push is made, and the answer is lost. */
  lost: async (push, updates) => {
    await push(updates);
    return answer("unclear", "");
  },
  /** The push never arrives, and nobody says so. */
  dropped: async () => answer("unclear", ""),
  locked: async () => answer("refused", "error: cannot lock ref"),
  rules: async () => answer("refused", "", "! [remote rejected] (protected branch)"),
  /** The link broke after a part of the report. */
  partly: async () => answer("unclear", "", "! [remote rejected] (protected branch)"),
  login: async () => answer("unclear", "fatal: Authentication failed"),
  gone: async () => answer("unclear", "fatal: repository 'x' not found"),
  plain: async () => answer("unclear", "fatal: the receiving end does not support --atomic push"),
  /** A hook of the server hangs. */
  hung: async () => ({
    kind: "unclear",
    result: { exitCode: undefined, stdout: "", stderr: "", problem: "did not end" },
  }),
  /** Another machine is first, in the same log. */
  taken: async (push, updates, host) => {
    await createMachine(host).store.append([appendOf(0, "other", { log })]);
    return push(updates);
  },
  /** Another machine is first, in the same list. */
  overtaken: async (push, updates, host) => {
    await overtake(updates, host);
    return push(updates);
  },
  /** The same, and the host says no more than for a rule of its own. */
  beaten: async (_, updates, host) => {
    await overtake(updates, host);
    return answer("refused", "", "! [remote rejected] (incorrect old value)");
  },
} as const satisfies Record<string, Answer>;

type Habit = keyof typeof hosts;

const answer = (kind: "unclear" | "refused", stderr: string, stdout = "") => ({
  kind,
  result: { exitCode: kind === "refused" ? 1 : undefined, stdout, stderr },
});

async function overtake(updates: Parameters<Push>[0], host: MemoryHost): Promise<void> {
  const list = updates.find(({ ref }) => ref.includes("/list/"))?.ref ?? "";
  host.refs.set(list, await copyOf(host, host.refs.get(list)));
}

/** A commit with the list of another one, or an empty list. */
async function copyOf(host: MemoryHost, tip: string | undefined): Promise<string> {
  const record = host.commits.get(tip ?? "")?.record ?? {
    incident: 1,
    readBy: "0.2.0",
    open: [],
    newest: [],
  };
  return host.open().write(JSON.stringify(record), tip);
}

function createMachine(
  host: MemoryHost,
  habits: readonly Habit[] = [],
  changes: Partial<ScratchRepository> = {},
) {
  const own = host.open();
  const pauses: number[] = [];
  const warnings: string[] = [];
  let pushes = 0;
  let now = 1000;
  const controller = new AbortController();
  const push: Push = (updates) => {
    const habit = habits[pushes];
    pushes += 1;
    return habit === undefined ? own.push(updates) : hosts[habit](own.push, updates, host);
  };
  const clock = {
    now: () => now,
    monotonic: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
      pauses.push(milliseconds);
    },
  };
  const store = createStoreAt(
    {
      system: {
        clock: clock as never,
        random: { guid: () => crypto.randomUUID(), fraction: () => 0.75 },
        signal: controller.signal,
      },
      warn: (text) => warnings.push(text),
    },
    { shown: "the host", redact: (text) => text },
    { ...own, push, ...changes },
    root,
  );
  return { store, pauses, warnings, controller, pushes: () => pushes };
}

async function writersIn(host: MemoryHost, name = log) {
  const { first, events } = await createMachine(host).store.read(name);
  return [first, ...events.map(({ writer }) => writer)];
}

const repeat = (times: number, habit: Habit): readonly Habit[] => Array(times).fill(habit);

describe("an append to a journal in git", () => {
  it.each<[readonly Habit[], string, readonly number[], readonly unknown[]]>([
    [[], "ours", [], [0, "me"]],
    [["lost"], "ours", [], [0, "me"]],
    [["dropped"], "ours", [125], [0, "me"]],
    [repeat(4, "dropped"), "ours", [125, 625, 2500, 6250], [0, "me"]],
    [repeat(5, "dropped"), "unknown", [125, 625, 2500, 6250], [0]],
    [repeat(4, "locked"), "ours", [125, 625, 2500, 6250], [0, "me"]],
    [repeat(5, "locked"), "unavailable", [125, 625, 2500, 6250], [0]],
    [["rules"], "usage", [], [0]],
    [["partly"], "ours", [125], [0, "me"]],
    [["login"], "credentials", [], [0]],
    [["gone"], "usage", [], [0]],
    [["plain"], "usage", [], [0]],
    [["hung"], "ours", [125], [0, "me"]],
    [["hung", "dropped", "hung"], "ours", [125, 625, 2500], [0, "me"]],
    [["hung", "hung"], "unknown", [125, 625], [0]],
    [["taken"], "taken", [], [0, "other"]],
    [["dropped", "taken"], "taken", [125], [0, "other"]],
    [["overtaken"], "ours", [125], [0, "me"]],
    [["beaten"], "ours", [125], [0, "me"]],
    [repeat(50, "overtaken"), "ours", Array(50).fill(125), [0, "me"]],
    [repeat(51, "overtaken"), "unavailable", Array(50).fill(125), [0]],
    [["overtaken", "dropped"], "ours", [125, 125], [0, "me"]],
    [["dropped", "rules"], "unknown", [125], [0]],
    [["dropped", "login"], "unknown", [125], [0]],
    // A push that was not heard of expects a list that has moved on.
    [["dropped", "overtaken", "rules"], "usage", [125, 125], [0]],
  ])("is made or not where the host is %j: %s", async (habits, end, pauses, left) => {
    const host = createMemoryHost();
    await createMachine(host).store.append([appendOf(0, "start", { log: stranger })]);
    const machine = createMachine(host, habits);
    const given = appendOf(0, "me", { log, isUnsettled: true });
    const result = await machine.store.append([given]).catch((error: unknown) => [error]);
    expect(result.map((each) => (each instanceof Failure ? each.kind : each))).toEqual([end]);
    expect(machine.pauses).toEqual(pauses);
    expect(await writersIn(host)).toEqual(left);
  });

  it.each([
    ["lost", "unknown"],
    ["locked", "unavailable"],
  ] as const)("is %s and cannot be looked for: %s", async (habit, end) => {
    const host = createMemoryHost();
    const own = host.open();
    let isDown = false;
    const answerOf: Answer = hosts[habit];
    const machine = createMachine(host, [], {
      ...own,
      async fetch(...args) {
        if (isDown) throw new Failure("unavailable", "the host is down", { hint: "wait" });
        return own.fetch(...args);
      },
      async push(updates) {
        isDown = true;
        return answerOf(own.push, updates, host);
      },
    });
    const result = await machine.store
      .append([appendOf(0, "me", { log })])
      .catch((error: unknown) => [error]);
    expect(result.map((each) => (each instanceof Failure ? each.kind : each))).toEqual([end]);
  });

  it("waits for a host that hangs twice, says so, and then no more", async () => {
    const machine = createMachine(createMemoryHost(), repeat(9, "hung"));
    const append = appendOf(0, "me", { log });
    expect(await machine.store.append([append])).toEqual(["unknown"]);
    const again = await machine.store.append([append]).catch((error: Failure) => error);
    expect(again).toMatchObject({
      kind: "unavailable",
      retryable: false,
      message: "the journal at the host cannot be written: git did not end within 20 seconds, twice",
    });
    expect(machine.pushes()).toBe(2);
    expect(machine.warnings).toEqual(["the journal at the host is slow: trying a push once more"]);
  });

  it("is not repeated after Ctrl-C", async () => {
    const machine = createMachine(createMemoryHost(), ["dropped"]);
    machine.controller.abort();
    expect(await machine.store.append([appendOf(0, "me", { log })])).toEqual(["unknown"]);
    expect([machine.pushes(), machine.pauses]).toEqual([1, []]);
  });

  it("is written again where the repository has other objects", async () => {
    let adoptions = 0;
    const adopt = () => {
      adoptions += 1;
      return adoptions === 1;
    };
    const host = createMemoryHost();
    const machine = createMachine(host, ["rules"], { adopt });
    expect(await machine.store.append([appendOf(0, "me", { log })])).toEqual(["ours"]);
    expect([machine.pushes(), machine.pauses, await writersIn(host)]).toEqual([2, [], [0, "me"]]);
  });

  it("comes after the others of its log, in one push with them and those of its ref", async () => {
    const host = createMemoryHost();
    const machine = createMachine(host);
    const all = [
      appendOf(0, "a", { log }),
      appendOf(1, "b", { log, isUnsettled: true }),
      appendOf(0, "c", { log: neighbour }),
      appendOf(1, "late", { log }),
      appendOf(0, "d", { log: stranger }),
      appendOf(7, "early", { log: stranger }),
    ];
    expect(await machine.store.append(all)).toEqual(["ours", "ours", "ours", "taken", "ours", "taken"]);
    expect(machine.pushes()).toBe(1);
    const found = [log, neighbour, stranger].map((name) => writersIn(host, name));
    expect(await Promise.all(found)).toEqual([
      [0, "a", "b"],
      [0, "c"],
      [0, "d"],
    ]);
    expect(await createMachine(host).store.unsettled()).toEqual([log]);
    expect(await machine.store.prune(appendOf(2, "p", { log }))).toBe("ours");
    expect(await createMachine(host).store.unsettled()).toEqual([]);
    expect(await machine.store.append([appendOf(3, "q", { log })])).toEqual(["ours"]);
    expect(await writersIn(host)).toEqual([2, "p", "q"]);
    expect(await machine.store.read(log)).toMatchObject({
      first: 2,
      events: [{ writer: "p" }, { writer: "q" }],
    });
    expect(await createMachine(host).store.unsettled()).toEqual([]);
  });

  it("is made again where only another one of its push is taken", async () => {
    const host = createMemoryHost();
    const machine = createMachine(host, ["taken"]);
    const both = [appendOf(0, "me", { log }), appendOf(0, "me", { log: stranger })];
    expect(await machine.store.append(both)).toEqual(["taken", "ours"]);
    expect([await writersIn(host), await writersIn(host, stranger)]).toEqual([
      [0, "other"],
      [0, "me"],
    ]);
  });

  it("moves a list that is as new as the log", async () => {
    const host = createMemoryHost();
    const [one, other] = [createMachine(host), createMachine(host)];
    await one.store.append([appendOf(0, "a", { log, isUnsettled: true })]);
    expect(await other.store.unsettled()).toEqual([log]);
    await one.store.append([appendOf(1, "a", { log })]);
    await other.store.read(log);
    expect(await other.store.append([appendOf(2, "b", { log, isUnsettled: true })])).toEqual(["ours"]);
    expect(await createMachine(host).store.unsettled()).toEqual([log]);
    expect(other.pushes()).toBe(1);
  });

  it("of a new log needs no list beside those that were read", async () => {
    const host = createMemoryHost();
    const { store } = createMachine(host);
    await store.unsettled();
    await store.read(log);
    host.fetched.length = 0;
    expect(await store.append([appendOf(0, "a", { log })])).toEqual(["ours"]);
    expect(host.fetched).toEqual([]);
    await store.append([appendOf(1, "a", { log })]);
    host.fetched.length = 0;
    expect(await store.append([appendOf(2, "a", { log })])).toEqual(["ours"]);
    expect(host.fetched).toEqual([]);
  });

  it("reads the lists again that a new log has moved", async () => {
    const host = createMemoryHost();
    const [one, other] = [createMachine(host), createMachine(host)];
    expect(await other.store.unsettled()).toEqual([]);
    await one.store.append([appendOf(0, "a", { log })]);
    await other.store.read(log);
    expect(await other.store.append([appendOf(1, "b", { log, isUnsettled: true })])).toEqual(["ours"]);
    expect(other.pushes()).toBe(1);
  });

  it("is a commit that names its log and the version that reads it", async () => {
    const host = createMemoryHost();
    await createMachine(host).store.append([appendOf(0, "a", { log, isUnsettled: true })]);
    const [record] = [...host.commits.values()].map((commit) => commit.record);
    const event = { writer: "a", step: 0 };
    const [at, nonce] = [expect.any(Number), expect.any(String)];
    const fields = { log, at, number: 0, isUnsettled: true, nonce, event };
    expect(record).toEqual({ incident: 1, readBy: "0.2.0", ...fields });
  });
});

it("uses the logs beside one that cannot be trusted", async () => {
  const host = createMemoryHost();
  await createMachine(host).store.append([log, stranger].map((name) => appendOf(0, "a", { log: name })));
  const [, tip = ""] =
    [...host.refs].find(([ref]) => ref.endsWith(bucketOf(log).toString(16).padStart(3, "0"))) ?? [];
  Object.assign(host.commits.get(tip)?.record ?? {}, { number: 5 });
  const { store } = createMachine(host);
  await expect(store.read(log)).rejects.toThrow("its number does not follow");
  await expect(store.append([appendOf(1, "b", { log })])).rejects.toThrow("its number does not follow");
  expect(await store.append([appendOf(1, "b", { log: stranger })])).toEqual(["ours"]);
});

it("does one thing at a time in the repository, and goes on after a failure", async () => {
  const host = createMemoryHost();
  const own = host.open();
  let running = 0;
  let most = 0;
  let fetches = 0;
  const fetch: ScratchRepository["fetch"] = async (...args) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    fetches += 1;
    if (fetches === 2) throw new Failure("unavailable", "the host is down", { hint: "wait" });
    return own.fetch(...args);
  };
  const { store } = createMachine(host, [], { ...own, fetch });
  const ends = await Promise.allSettled([
    store.unsettled(),
    store.logs("op-"),
    store.read(log),
    store.newest(3),
    store.append([appendOf(0, "a", { log })]),
  ]);
  expect(most).toBe(1);
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await writersIn(host)).toEqual([0, "a"]);
});
