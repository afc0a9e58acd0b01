// The logs of a ref, from its chain of commits.
import { type EventCommit, eventOf, type RawCommits, untrustedCommit } from "./event-commit.ts";

/** The events of a log that pruning has left. */
export interface Chain {
  readonly first: number;
  readonly commits: readonly EventCommit[];
  /** When its first event was written, by the clock of the writer. */
  readonly began: number;
}

export const emptyChain: Chain = { first: 0, commits: [], began: 0 };

/** The number of the event that comes next. */
export function endOf({ commits, first }: Chain): number {
  return first + commits.length;
}

export function withEvent(chain: Chain, commit: EventCommit): Chain {
  const began = chain.commits.length === 0 ? commit.at : chain.began;
  if (commit.isBeginning) return { first: commit.number, commits: [commit], began };
  return { first: chain.first, commits: [...chain.commits, commit], began };
}

/**
 * By the name of the log. `only`: the log of a ref of format 1, which begins at its first commit. Throws a `Failure` where
 * the events of a log do not follow each other.
 */
export function chainsOf(tip: string | undefined, known: RawCommits, only?: string): Map<string, Chain> {
  const commits: EventCommit[] = [];
  for (let id = tip; id !== undefined; ) {
    const commit = known.get(id);
    if (commit === undefined) throw untrustedCommit(id, "it is gone, and commits after it are not");
    commits.push(eventOf(commit));
    id = commit.parent;
  }
  const chains = new Map<string, Chain>();
  for (const commit of commits.reverse()) {
    const log = commit.log ?? only;
    if (log === undefined) throw untrustedCommit(commit.id, "it names no log");
    const chain = chains.get(log) ?? { ...emptyChain, first: only === undefined ? 0 : commit.number };
    if (commit.number !== endOf(chain)) throw untrustedCommit(commit.id, "its number does not follow");
    chains.set(log, withEvent(chain, commit));
  }
  return chains;
}
