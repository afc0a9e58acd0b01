// Events as commits in a git repository that several machines share. A log is a ref: its commits are the
// events, and moving it is the compare-and-swap. Unsettled logs have a second ref, moved in the same push.
// Over 220 lines because an append is decided in one place, from its preparation to the result of its push.
import { Failure } from "../../failure.ts";
import type { Reporter } from "../../platform/context.ts";
import type { JournalLocation, JournalSettings } from "../../workspace/journal-location.ts";
import {
  type Append,
  type AppendResult,
  type EventStore,
  operationPrefix,
  type StoredLog,
} from "../event-store.ts";
import { type Chain, chainOf, emptyChain, endOf } from "./chain.ts";
import { gitFailure, problemOf } from "./errors.ts";
import { findGit } from "./git-program.ts";
import { type GitRemote, resolveRemote } from "./git-remote.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createPushPace } from "./push-pace.ts";
import {
  createScratchRepository,
  type Pushed,
  type RefUpdate,
  type ScratchDeps,
  type ScratchRepository,
} from "./scratch-repository.ts";

export interface GitStoreDeps extends ScratchDeps, Pick<Reporter, "withSpinner"> {}

/** Milliseconds before a push that did not succeed is looked at, or made, again. */
const pushPauses = [100, 500, 2000, 5000] as const;

/** More logs than this are fetched with all others of their kind: a pattern each would take longer. */
const mostPatterns = 200;

interface Pending {
  readonly append: Append;
  readonly replaces: boolean;
}

/** What is to be pushed for an append. */
interface Prepared extends Pending {
  readonly commit: string;
  readonly updates: readonly RefUpdate[];
}

type Results = Map<Append, AppendResult | Failure>;

/** Throws a `Failure` where git is missing, or the repository is not one. */
export async function createGitStore(
  deps: GitStoreDeps,
  location: Extract<JournalLocation, { readonly kind: "git" }>,
  settings: Pick<JournalSettings, "secrets">,
): Promise<EventStore> {
  const remote = await resolveRemote(deps, await findGit(deps), location, settings);
  return createStoreAt(deps, remote, createScratchRepository(deps, remote), `${location.refs}/v1`);
}

function createStoreAt(
  deps: GitStoreDeps,
  remote: GitRemote,
  repository: ScratchRepository,
  root: string,
): EventStore {
  const { clock, random, signal } = deps.system;
  /** A `Failure` for a log that cannot be trusted: the others can still be used. */
  const chains = new Map<string, Chain | Failure>();
  const logRef = (log: string) => `${root}/${log.replace("-", "/")}`;
  const logOf = (ref: string) => ref.slice(root.length + 1).replace("/", "-");
  const openRef = (log: string) => `${root}/open/${log}`;

  /** Reads the logs as they are on the remote. */
  async function fetchLogs(logs: readonly string[]): Promise<void> {
    const kinds = new Set(logs.map((log) => log.split("-")[0]));
    const patterns =
      logs.length > mostPatterns
        ? [...kinds].map((kind) => `${root}/${kind}/*`).concat(`${root}/open/*`)
        : logs.flatMap((log) => [`${logRef(log)}*`, `${openRef(log)}*`]);
    await repository.fetch(patterns);
    const refs = await repository.refs(root);
    const tips = logs.map((log) => refs.get(logRef(log))).filter((tip) => tip !== undefined);
    const known = await repository.commits(tips);
    for (const log of logs) {
      try {
        chains.set(log, chainOf(refs.get(logRef(log)), refs.get(openRef(log)), known));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        chains.set(log, error);
      }
    }
  }

  /** Appends at most one event to each log, in one push. */
  async function appendAll(batch: readonly Pending[]): Promise<readonly (AppendResult | Failure)[]> {
    const unread = batch.map(({ append }) => append.log).filter((log) => !chains.has(log));
    if (unread.length > 0) await fetchLogs(unread);
    const results: Results = new Map();
    let left: readonly Prepared[] = await prepare(batch, results);
    for (const pause of [...pushPauses, undefined]) {
      if (left.length === 0) break;
      const pushed = await repository.push(left.flatMap(({ updates }) => updates));
      if (pushed.kind === "done") {
        for (const each of left) settle(each, results);
        break;
      }
      if (repository.adopt(pushed.result)) {
        chains.clear();
        return appendAll(batch);
      }
      left = await findOut(left, pushed, results, pause === undefined || signal.aborted);
      if (left.length > 0 && pause !== undefined)
        await clock.sleep(pause * (0.5 + random.fraction()), signal);
    }
    return batch.map(({ append }) => results.get(append) ?? "unknown");
  }

  /** Writes the commits of the appends that their logs have room for. */
  async function prepare(batch: readonly Pending[], results: Results): Promise<readonly Prepared[]> {
    const possible = batch.filter((each) => {
      const { append } = each;
      const chain = chains.get(append.log);
      if (chain instanceof Failure) {
        results.set(append, chain);
        return false;
      }
      const isNext = append.number === endOf(chain ?? emptyChain);
      if (!isNext) results.set(append, "taken");
      return isNext;
    });
    if (possible.length === 0) return [];
    const commits = await repository.write(
      possible.map(({ append: { event, isUnsettled, log, number }, replaces }) => {
        const parent = replaces ? undefined : chainOfLog(log).commits.at(-1)?.id;
        return { event, isUnsettled, number, parent };
      }),
    );
    return possible.map((each, index) => {
      const commit = commits[index] as string;
      const { isUnsettled, log } = each.append;
      const { commits: before, open } = chainOfLog(log);
      const updates: RefUpdate[] = [{ ref: logRef(log), from: before.at(-1)?.id, to: commit }];
      const to = isUnsettled ? commit : undefined;
      if (to !== open) updates.push({ ref: openRef(log), from: open, to });
      return { ...each, commit, updates };
    });
  }

  /** After a push that did not succeed, only the refs say which events are in the journal. Gives those that are not. */
  async function findOut(
    left: readonly Prepared[],
    { kind, result }: Pushed,
    results: Results,
    isLast: boolean,
  ): Promise<readonly Prepared[]> {
    const before = new Map(left.map(({ append }) => [append.log, chainOfLog(append.log)]));
    try {
      await fetchLogs(left.map(({ append }) => append.log));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const each of left) results.set(each.append, kind === "refused" ? error : "unknown");
      return [];
    }
    const absent: Prepared[] = [];
    for (const each of left) {
      const chain = chains.get(each.append.log);
      if (chain instanceof Failure) {
        results.set(each.append, kind === "refused" ? chain : "unknown");
        continue;
      }
      const { commits } = chain ?? emptyChain;
      const isStill = commits.at(-1)?.id === before.get(each.append.log)?.commits.at(-1)?.id;
      if (commits.some(({ id }) => id === each.commit)) results.set(each.append, "ours");
      else if (isStill) absent.push(each);
      // The ref never comes back to where this push expects it.
      else results.set(each.append, "taken");
    }
    // Others may have been the reason, or a lock.
    const isFinal = kind === "refused" && problemOf(result) !== "other" && absent.length === left.length;
    const isRefused = problemOf(result) === "credentials" || problemOf(result) === "repository";
    if (!isLast && !isFinal && !isRefused) return absent.map(withOpenRef);
    const failure = gitFailure(remote, result, "written");
    for (const each of absent)
      results.set(each.append, kind === "refused" || isRefused ? failure : "unknown");
    return [];
  }

  /** The list of unsettled logs may have been changed by hand. */
  function withOpenRef(each: Prepared): Prepared {
    const { isUnsettled, log } = each.append;
    const { open } = chainOfLog(log);
    const [main] = each.updates as [RefUpdate];
    const to = isUnsettled ? each.commit : undefined;
    return { ...each, updates: to === open ? [main] : [main, { ref: openRef(log), from: open, to }] };
  }

  function settle(each: Prepared, results: Results): void {
    const { event, isUnsettled, log, number } = each.append;
    const { commits, first } = chainOfLog(log);
    const parent = each.replaces ? undefined : commits.at(-1)?.id;
    const commit = { id: each.commit, parent, number, isUnsettled, event };
    chains.set(log, {
      first: each.replaces ? number : first,
      commits: each.replaces ? [commit] : [...commits, commit],
      open: isUnsettled ? each.commit : undefined,
    });
    results.set(each.append, "ours");
  }

  /** Throws a `Failure`. */
  function chainOfLog(log: string): Chain {
    const chain = chains.get(log) ?? emptyChain;
    if (chain instanceof Failure) throw chain;
    return chain;
  }

  const pace = createPushPace(deps, remote.isRemote);
  const group = createGroupCommit<Pending>(deps.system, {
    keyOf: ({ append }) => append.log,
    read: fetchLogs,
    append: async (batch) => {
      await pace();
      return appendAll(batch);
    },
  });

  return {
    append: (appends) => Promise.all(appends.map((append) => group.append({ append, replaces: false }))),
    async read(log): Promise<StoredLog> {
      await group.read(log);
      const { commits, first } = chainOfLog(log);
      return { first, events: commits.map(({ event }) => event) };
    },
    async unsettled() {
      return group.alone(async () => {
        await repository.fetch([`${root}/open/*`]);
        const refs = await repository.refs(`${root}/open`);
        return [...refs.keys()].map((ref) => ref.slice(`${root}/open/`.length)).sort();
      });
    },
    async logs(prefix) {
      return group.alone(async () => {
        return [...(await repository.remoteRefs(`${logRef(prefix)}*`)).values()].map(logOf).sort();
      });
    },
    async newest(limit) {
      return group.alone(async () => {
        const refs = await repository.remoteRefs(`${logRef(operationPrefix)}*`);
        if (refs.size <= 1 || limit === Number.POSITIVE_INFINITY) return [...refs.values()].map(logOf);
        const newest = await repository.sortByAge([...refs.keys()]);
        return newest.slice(0, limit).map((commit) => logOf(refs.get(commit) as string));
      });
    },
    prune: (append) => group.append({ append: { ...append, isUnsettled: false }, replaces: true }),
    // git keeps no unfinished files of other processes here.
    sweep: async () => undefined,
  };
}
