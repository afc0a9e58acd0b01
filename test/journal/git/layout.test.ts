// The refs of a journal in git: which ones a push moves, what its lists hold, and what machines read from them.
import { describe, expect, it } from "vitest";
import { renderEvent } from "../../../src/journal/git/event-commit.ts";
import { createLayout } from "../../../src/journal/git/layout.ts";
import type { ScratchRepository } from "../../../src/journal/git/scratch-repository.ts";
import { jsonDigest } from "../../../src/text/json-digest.ts";
import { createMemoryHost, type MemoryHost } from "./memory-repository.ts";

const root = "refs/j";

/** A machine that appends with nothing but this layout. Its clock shows the number of events in the repository. */
function createMachine(host: MemoryHost, changes: Partial<ScratchRepository> = {}) {
  const repository = { ...host.open(), ...changes };
  const now = () => host.commits.size;
  const layout = createLayout({ repository, root, now, nonce: () => "n" });
  return {
    layout,
    /** The lists that the push moves; undefined where the host refuses it. */
    async append(log: string, number: number, isUnsettled: boolean, fields: object = {}) {
      const ref = layout.refOf(log);
      const from = host.refs.get(ref);
      const event = {
        log,
        number,
        isUnsettled,
        isBeginning: false,
        nonce: "n",
        event: { writer: "a", ...fields },
      };
      const to = await repository.write(renderEvent(now(), event), from);
      const lists = await layout.listUpdates([{ append: event, commit: to }]);
      const updates = [{ ref, from, to }, ...lists];
      const isDone = (await repository.push(updates)).kind === "done";
      if (isDone) layout.keepLists();
      const names = lists.map((each) => each.ref.slice(root.length + 1));
      return isDone ? names.filter((each) => each.startsWith("v1/list/")) : undefined;
    },
  };
}

/** What each list holds, by its number. */
function listsOf({ commits, refs }: MemoryHost) {
  const found = [...refs].filter(([ref]) => ref.startsWith(`${root}/v1/list/`)).sort();
  return Object.fromEntries(
    found.map(([ref, tip]) => [ref.replace(/.*\//, ""), commits.get(tip)?.record]),
  ) as Record<string, { readonly open: unknown; readonly newest: unknown }>;
}

const listOf = (log: string) => (Number.parseInt(jsonDigest(log).slice(0, 8), 16) >>> 16) % 16;

/** Names of logs whose list is `list`. */
function namesIn(list: number, count: number, prefix = "op-"): readonly string[] {
  const names: string[] = [];
  for (let index = 0; names.length < count; index += 1)
    if (listOf(`${prefix}${index}`) === list) names.push(`${prefix}${index}`);
  return names;
}

const [one = "", two = "", three = ""] = namesIn(1, 3);
const [other = ""] = namesIn(2, 1);
const [claim = ""] = namesIn(3, 1, "claim-");

it("keeps the names that other versions of this journal know", () => {
  const { layout } = createMachine(createMemoryHost());
  const refs = ["op-1", "op-2", "claim-3", "op-9"].map(layout.refOf);
  expect(refs).toEqual(["6b0", "5ba", "351", "0eb"].map((name) => `${root}/v1/log/${name}`));
});

describe("the lists of a journal in git", () => {
  it("move with the events that change them, and the first push begins the journal", async () => {
    const host = createMemoryHost();
    const { append } = createMachine(host);
    expect(await append(one, 0, true)).toEqual(["v1/list/1"]);
    expect(await append(other, 0, true)).toEqual(["v1/list/2"]);
    expect(await append(two, 0, false)).toEqual(["v1/list/1"]);
    expect(await append(one, 1, true)).toEqual([]);
    expect(await append(two, 1, false)).toEqual([]);
    expect(await append(claim, 0, false)).toEqual([]);
    expect(await append(claim, 1, true)).toEqual(["v1/list/3"]);
    expect(await append(three, 0, true)).toEqual(["v1/list/1"]);
    expect(await append(one, 2, false)).toEqual(["v1/list/1"]);
    const common = { incident: 1, readBy: "0.2.0", nonce: "n" };
    const newest = [
      [three, 28],
      [two, 21],
      [one, 1],
    ];
    expect(listsOf(host)).toEqual({
      1: { ...common, open: [three], newest },
      2: { ...common, open: [other], newest: [[other, 19]] },
      3: { ...common, open: [claim], newest: [] },
    });
    // The lists are read once, before the first push.
    expect(host.fetched).toEqual([`${root}/v1/list/* ${root}/v1/id/* depth 1`]);
    expect(await append(claim, 2, false)).toEqual(["v1/list/3"]);
  });

  it("begin with an event that they do not hold", async () => {
    const host = createMemoryHost();
    const { append } = createMachine(host);
    expect(await append(claim, 0, false)).toEqual(["v1/list/3"]);
    expect(listsOf(host)).toMatchObject({ 3: { open: [], newest: [] } });
  });

  it("are those of the last push that was made", async () => {
    const host = createMemoryHost();
    const [first, second] = [createMachine(host), createMachine(host)];
    await first.append(one, 0, true);
    await second.layout.readLists();
    await first.append(two, 0, true);
    expect(await second.append(three, 0, true)).toBe(undefined);
    expect(await second.append(three, 0, true)).toBe(undefined);
    await second.layout.readLists();
    expect(await second.append(three, 0, true)).toEqual(["v1/list/1"]);
    expect(await second.append(three, 1, false)).toEqual(["v1/list/1"]);
    expect(listsOf(host)[1]?.open).toEqual([one, two]);
  });

  it("stay as they were after a push that was refused", async () => {
    const host = createMemoryHost();
    const { push } = host.open();
    let pushes = 0;
    const { append } = createMachine(host, {
      push: (updates) => push(++pushes === 2 ? updates.map((each) => ({ ...each, from: "x" })) : updates),
    });
    expect(await append(one, 0, true)).toEqual(["v1/list/1"]);
    expect(await append(two, 0, true)).toBe(undefined);
    expect(await append(two, 0, true)).toEqual(["v1/list/1"]);
    expect(listsOf(host)[1]?.open).toEqual([one, two]);
  });

  it("take several events of a push", async () => {
    const host = createMemoryHost();
    const repository = host.open();
    const layout = createLayout({ repository, root, now: () => 1, nonce: () => "n" });
    const appends = [one, other, two].map((log) => ({
      append: { log, number: 0, isUnsettled: true, event: { writer: "a" } },
      commit: "",
    }));
    await repository.push(await layout.listUpdates(appends));
    expect(listsOf(host)).toMatchObject({ 1: { open: [one, two] }, 2: { open: [other] } });
  });

  it("are those of all machines, in the order of the names", async () => {
    const host = createMemoryHost();
    const [first, second] = [createMachine(host), createMachine(host)];
    expect(await second.layout.unsettled()).toEqual([]);
    const names = [one, two, other, claim].sort().reverse();
    for (const name of names) await first.append(name, 0, true);
    expect(await second.layout.unsettled()).toEqual(names.toSorted());
    expect(await second.layout.logs("op-")).toEqual([one, two, other].sort());
    expect(await second.layout.logs("claim-")).toEqual([claim]);
  });
});

describe("a repository", () => {
  it.each([1, 2])("whose lists are not fetched %i times is read again, or refused", async (times) => {
    const host = createMemoryHost();
    await createMachine(host).append(one, 0, true);
    const repository = host.open();
    let left = times;
    const fetch: ScratchRepository["fetch"] = async (...args) => {
      left -= 1;
      if (left < 0) await repository.fetch(...args);
    };
    const { layout } = createMachine(host, { ...repository, fetch });
    if (times === 1) expect(await layout.unsettled()).toEqual([one]);
    else {
      await expect(layout.readLists()).rejects.toMatchObject({
        kind: "unavailable",
        retryable: true,
        message: "the journal's lists cannot be read",
      });
    }
  });
});

describe("the operations with an id", () => {
  const begin = (id: string) => ({ key: { id }, event: { type: "sending" } });
  const end = (id: string, serviceId: string) => ({ key: { id }, event: { type: "created", serviceId } });
  const idRefs = ({ refs }: MemoryHost) => [...refs.keys()].filter((ref) => ref.startsWith(`${root}/v1/id/`));

  /** A journal with an operation whose service id is its own. */
  async function begun() {
    const host = createMemoryHost();
    const { append } = createMachine(host);
    await append(one, 0, true, begin("a"));
    await append(one, 1, false, end("a", "B"));
    return host;
  }

  it("are found by any machine, in the refs that the first push begins", async () => {
    const host = createMemoryHost();
    expect(await createMachine(host).layout.find("a")).toBe(undefined);
    const { append } = createMachine(host);
    await append(claim, 0, false);
    expect(idRefs(host)).toHaveLength(16);
    await append(one, 0, true, begin("a"));
    await append(one, 1, false, end("a", "B"));
    await append(two, 0, false, begin("b"));
    const { layout } = createMachine(host);
    const both = [one, two].sort();
    const found = ["a", "b", "B", "c"].map(async (id) => (await layout.find(id))?.toSorted());
    expect(await Promise.all(found)).toEqual([[one], both, both, []]);
  });

  it("are found in one fetch of one ref", async () => {
    const host = await begun();
    host.fetched.length = 0;
    const { layout } = createMachine(host);
    expect(await layout.find("b")).toEqual([one]);
    expect(host.fetched).toEqual([expect.stringMatching(/^refs\/j\/v1\/id\/[0-9a-f]\* depth 2147483647$/)]);
  });

  it("are not known by a ref that was lost, which no later push begins", async () => {
    const host = await begun();
    for (const ref of idRefs(host)) host.refs.delete(ref);
    const { append, layout } = createMachine(host);
    expect(await append(two, 0, false, begin("c"))).not.toBe(undefined);
    expect([idRefs(host), await layout.find("b"), await layout.find("c")]).toEqual([
      [],
      undefined,
      undefined,
    ]);
  });

  it("are not known by a ref of which only the last commit is there", async () => {
    const host = await begun();
    const repository = host.open();
    const commits: ScratchRepository["commits"] = (tips) => repository.commits(tips, { isWalk: false });
    const { layout } = createMachine(host, { ...repository, commits });
    expect(await layout.find("b")).toBe(undefined);
  });
});

describe("the newest operations", () => {
  /** A list that is full: its newest 32 operations are in it, and the 8 before are not. Another one has an operation. */
  const full = namesIn(4, 40);
  const [newer = ""] = namesIn(5, 1);

  it.each([
    ["of the lists, where these have so many for sure", 32, [...full.slice(9), newer], 1],
    ["of all logs, where the lists may lack some", 33, [...full.slice(8), newer], 9],
    ["of all logs, where there are fewer", 50, [...full, newer], 9],
  ])("are %s", async (_, limit, names, fetches) => {
    const host = createMemoryHost();
    const { append, layout } = createMachine(host);
    await append(claim, 0, true);
    for (const name of [...full, newer]) await append(name, 0, false);
    for (const name of full.slice(0, 3)) await append(name, 1, false);
    host.fetched.length = 0;
    expect(await layout.newest(limit)).toEqual(names.toReversed());
    expect(host.fetched).toHaveLength(fetches);
    expect([...(await layout.newest(Number.POSITIVE_INFINITY))].sort()).toEqual([...full, newer].sort());
  });

  it("are those of the lists, where none of them is full", async () => {
    const host = createMemoryHost();
    const { append, layout } = createMachine(host);
    for (const name of [one, other, two]) await append(name, 0, false);
    host.fetched.length = 0;
    expect(await layout.newest(2)).toEqual([two, other]);
    expect(await layout.newest(9)).toEqual([two, other, one]);
    expect(host.fetched).toHaveLength(2);
  });
});
