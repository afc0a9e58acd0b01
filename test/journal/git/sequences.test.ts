// How an append to a journal in git ends, by what the host makes of each push; and the readings beside it.
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/failure.ts";
import { createGitSequences, type ScratchRepository } from "../../../src/journal/git/sequences.ts";
import { entryOf, fill, name, writersOf } from "../conformance.ts";
import { gitDeps } from "./deps.ts";
import { createMemoryHost, type MemoryHost } from "./memory-repository.ts";

const root = "refs/j";
const ref = `${root}/${name}`;

type Push = ScratchRepository["push"];
type Answer = (push: () => ReturnType<Push>, host: MemoryHost) => ReturnType<Push>;

/** What a host makes of a push, and what it says. */
const hosts = {
  /** The push is made, and the answer is lost. */
  lost: async (push) => {
    await push();
    return answer("");
  },
  /** The push never arrives, and nobody says so. */
  dropped: async () => answer(""),
  locked: async () => answer("error: cannot lock ref"),
  rules: async () => answer("", "! [remote rejected] (protected branch)"),
  login: async () => answer("fatal: Authentication failed"),
  hash: async () => answer("fatal: the receiving end does not support this repository's hash algorithm"),
  foreign: async () => answer("fatal: detected dubious ownership in repository at '/r.git'"),
  gone: async () => answer("fatal: repository 'x' not found"),
  /** A hook of the server hangs. */
  hung: async () => ({
    isDone: false,
    result: { exitCode: undefined, stdout: "", stderr: "", problem: "did not end within 20 seconds" },
  }),
  /** Another machine is first. */
  taken: async (push, host) => {
    await overtake(host);
    return push();
  },
  /** The same, and the host says no more than for a rule of its own. */
  beaten: async (_, host) => {
    await overtake(host);
    return answer("", "! [remote rejected] (incorrect old value)");
  },
} as const satisfies Record<string, Answer>;

type Habit = keyof typeof hosts;

function answer(stderr: string, stdout = "") {
  return { isDone: false, result: { exitCode: 1, stdout, stderr } } as const;
}

async function overtake(host: MemoryHost) {
  const { sequence } = createMachine(host);
  const { entries } = await sequence.read(0);
  await sequence.append(entries.length, entryOf("other"));
}

function createMachine(
  host: MemoryHost,
  habits: readonly Habit[] = [],
  changes: Partial<ScratchRepository> = {},
) {
  const own = host.open();
  const pauses: number[] = [];
  let pushes = 0;
  let now = 1000;
  const controller = new AbortController();
  const push: Push = (...args) => {
    const habit = habits[pushes];
    pushes += 1;
    return habit === undefined ? own.push(...args) : hosts[habit](() => own.push(...args), host);
  };
  const clock = {
    now: () => now,
    monotonic: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
      pauses.push(milliseconds);
    },
  };
  const sequences = createGitSequences(
    {
      system: {
        ...gitDeps("/").system,
        clock: clock as never,
        random: { guid: () => crypto.randomUUID(), fraction: () => 0.75 },
        signal: controller.signal,
      },
    },
    { shown: "the host", redact: (text) => text },
    { ...own, push, ...changes },
    root,
  );
  return { sequences, sequence: sequences.open(name), pauses, controller, pushes: () => pushes };
}

const writersIn = (host: MemoryHost) => writersOf(createMachine(host).sequence);

describe("an append to a journal in git", () => {
  it.each<[readonly Habit[], string, boolean, readonly unknown[]]>([
    [["lost"], "unavailable", true, [0, "s", "me"]],
    [["dropped"], "unavailable", true, [0, "s"]],
    [["locked"], "unavailable", true, [0, "s"]],
    [["rules"], "usage", false, [0, "s"]],
    [["login"], "credentials", false, [0, "s"]],
    [["gone"], "credentials", false, [0, "s"]],
    [["foreign"], "usage", false, [0, "s"]],
    [["hash"], "usage", false, [0, "s"]],
    // Another push would meet the same hook.
    [["hung"], "unavailable", false, [0, "s"]],
    [["taken"], "unavailable", true, [0, "s", "other"]],
    [["beaten"], "usage", false, [0, "s", "other"]],
  ])("is made or not where the host is %j: %s, and retryable: %s", async (habits, kind, retryable, left) => {
    const host = createMemoryHost();
    await fill(createMachine(host).sequence, "s");
    const machine = createMachine(host, habits);
    await machine.sequence.read(0);
    await expect(machine.sequence.append(1, entryOf("me"))).rejects.toMatchObject({ kind, retryable });
    expect(machine.pauses).toEqual([125]);
    expect(await writersIn(host)).toEqual(left);
  });

  it.each(["dropped", "locked"] as const)("is made by a second push where the first is %s", async (habit) => {
    const host = createMemoryHost();
    const { pushes, sequence } = createMachine(host, [habit]);
    await sequence.append(0, entryOf("me")).catch((error: Failure) => error);
    expect(await sequence.append(0, entryOf("me"))).toBe("ours");
    expect([pushes(), await writersIn(host)]).toEqual([2, [0, "me"]]);
  });

  it("waits for a host that hangs, and then no more", async () => {
    const { pushes, sequence } = createMachine(createMemoryHost(), ["hung"]);
    for (const _ of [1, 2])
      await expect(sequence.append(0, entryOf("me"))).rejects.toMatchObject({
        kind: "unavailable",
        retryable: false,
        message: "the journal at the host cannot be written: git did not end within 20 seconds",
      });
    expect(pushes()).toBe(1);
  });

  it("has no character that git takes for a mistake, and rewrites", async () => {
    const host = createMemoryHost();
    const records: string[] = [];
    const write: ScratchRepository["write"] = (record, parent) => {
      records.push(record);
      return host.open().write(record, parent);
    };
    const { sequence } = createMachine(host, [], { write });
    const name = "\u00fc \uffff \ufdd0 \u{1fffe} \u2028 \ud800";
    await sequence.append(0, entryOf("a", { name }));
    expect(records.join()).toMatch(/^[\x20-\x7e]+$/);
    expect((await createMachine(host).sequence.read(0)).entries).toMatchObject([{ name }]);
  });

  it("is a commit that has its number", async () => {
    const host = createMemoryHost();
    await createMachine(host).sequence.append(0, entryOf("a"));
    const [record] = [...host.commits.values()].map((commit) => commit.record);
    expect(record).toEqual({ number: 0, entry: { writer: "a" } });
    expect([...host.refs.keys()]).toEqual([ref]);
  });
});

describe("a reading of a journal in git", () => {
  const letters = (count: number) => "x".repeat(count);

  it("begins at the newest snapshot, and then fetches what is new", async () => {
    const host = createMemoryHost();
    const writer = createMachine(host).sequence;
    await fill(writer, letters(5));
    await writer.append(5, entryOf("s", { snapshot: {} }));
    await fill(writer, "a", 6);
    host.fetched.length = 0;
    const { sequence } = createMachine(host);
    expect(await writersOf(sequence)).toEqual([5, "s", "a"]);
    await fill(writer, "b", 7);
    expect(await writersOf(sequence, 7)).toEqual([7, "b"]);
    expect(host.fetched.filter((depth) => depth !== undefined)).toEqual([257]);
  });

  it("fetches more where no snapshot is among the first commits", async () => {
    const host = createMemoryHost();
    await fill(createMachine(host).sequence, letters(280));
    host.fetched.length = 0;
    expect((await createMachine(host).sequence.read(0)).entries).toHaveLength(280);
    expect(host.fetched).toEqual([257, 1028]);
  });

  it.each<[string, (host: MemoryHost) => void, string]>([
    ["that was deleted", (host) => host.refs.clear(), "was rolled back: it lacks a commit of"],
    ["that was moved back", (host) => host.refs.set(ref, "0001"), "was rolled back: it lacks a commit of"],
  ])("refuses a ref %s", async (_, change, problem) => {
    const host = createMemoryHost();
    const { sequence } = createMachine(host);
    await fill(sequence, "abc");
    change(host);
    await expect(sequence.read(3)).rejects.toThrow(problem);
  });
});

it("uses a sequence beside one that cannot be trusted", async () => {
  const host = createMemoryHost();
  const { sequences } = createMachine(host);
  for (const each of [name, "other"]) await fill(sequences.open(each), "a");
  Object.assign(host.commits.get(host.refs.get(ref) ?? "")?.record ?? {}, { number: "x" });
  const machine = createMachine(host);
  await expect(machine.sequence.read(0)).rejects.toThrow("it is not an entry, or was changed");
  expect(await writersOf(machine.sequences.open("other"))).toEqual([0, "a"]);
});
