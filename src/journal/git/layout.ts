// Which ref holds a log, and which refs list the logs and their ids. The number of refs is fixed, so that a push, to which a host sends
// the list of all refs, takes as long after a hundred thousand creates as after a few. A ref only moves forward, and none
// is deleted, so that branches which a host protects will do.
import { Failure } from "../../failure.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { type Append, operationPrefix } from "../event-store.ts";
import { StoreHint } from "../journal-errors.ts";
import { chainsOf, type LogList, listOf, renderList } from "./event-commit.ts";
import { createIdIndex } from "./id-index.ts";
import type { RefUpdate, ScratchRepository } from "./scratch-repository.ts";

/** An event that is to be appended, in its commit. */
export interface Listed {
  readonly append: Pick<Append, "event" | "isUnsettled" | "log" | "number">;
  readonly commit: string;
}

export interface Layout {
  refOf(log: string): string;
  /** Reads the lists of logs, and where their ids are, as they are on the remote. */
  readLists(): Promise<void>;
  /** Moves the lists together with the events. */
  listUpdates(listed: readonly Listed[]): Promise<readonly RefUpdate[]>;
  /** The last updates were made. */
  keepLists(): void;
  unsettled(): Promise<readonly string[]>;
  logs(prefix: string): Promise<readonly string[]>;
  newest(limit: number): Promise<readonly string[]>;
  /** Undefined where only reading all logs tells. */
  find(id: string): Promise<readonly string[] | undefined>;
}

export interface LayoutDeps {
  readonly repository: ScratchRepository;
  /** The refs of the journal begin with it. */
  readonly root: string;
  readonly now: () => number;
  readonly nonce: () => string;
}

/**
 * A log is one of those of its bucket, so that reading it fetches the others: with 100,000 creates, some 200 commits. Each
 * bucket is a ref that a host lists with every push.
 */
const buckets = 2048;

/** Machines that declare together wait for each other where they meet in a list, and every create reads all lists. */
const lists = 16;

/** Operations of a list: enough that a page of `journal list` is rarely incomplete. */
const newestOfList = 32;

/** Of the names of the buckets. All buckets are fetched digit by digit: one fetch of 100,000 creates would take too long. */
const firstDigits = "01234567";

interface List extends LogList {
  readonly tip: string;
}

/** By their refs. */
interface Read {
  readonly lists: ReadonlyMap<string, List>;
  /** The last commits of the index. */
  readonly ids: ReadonlyMap<string, string>;
}

const nothing: Read = { lists: new Map(), ids: new Map() };

export function createLayout({ nonce, now, repository, root }: LayoutDeps): Layout {
  const logs = `${root}/v1/log`;
  const listRefs = `${root}/v1/list`;
  const index = createIdIndex({ repository, root: `${root}/v1/id`, nonce });
  let read: Read | undefined;
  /** The refs that the last push moved. */
  let pushed: Read = nothing;

  const numberOf = (log: string) => Number.parseInt(jsonDigest(log).slice(0, 8), 16);
  const refOf = (log: string) => `${logs}/${(numberOf(log) % buckets).toString(16).padStart(3, "0")}`;
  const listOfLog = (log: string) => `${listRefs}/${(numberOf(log) >>> 16) % lists}`;

  async function readLists(isAgain = false): Promise<void> {
    await repository.fetch([`${listRefs}/*`, `${index.root}/*`], { depth: 1 });
    const refs = await repository.refs(listRefs);
    const commits = await repository.commits([...refs.values()], { isWalk: false });
    const lists = new Map<string, List>();
    for (const [ref, tip] of refs) {
      const commit = commits.get(tip);
      if (commit !== undefined) lists.set(ref, { ...listOf(commit), tip });
    }
    read = { lists, ids: await repository.refs(index.root) };
    if (lists.size > 0 || !(await repository.hasRemote(`${listRefs}/*`))) return;
    // Another machine has begun the journal since the fetch.
    if (!isAgain) return readLists(true);
    throw new Failure("unavailable", "the journal's lists cannot be read", {
      hint: new StoreHint("run it again"),
      retryable: true,
    });
  }

  async function allLists(): Promise<readonly List[]> {
    await readLists();
    return [...(read ?? nothing).lists.values()];
  }

  /** Each log with the time of its first event; those of a bucket together. */
  async function allLogs(): Promise<readonly (readonly [log: string, began: number])[]> {
    const all: (readonly [string, number])[] = [];
    for (const digit of firstDigits) {
      const pattern = `${logs}/${digit}*`;
      await repository.fetch([pattern]);
      const tips = [...(await repository.refs(pattern)).values()];
      const known = await repository.commits(tips);
      for (const tip of tips) for (const [log, { began }] of chainsOf(tip, known)) all.push([log, began]);
    }
    return all;
  }

  const newestFirst = (entries: readonly (readonly [log: string, at: number])[]) =>
    entries.toSorted(([, one], [, other]) => other - one).map(([log]) => log);

  return {
    refOf,
    readLists: () => readLists(),
    async listUpdates(listed) {
      if (read === undefined) await readLists();
      const before = read ?? nothing;
      const changed = new Map<string, LogList>();
      for (const each of listed) {
        const ref = listOfLog(each.append.log);
        const list = changed.get(ref) ?? before.lists.get(ref);
        const next = withListed(list ?? { newest: [], open: [] }, each, now());
        // The first push begins the journal.
        if (
          next !== list &&
          (list !== undefined || next.newest.length + next.open.length > 0 || before.lists.size === 0)
        )
          changed.set(ref, next);
      }
      const moved = new Map<string, List>();
      const updates: RefUpdate[] = [];
      for (const [ref, list] of changed) {
        const from = before.lists.get(ref)?.tip;
        const tip = await repository.write(renderList(list, nonce()), from);
        moved.set(ref, { ...list, tip });
        updates.push({ ref, from, to: tip });
      }
      const added = await index.updates(listed, before.ids, { isBeginning: before.lists.size === 0 });
      pushed = { lists: moved, ids: new Map(added.map(({ ref, to }) => [ref, to])) };
      return [...updates, ...added];
    },
    keepLists() {
      const { ids, lists } = read ?? nothing;
      read = { lists: new Map([...lists, ...pushed.lists]), ids: new Map([...ids, ...pushed.ids]) };
    },
    unsettled: async () => (await allLists()).flatMap(({ open }) => open).sort(),
    logs: async (prefix) =>
      (await allLogs()).flatMap(([log]) => (log.startsWith(prefix) ? [log] : [])).sort(),
    async newest(limit) {
      const all = await allLists();
      const entries = all.flatMap(({ newest }) => newest);
      const known = newestFirst(entries);
      // Of a full list, older ones may be missing.
      const complete = Math.max(
        0,
        ...all.map(({ newest }) =>
          newest.length < newestOfList ? 0 : Math.min(...newest.map(([, at]) => at)),
        ),
      );
      const isEnough = entries.filter(([, at]) => at > complete).length >= limit;
      if (isEnough || complete === 0) return known.slice(0, limit);
      const operations = (await allLogs()).filter(([log]) => log.startsWith(operationPrefix));
      // Those of a bucket are read together.
      if (limit === Number.POSITIVE_INFINITY) return operations.map(([log]) => log);
      return newestFirst(operations).slice(0, limit);
    },
    find: index.find,
  };
}

function withListed(list: LogList, { append: { isUnsettled, log, number } }: Listed, at: number): LogList {
  const isNew = number === 0 && log.startsWith(operationPrefix);
  const isListed = list.open.includes(log);
  if (!isNew && isListed === isUnsettled) return list;
  const others = list.open.filter((each) => each !== log);
  return {
    open: isUnsettled ? [...others, log] : others,
    newest: isNew ? ([[log, at], ...list.newest] as const).slice(0, newestOfList) : list.newest,
  };
}
