// How an append to a journal in git ends, by what the host makes of each push; and the readings beside it.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import type { ScratchRepository } from "../../../src/journal/git/scratch-repository.ts";
import { appendOf } from "../event-store.ts";
import { createStoreAt } from "../open-stores.ts";
import { createMemoryHost, type MemoryHost } from "./memory-repository.ts";

const root = "refs/j";
/** Two logs of one service, and one of another. */
const log = "op-00000000000a-1";
const neighbour = "op-00000000000a-2";
const stranger = "op-00000000000b-1";

type Push = ScratchRepository["push"];
type Answer = (push: Push, update: Parameters<Push>[0], host: MemoryHost) => ReturnType<Push>;

/** What a host makes of a push, and what it says. */
const hosts = {
  /** The push is made, and the answer is lost. */
  lost: async (push, update) => {
    await push(update);
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
  /** A hook of the server hangs. */
  hung: async () => ({
    kind: "unclear",
    result: { exitCode: undefined, stdout: "", stderr: "", problem: "did not end" },
  }),
  /** Another machine is first, in the same log. */
  taken: async (push, update, host) => {
    await createMachine(host).store.append([appendOf(0, "other", { log })]);
    return push(update);
  },
  /** Another machine is first, in another log of the service. */
  overtaken: async (push, update, host) => {
    await overtake(host);
    return push(update);
  },
  /** The same, and the host says no more than for a rule of its own. */
  beaten: async (_, __, host) => {
    await overtake(host);
    return answer("refused", "", "! [remote rejected] (incorrect old value)");
  },
} as const satisfies Record<string, Answer>;

type Habit = keyof typeof hosts;

function answer(kind: "refused" | "unclear", stderr: string, stdout = "") {
  return { kind, result: { exitCode: 1, stdout, stderr } } as const;
}

let others = 0;

async function overtake(host: MemoryHost) {
  others += 1;
  await createMachine(host).store.append([
    appendOf(0, `other-${others}`, { log: `op-00000000000a-other-${others}` }),
  ]);
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
  const push: Push = (update) => {
    const habit = habits[pushes];
    pushes += 1;
    return habit === undefined ? own.push(update) : hosts[habit](own.push, update, host);
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
    [["hung"], "ours", [125], [0, "me"]],
    [["hung", "dropped", "hung"], "ours", [125, 625, 2500], [0, "me"]],
    [["hung", "hung"], "unknown", [125, 625], [0]],
    [["taken"], "taken", [125], [0, "other"]],
    [["dropped", "taken"], "taken", [125, 125], [0, "other"]],
    [["overtaken"], "ours", [125], [0, "me"]],
    [["beaten"], "ours", [125], [0, "me"]],
    [repeat(50, "overtaken"), "ours", Array(50).fill(125), [0, "me"]],
    [repeat(200, "overtaken"), "unavailable", Array(200).fill(125), [0]],
    [["overtaken", "dropped"], "ours", [125, 125], [0, "me"]],
    [["dropped", "rules"], "unknown", [125], [0]],
    [["dropped", "login"], "unknown", [125], [0]],
    // A push that was not heard of expects the ref where it never is again.
    [["dropped", "overtaken", "rules"], "usage", [125, 125], [0]],
  ])("is made or not where the host is %j: %s", async (habits, end, pauses, left) => {
    const host = createMemoryHost();
    await createMachine(host).store.append([appendOf(0, "start", { log: neighbour })]);
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
      async push(update) {
        isDown = true;
        return answerOf(own.push, update, host);
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

  it("comes after the others of its log, in one push with them and those of its service", async () => {
    const host = createMemoryHost();
    const machine = createMachine(host);
    const all = [
      appendOf(0, "a", { log }),
      appendOf(1, "b", { log, isUnsettled: true }),
      appendOf(0, "c", { log: neighbour }),
      appendOf(1, "late", { log }),
      appendOf(7, "early", { log: neighbour }),
    ];
    expect(await machine.store.append(all)).toEqual(["ours", "ours", "ours", "taken", "taken"]);
    expect(machine.pushes()).toBe(1);
    expect([await writersIn(host), await writersIn(host, neighbour)]).toEqual([
      [0, "a", "b"],
      [0, "c"],
    ]);
    expect(await createMachine(host).store.unsettled()).toEqual([log]);
    expect(await machine.store.append([appendOf(2, "d", { log })])).toEqual(["ours"]);
    expect(await createMachine(host).store.unsettled()).toEqual([]);
  });

  it("is made again where only another one of its push is taken", async () => {
    const host = createMemoryHost();
    const machine = createMachine(host, ["taken"]);
    const both = [appendOf(0, "me", { log }), appendOf(0, "me", { log: neighbour })];
    expect(await machine.store.append(both)).toEqual(["taken", "ours"]);
    expect([await writersIn(host), await writersIn(host, neighbour)]).toEqual([
      [0, "other"],
      [0, "me"],
    ]);
  });

  it("is a commit that has its number, a random text, and the version that reads it", async () => {
    const host = createMemoryHost();
    await createMachine(host).store.append([appendOf(0, "a", { log, isUnsettled: true })]);
    const [record] = [...host.commits.values()].map((commit) => commit.record);
    const item = { log, number: 0, isUnsettled: true, event: { writer: "a", step: 0 } };
    const entry = { writer: "a", journal: 2, readBy: "0.4.0", at: expect.any(Number), appends: [item] };
    expect(record).toEqual({ nonce: expect.any(String), number: 0, entry });
    expect([...host.refs.keys()]).toEqual(["refs/j/00000000000a"]);
  });
});

describe("a reading of a journal in git", () => {
  /** A journal with this many events, each in a commit, and a snapshot where it was shortened. */
  async function fill(host: MemoryHost, events: number, isShortened = false) {
    const { store } = createMachine(host);
    for (let number = 0; number < events; number += 1)
      await store.append([appendOf(number, `w${number}`, { log })]);
    if (isShortened) await store.sweep(0);
    return store;
  }

  it("begins at the newest snapshot, and then fetches what is new", async () => {
    const host = createMemoryHost();
    const writer = await fill(host, 260, true);
    await writer.append([appendOf(260, "after", { log })]);
    host.fetched.length = 0;
    const { store } = createMachine(host);
    expect((await store.read(log)).events.at(-1)?.writer).toBe("after");
    await writer.append([appendOf(261, "later", { log })]);
    expect((await store.read(log)).events.at(-1)?.writer).toBe("later");
    expect(host.fetched.filter((depth) => depth !== undefined)).toEqual([320]);
  });

  it("fetches more where no snapshot is among the first commits", async () => {
    const host = createMemoryHost();
    await fill(host, 330);
    host.fetched.length = 0;
    expect((await createMachine(host).store.read(log)).events).toHaveLength(330);
    expect(host.fetched).toEqual([320, 2560]);
  });

  it.each<[string, (host: MemoryHost) => void, string]>([
    ["that was deleted", (host) => host.refs.clear(), "was rolled back: it lacks a commit of"],
    [
      "that was moved back",
      (host) => host.refs.set("refs/j/00000000000a", "0001"),
      "was rolled back: it lacks a commit of",
    ],
  ])("refuses a ref %s", async (_, change, problem) => {
    const host = createMemoryHost();
    const store = await fill(host, 3);
    change(host);
    await expect(store.read(log)).rejects.toThrow(problem);
    await expect(store.append([appendOf(3, "x", { log })])).rejects.toThrow(problem);
  });
});

it("uses the logs of a service beside those of one that cannot be trusted", async () => {
  const host = createMemoryHost();
  await createMachine(host).store.append([log, stranger].map((name) => appendOf(0, "a", { log: name })));
  Object.assign(host.commits.get(host.refs.get("refs/j/00000000000a") ?? "")?.record ?? {}, { number: "x" });
  const { store } = createMachine(host);
  await expect(store.read(log)).rejects.toThrow("it is not an entry, or was changed");
  await expect(store.append([appendOf(1, "b", { log })])).rejects.toThrow(
    "it is not an entry, or was changed",
  );
  expect(await store.append([appendOf(1, "b", { log: stranger })])).toEqual(["ours"]);
  // A list shows what can be read, and that something cannot.
  expect(await store.newest(9)).toEqual([stranger, "op-00000000000a-unreadable"]);
  await expect(store.read("op-00000000000a-unreadable")).rejects.toThrow("it is not an entry");
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
    if (fetches === 1)
      throw new Failure("unavailable", "the host is down", { hint: "wait", retryable: true });
    return own.fetch(...args);
  };
  const { store } = createMachine(host, [], { ...own, fetch });
  const ends = await Promise.allSettled([
    store.read(log),
    store.append([appendOf(0, "a", { log: stranger })]),
    store.append([appendOf(0, "a", { log })]),
  ]);
  expect(most).toBe(1);
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await writersIn(host)).toEqual([0, "a"]);
});
