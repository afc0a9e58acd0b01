// The repository of a journal in memory, behind the type of a scratch repository: the refs of a host, which machines fetch,
// and move from where they have seen them.
import type { RawCommit } from "../../../src/journal/git/event-commit.ts";
import type { RefUpdate, ScratchRepository } from "../../../src/journal/git/scratch-repository.ts";

export interface MemoryHost {
  readonly refs: Map<string, string>;
  readonly commits: ReadonlyMap<string, RawCommit>;
  /** The patterns of each fetch. */
  readonly fetched: string[];
  /** The scratch repository of another machine. */
  open(): ScratchRepository;
}

export function createMemoryHost(): MemoryHost {
  const refs = new Map<string, string>();
  const commits = new Map<string, RawCommit>();
  const fetched: string[] = [];

  function open(): ScratchRepository {
    const local = new Map<string, string>();
    const move = (all: Map<string, string>, { ref, to }: RefUpdate) => all.set(ref, to);
    return {
      async fetch(patterns, options) {
        fetched.push([...patterns, ...(options === undefined ? [] : [`depth ${options.depth}`])].join(" "));
        const isWanted = (ref: string) => patterns.some((pattern) => matches(pattern, ref));
        for (const ref of [...local.keys()].filter(isWanted)) local.delete(ref);
        for (const [ref, commit] of refs) if (isWanted(ref)) local.set(ref, commit);
      },
      hasRemote: async (pattern) => [...refs.keys()].some((ref) => matches(pattern, ref)),
      refs: async (prefix) => new Map([...local].filter(([ref]) => matches(prefix, ref)).sort()),
      async commits(tips, { isWalk } = { isWalk: true }) {
        const found = new Map<string, RawCommit>();
        for (const tip of tips) {
          let commit = commits.get(tip);
          while (commit !== undefined && !found.has(commit.id)) {
            found.set(commit.id, commit);
            commit = isWalk ? commits.get(commit.parent ?? "") : undefined;
          }
        }
        return found;
      },
      async write(record, parent) {
        const id = String(commits.size + 1).padStart(4, "0");
        commits.set(id, { id, parent, record: JSON.parse(record) });
        return id;
      },
      async push(updates) {
        const isDone = updates.every(({ from, ref }) => refs.get(ref) === from);
        if (isDone) for (const update of updates) for (const all of [refs, local]) move(all, update);
        const stdout = isDone ? "" : "! [rejected] (stale info)";
        return {
          kind: isDone ? "done" : "refused",
          result: { exitCode: isDone ? 0 : 1, stdout, stderr: "" },
        };
      },
      adopt: () => false,
    };
  }
  return { refs, commits, fetched, open };
}

/** A pattern ends in a star, or names a ref or the folder of refs. */
function matches(pattern: string, ref: string): boolean {
  if (pattern.endsWith("*")) return ref.startsWith(pattern.slice(0, -1));
  return ref === pattern || ref.startsWith(`${pattern}/`);
}
