// The repository of a journal in memory, behind the type of a scratch repository: the refs of a host, which machines fetch,
// and move from where they have seen them.
import type { RawCommit, ScratchRepository } from "../../../src/journal/git/sequences.ts";

export interface MemoryHost {
  readonly refs: Map<string, string>;
  readonly commits: ReadonlyMap<string, RawCommit>;
  /** The depth of each fetch; undefined for what is new. */
  readonly fetched: (number | undefined)[];
  /** The scratch repository of another machine. */
  open(): ScratchRepository;
}

export function createMemoryHost(): MemoryHost {
  const refs = new Map<string, string>();
  const commits = new Map<string, RawCommit>();
  const fetched: (number | undefined)[] = [];

  /** The commit and those before it, the newest first. */
  function* historyOf(tip: string | undefined): Generator<RawCommit> {
    for (let commit = commits.get(tip ?? ""); commit !== undefined; commit = commits.get(commit.parent ?? ""))
      yield commit;
  }

  function open(): ScratchRepository {
    /** The ids of the commits that were fetched or written. */
    const known = new Set<string>();
    return {
      async fetch(ref, depth) {
        fetched.push(depth);
        const tip = refs.get(ref);
        let left = depth ?? Number.POSITIVE_INFINITY;
        for (const { id } of historyOf(tip)) {
          if (left === 0 || (depth === undefined && known.has(id))) break;
          known.add(id);
          left -= 1;
        }
        return tip;
      },
      remoteRefs: async (pattern) => [...refs.keys()].filter((ref) => matches(pattern, ref)),
      async commits(tip, end) {
        const found = new Map<string, RawCommit>();
        for (const commit of historyOf(tip)) {
          if (commit.id === end || !known.has(commit.id)) break;
          found.set(commit.id, commit);
        }
        // As git lists the last commit that was fetched: as if it were the first.
        for (const { id, ...commit } of found.values())
          if (!known.has(commit.parent ?? "")) found.set(id, { ...commit, id, parent: undefined });
        return [...found.values()].reverse();
      },
      async write(record, parent) {
        const id = String(commits.size + 1).padStart(4, "0");
        commits.set(id, { id, parent, record: JSON.parse(record) });
        known.add(id);
        return id;
      },
      async push(ref, from, to) {
        const isDone = refs.get(ref) === from;
        if (isDone) refs.set(ref, to);
        const stdout = isDone ? "" : "! [rejected] (stale info)";
        return { isDone, result: { exitCode: isDone ? 0 : 1, stdout, stderr: "" } };
      },
    };
  }
  return { refs, commits, fetched, open };
}

/** A pattern ends in a star, or names a ref or the folder of refs. */
function matches(pattern: string, ref: string): boolean {
  if (pattern.endsWith("*")) return ref.startsWith(pattern.slice(0, -1));
  return ref === pattern || ref.startsWith(`${pattern}/`);
}
