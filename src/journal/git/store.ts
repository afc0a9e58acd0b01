// Events as commits in a git repository that several machines share. Moving a ref is the compare-and-swap: a push moves the
// refs of the logs, and those that list them, each from the commit that was read.
import { Failure } from "../../failure.ts";
import type { Reporter, System } from "../../platform/context.ts";
import type { JournalLocation, JournalSettings } from "../../workspace/journal-location.ts";
import { createBatcher } from "../batcher.ts";
import type { Append, AppendResult, EventStore, StoredLog } from "../event-store.ts";
import { gitFailure, problemOf, stalledFailure } from "./errors.ts";
import {
  type Chain,
  chainsOf,
  type EventRecord,
  emptyChain,
  endOf,
  renderEvent,
  withEvent,
} from "./event-commit.ts";
import { findGit } from "./git-program.ts";
import { type GitRemote, resolveRemote } from "./git-remote.ts";
import { createLayout, type Listed } from "./layout.ts";
import {
  createScratchRepository,
  type RefUpdate,
  type ScratchDeps,
  type ScratchRepository,
} from "./scratch-repository.ts";

/** Milliseconds before a push that did not succeed is looked at, or made, again. */
const pushPauses = [100, 500, 2000, 5000] as const;

/** Pushes that other machines may overtake. Each time one of them has made progress. */
const mostOvertakings = 50;

/** Pushes in a row that do not end in their time. A hook of the server that hangs would hang each of them. */
const mostStalls = 2;

/** An event in its commit. */
type Item = Listed & { readonly append: EventRecord };

/** The refs that a push moves. */
interface Prepared {
  readonly items: readonly Item[];
  readonly updates: readonly RefUpdate[];
}

/** The logs of a ref. */
interface Bucket {
  readonly tip: string | undefined;
  readonly logs: ReadonlyMap<string, Chain>;
}

type Result = AppendResult | Failure;
type Results = Map<EventRecord, Result>;

/** Throws a `Failure` where git is missing, or the repository is not one. */
export async function createGitStore(
  deps: ScratchDeps & Pick<Reporter, "warn">,
  location: Extract<JournalLocation, { readonly kind: "git" }>,
  settings: Pick<JournalSettings, "secrets">,
): Promise<EventStore> {
  const remote = await resolveRemote(deps, await findGit(deps), location, settings);
  return createStoreAt(deps, remote, createScratchRepository(deps, remote), location.refs);
}

/** The store in a repository that is open. */
export function createStoreAt(
  { system, warn }: { readonly system: Pick<System, "clock" | "random" | "signal"> } & Pick<Reporter, "warn">,
  remote: Omit<GitRemote, "git">,
  repository: ScratchRepository,
  root: string,
): EventStore {
  const { clock, random, signal } = system;
  /** By the ref. A `Failure` for one that cannot be trusted: the others can still be used. */
  const buckets = new Map<string, Bucket | Failure>();
  const openLayout = () => createLayout({ repository, root, now: clock.now, nonce: random.guid });
  let layout = openLayout();
  /** Whether a log was read after the lists: then these may not have it yet. */
  let areListsOlder = false;
  let last: Promise<unknown> = Promise.resolve();
  /** The pushes in a row that did not end in their time. */
  let stalls = 0;

  /** Runs work while nothing else runs in the repository. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /** Reads the refs of these logs as they are on the remote. */
  async function fetchLogs(logs: readonly string[]): Promise<void> {
    areListsOlder = true;
    const wanted = [...new Set(logs.map(layout.refOf))];
    // git refuses to fetch a ref that is not there, and takes a pattern that matches none.
    await repository.fetch(wanted.map((ref) => `${ref}*`));
    const tips = await repository.refs(root);
    const known = await repository.commits(wanted.flatMap((ref) => tips.get(ref) ?? []));
    for (const ref of wanted) {
      const tip = tips.get(ref);
      try {
        buckets.set(ref, { tip, logs: chainsOf(tip, known) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        buckets.set(ref, error);
      }
    }
  }

  async function readLists(): Promise<void> {
    areListsOlder = false;
    await layout.readLists();
  }

  function tipOf(ref: string): string | undefined {
    const bucket = buckets.get(ref);
    return bucket instanceof Failure ? undefined : bucket?.tip;
  }

  function chainOf(log: string): Chain | Failure {
    const bucket = buckets.get(layout.refOf(log));
    return bucket instanceof Failure ? bucket : (bucket?.logs.get(log) ?? emptyChain);
  }

  /** Appends events in one push. */
  async function appendTogether(batch: readonly EventRecord[]): Promise<Results> {
    const results: Results = new Map();
    let attempt = 0;
    let overtakings = 0;
    let left: readonly EventRecord[] = batch;
    /** Whether an earlier push may still arrive. */
    let isDoubtful = false;
    try {
      while (left.length > 0) {
        if (stalls >= mostStalls) throw stalledFailure(remote);
        const unread = left.map(({ log }) => log).filter((log) => !buckets.has(layout.refOf(log)));
        if (unread.length > 0) await fetchLogs(unread);
        // A new log is in no list, however old.
        if (areListsOlder && left.some(({ number }) => number > 0)) await readLists();
        const prepared = await prepare(left, results);
        if (prepared.items.length === 0) break;
        const pushed = await repository.push(prepared.updates);
        stalls = pushed.result.problem === undefined ? 0 : stalls + 1;
        if (stalls === 1) warn(`the journal at ${remote.shown} is slow: trying a push once more`);
        if (pushed.kind === "done") {
          layout.keepLists();
          keep(prepared, results);
          break;
        }
        if (repository.adopt(pushed.result)) {
          buckets.clear();
          layout = openLayout();
          continue;
        }
        const problem = problemOf(pushed.result);
        const isRefused = problem === "atomic" || problem === "credentials" || problem === "repository";
        isDoubtful ||= pushed.kind === "unclear" && !isRefused;
        left = prepared.items.map(({ append }) => append);
        const isOvertaken = await findOut(prepared, results, isDoubtful);
        // No ref that it expects ever comes back.
        if (isOvertaken) isDoubtful = false;
        left = left.filter((each) => !results.has(each));
        if (left.length === 0) break;
        // Others may have been the reason, or a lock.
        const isFinal =
          pushed.kind === "refused" && problem !== "other" && left.length === prepared.items.length;
        const mayRetry = isOvertaken || (!isFinal && !isRefused);
        const isLast = attempt === pushPauses.length || overtakings === mostOvertakings || signal.aborted;
        if (isLast || !mayRetry) throw gitFailure(remote, pushed.result, "written");
        const pause = isOvertaken ? pushPauses[0] : (pushPauses[attempt] ?? 0);
        if (isOvertaken) overtakings += 1;
        else attempt += 1;
        await clock.sleep(pause * (0.5 + random.fraction()), signal);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const each of left) if (!results.has(each)) results.set(each, isDoubtful ? "unknown" : error);
    }
    return results;
  }

  /** Writes the commits of the events that their logs have room for. */
  async function prepare(batch: readonly EventRecord[], results: Results): Promise<Prepared> {
    const items: Item[] = [];
    const tips = new Map<string, string>();
    const ends = new Map<string, number>();
    for (const append of batch) {
      const { log, number } = append;
      const chain = chainOf(log);
      if (chain instanceof Failure || number !== (ends.get(log) ?? endOf(chain))) {
        results.set(append, chain instanceof Failure ? chain : "taken");
        continue;
      }
      const ref = layout.refOf(log);
      const commit = await repository.write(renderEvent(clock.now(), append), tips.get(ref) ?? tipOf(ref));
      items.push({ append, commit });
      tips.set(ref, commit);
      ends.set(log, number + 1);
    }
    if (items.length === 0) return { items, updates: [] };
    const moved = [...tips].map(([ref, to]) => ({ ref, from: tipOf(ref), to }));
    return { items, updates: [...moved, ...(await layout.listUpdates(items))] };
  }

  /**
   * After a push that did not succeed, only the refs say which events are in the journal. True where a ref was moved by
   * others, so that the push will never succeed. Throws a `Failure` where the refs cannot be read.
   */
  async function findOut(
    { items, updates }: Prepared,
    results: Results,
    isDoubtful: boolean,
  ): Promise<boolean> {
    await fetchLogs(items.map(({ append }) => append.log));
    let areAllIn = true;
    for (const { append } of items) {
      const chain = chainOf(append.log);
      if (chain instanceof Failure) {
        results.set(append, isDoubtful ? "unknown" : chain);
        continue;
      }
      const isIn = chain.commits.some(({ nonce }) => nonce === append.nonce);
      const isAbsent = !isIn && endOf(chain) <= append.number;
      if (isAbsent) areAllIn = false;
      // A ref never comes back to where this push expects it.
      else results.set(append, isIn ? "ours" : "taken");
    }
    if (areAllIn) return false;
    await readLists();
    const refs = await repository.refs(root);
    return updates.some(({ from, ref }) => refs.get(ref) !== from);
  }

  function keep({ items }: Prepared, results: Results): void {
    for (const { append, commit: tip } of items) {
      const ref = layout.refOf(append.log);
      const chain = chainOf(append.log);
      const bucket = buckets.get(ref);
      if (bucket instanceof Failure || chain instanceof Failure) continue;
      const next = withEvent(chain, { ...append, at: clock.now() });
      buckets.set(ref, { tip, logs: new Map([...(bucket?.logs ?? []), [append.log, next]]) });
      results.set(append, "ours");
    }
  }

  /** An error of one is not that of the others. */
  const appendEach = createBatcher<EventRecord, Result>((batch) =>
    alone(async () => {
      const results = await appendTogether(batch);
      return batch.map((each) => results.get(each) ?? "unknown");
    }),
  );
  const readEach = createBatcher<string, Chain | Failure>((logs) =>
    alone(async () => {
      await fetchLogs(logs);
      return logs.map(chainOf);
    }),
  );

  async function append(append: Append, isBeginning: boolean): Promise<AppendResult> {
    const result = await appendEach({ ...append, isBeginning, nonce: random.guid() });
    if (result instanceof Failure) throw result;
    return result;
  }

  return {
    append: (appends) => Promise.all(appends.map((each) => append(each, false))),
    async read(log): Promise<StoredLog> {
      const chain = await readEach(log);
      if (chain instanceof Failure) throw chain;
      return { first: chain.first, events: chain.commits.map(({ event }) => event) };
    },
    unsettled: () => alone(() => layout.unsettled()),
    logs: (prefix) => alone(() => layout.logs(prefix)),
    newest: (limit) => alone(() => layout.newest(limit)),
    find: (id) => alone(() => layout.find(id)),
    prune: (each) => append({ ...each, isUnsettled: false }, true),
    // git keeps no unfinished files of other processes here.
    sweep: async () => undefined,
  };
}
