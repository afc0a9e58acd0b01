// Sequences as refs of a git repository that machines share: a commit for each entry, whose message has the entry. A push moves
// the ref from the commit that was read, so it is the compare-and-swap. Nothing is ever dropped: a reader fetches what is
// newer than a snapshot.
import { Failure } from "../../failure.ts";
import type { Reporter, System } from "../../platform/context.ts";
import type { JournalLocation, JournalSettings } from "../../workspace/journal-location.ts";
import { rolledBack } from "../fleet/machine-memory.ts";
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences, type Tail } from "../sequence.ts";
import type { RawCommit } from "./commits.ts";
import { gitFailure, problemOf, stalledFailure } from "./errors.ts";
import { findGit } from "./git-program.ts";
import { type GitRemote, resolveRemote } from "./git-remote.ts";
import { createScratchRepository, type ScratchDeps, type ScratchRepository } from "./scratch-repository.ts";

/** Milliseconds before a push that did not succeed is looked at, or made, again. */
const pushPauses = [100, 500, 2000, 5000] as const;

/** Pushes in a row that do not end in their time: a hook of the server that hangs would hang each of them. */
const mostStalls = 2;

/** The commits that are fetched first: a few more than are replaced by a snapshot. Then eight times as many. */
const firstDepth = 272;

/** To git, all commits. */
const allCommits = 2_147_483_647;

interface GitSequenceDeps extends Pick<Reporter, "warn"> {
  readonly system: Pick<System, "clock" | "random" | "signal">;
}

/** Throws a `Failure` where git is missing, or the repository is not one. */
export async function openGit(
  deps: ScratchDeps & Pick<Reporter, "warn">,
  location: Extract<JournalLocation, { readonly kind: "git" }>,
  settings: Pick<JournalSettings, "secrets">,
): Promise<Sequences> {
  const remote = await resolveRemote(deps, await findGit(deps), location, settings);
  const root = `${location.refs}/v2`;
  const sequences = createGitSequences(deps, remote, createScratchRepository(deps, remote), root);
  return { ...sequences, shared: `${remote.shown} ${root}` };
}

/** The sequences in a repository that is open. */
export function createGitSequences(
  deps: GitSequenceDeps,
  remote: Omit<GitRemote, "git">,
  repository: ScratchRepository,
  root: string,
): Sequences {
  let last: Promise<unknown> = Promise.resolve();
  /** Runs work while nothing else runs in the repository. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  return {
    names: () =>
      alone(async () => (await repository.remoteRefs(`${root}/*`)).map((ref) => ref.slice(root.length + 1))),
    open(name) {
      const sequence = createSequence(deps, remote, repository, `${root}/${name}`);
      return {
        ...sequence,
        read: (from) => alone(() => sequence.read(from)),
        append: (at, entry) => alone(() => sequence.append(at, entry)),
      };
    },
  };
}

/** An entry in its commit. */
interface Numbered {
  readonly id: string;
  readonly number: number;
  readonly entry: Entry;
}

function createSequence(
  { system: { clock, random, signal }, warn }: GitSequenceDeps,
  remote: Omit<GitRemote, "git">,
  repository: ScratchRepository,
  ref: string,
): Sequence {
  /** The newest commit that was read. */
  let tip: Numbered | undefined;
  /** The pushes in a row that do not end in their time. */
  let stalls = 0;
  const place = (number: number) => `entry ${number} of ${ref}`;

  function numberedOf({ id, record }: RawCommit): Numbered {
    const { entry, number } = record;
    if (typeof number !== "number" || typeof entry !== "object" || entry === null)
      throw untrusted(`commit ${id}`, "it is not an entry, or was changed");
    return { id, number, entry: entry as Entry };
  }

  /** The commits after `end`, or after the newest snapshot before it, the oldest first. */
  async function commitsTo(found: string, end: string | undefined): Promise<readonly Numbered[]> {
    const known = await repository.commits(found, end);
    const commits: Numbered[] = [];
    for (let id: string | undefined = found; end === undefined || id !== end; ) {
      const commit: RawCommit | undefined = id === undefined ? undefined : known.get(id);
      if (commit === undefined) throw rolledBack(`a commit of ${ref}`);
      const each = numberedOf(commit);
      if (commits.length > 0 && each.number !== (commits[0]?.number ?? 0) - 1)
        throw untrusted(`commit ${each.id}`, "its number does not follow");
      commits.unshift(each);
      if (end === undefined && (each.number === 0 || each.entry.snapshot !== undefined)) break;
      id = commit.parent;
    }
    return commits;
  }

  /** Reads what is new since the last reading; everything from the newest snapshot on where nothing was read. */
  async function readNew(): Promise<readonly Numbered[]> {
    if (tip !== undefined) {
      const found = await repository.fetch(ref);
      if (found === tip.id) return [];
      if (found === undefined) throw rolledBack(`a commit of ${ref}`);
      return commitsTo(found, tip.id);
    }
    for (let depth = firstDepth; ; depth *= 8) {
      const isAll = depth > firstDepth * 64;
      const found = await repository.fetch(ref, isAll ? allCommits : depth);
      // A fetch of a depth that gives nothing may have failed.
      if (found === undefined && (await repository.remoteRefs(ref)).length === 0) return [];
      if (found === undefined && isAll) throw rolledBack(`what the remote lists as ${ref}`);
      if (found === undefined) continue;
      try {
        return await commitsTo(found, undefined);
      } catch (error) {
        // Its history begins before what was fetched.
        if (!(error instanceof Failure) || isAll) throw error;
      }
    }
  }

  async function read(from: number): Promise<Tail> {
    if (tip !== undefined && from < tip.number) tip = undefined;
    const before = tip;
    const commits = await readNew();
    tip = commits.at(-1) ?? tip;
    const all = before === undefined ? commits : [before, ...commits];
    const wanted = all.filter(({ number }) => number >= from);
    return { first: wanted[0]?.number ?? from, entries: wanted.map(({ entry }) => entry) };
  }

  /** Whether the ref has the commit; undefined where it still is where a push would move it from. */
  async function findOut(commit: string, before: string | undefined): Promise<boolean | undefined> {
    const now = await repository.fetch(ref);
    if (now === commit) return true;
    if (now === before) return undefined;
    return now !== undefined && (await repository.commits(now, before)).has(commit);
  }

  async function append(at: number, entry: Entry): Promise<"ours" | "taken" | "unknown"> {
    if (at !== (tip?.number ?? -1) + 1) return "taken";
    let isDoubtful = false;
    const before = tip?.id;
    const record = asciiOf({ number: at, entry });
    const commit = await repository.write(record, before);
    for (const pause of [...pushPauses, undefined]) {
      if (stalls >= mostStalls && isDoubtful) return "unknown";
      if (stalls >= mostStalls) throw stalledFailure(remote);
      const { kind, result } = await repository.push(ref, before, commit);
      stalls = result.problem === undefined ? 0 : stalls + 1;
      if (stalls === 1) warn(`the journal at ${remote.shown} is slow: trying a push once more`);
      const problem = problemOf(result);
      const isRefused = problem === "credentials" || problem === "repository";
      isDoubtful ||= kind === "unclear" && !isRefused;
      try {
        const isIn = kind === "done" || (await findOut(commit, before));
        if (isIn) {
          tip = { id: commit, number: at, entry };
          return "ours";
        }
        // The ref never comes back to where this push expects it.
        if (isIn === false) {
          await clock.sleep(pushPauses[0] * (0.5 + random.fraction()), signal);
          return "taken";
        }
      } catch (error) {
        if (isDoubtful && error instanceof Failure) return "unknown";
        throw error;
      }
      const isFinal = isRefused || (kind === "refused" && problem !== "other");
      if (pause === undefined || isFinal || signal.aborted) {
        if (isDoubtful) return "unknown";
        throw gitFailure(remote, result, "written");
      }
      await clock.sleep(pause * (0.5 + random.fraction()), signal);
    }
    return "unknown";
  }

  return { append, drop: async () => undefined, mayDrop: () => true, place, read };
}
