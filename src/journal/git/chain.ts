// A log as a chain of commits, from its ref back to the first event that pruning has left.
import { Failure } from "../../failure.ts";
import { type EventCommit, type EventCommits, untrustedCommit } from "./event-commit.ts";

export interface Chain {
  readonly first: number;
  readonly commits: readonly EventCommit[];
  /** The commit of the ref in the list of unsettled logs. */
  readonly open: string | undefined;
}

export const emptyChain: Chain = { first: 0, commits: [], open: undefined };

/** The number of the event that comes next. */
export function endOf({ commits, first }: Chain): number {
  return first + commits.length;
}

/** The events from `tip` back to the first that pruning has left. Throws a `Failure` where they do not follow each other. */
export function chainOf(tip: string | undefined, open: string | undefined, known: EventCommits): Chain {
  const commits: EventCommit[] = [];
  for (let id = tip; id !== undefined; ) {
    const commit = known.get(id);
    if (commit instanceof Failure) throw commit;
    if (commit === undefined) throw untrustedCommit(id, "it is gone, and commits after it are not");
    const later = commits[0];
    if (later !== undefined && later.number !== commit.number + 1)
      throw untrustedCommit(id, "its number does not follow");
    commits.unshift(commit);
    id = commit.parent;
  }
  return { first: commits[0]?.number ?? 0, commits, open };
}
