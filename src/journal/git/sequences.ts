// Sequences as refs of a git repository that machines share: a commit for each entry, whose message has the entry. A push moves
// the ref from the commit that was read, so it is the compare-and-swap. Nothing is ever dropped: a reader fetches what is
// newer than a snapshot.
import type { ProgramResult, System } from "../../platform/context.ts";
import type { JournalLocation, JournalSettings } from "../../workspace/journal-location.ts";
import { rolledBack } from "../fleet/machine-memory.ts";
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences, type Tail } from "../sequence.ts";
import { gitFailure, type ShownPlace } from "./errors.ts";
import { resolveRemote } from "./git-remote.ts";
import {
  createScratchRepository,
  type RawCommit,
  type ScratchDeps,
  type ScratchRepository,
} from "./scratch-repository.ts";

/** Milliseconds after a push that did not succeed. */
const shortPause = 100;

/**
 * How many commits are fetched: first as many as a snapshot replaces, so that the newest snapshot is among them, and the one
 * before it is not. To git, the last number is all commits.
 */
const depths = [257, 1028, 2_147_483_647] as const;

interface GitSequenceDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
}

/** Throws a `Failure` where git is missing, or the repository is not one. */
export async function openGit(
  deps: ScratchDeps,
  location: Extract<JournalLocation, { readonly kind: "git" }>,
  settings: Pick<JournalSettings, "secrets">,
): Promise<Sequences> {
  const remote = await resolveRemote(deps, location, settings);
  const root = `${location.refs}/v2`;
  const sequences = createGitSequences(deps, remote, createScratchRepository(deps, remote), root);
  return { ...sequences, shared: `${remote.shown} ${root}` };
}

/** The sequences in a repository that is open. */
export function createGitSequences(
  deps: GitSequenceDeps,
  remote: ShownPlace,
  repository: ScratchRepository,
  root: string,
): Sequences {
  return {
    names: async () => (await repository.remoteRefs(`${root}/*`)).map((ref) => ref.slice(root.length + 1)),
    open: (name) => createSequence(deps, remote, repository, `${root}/${name}`),
  };
}

/** An entry in its commit. */
interface Numbered {
  readonly id: string;
  readonly number: number;
  readonly entry: Entry;
}

function createSequence(
  { system: { clock, random, signal } }: GitSequenceDeps,
  remote: ShownPlace,
  repository: ScratchRepository,
  ref: string,
): Sequence {
  /** The newest commit that was read. */
  let tip: Numbered | undefined;
  /** A push that did not end in its time: a hook of the server that hangs would hang the next one as well. */
  let stalled: ProgramResult | undefined;
  const place = (number: number) => `entry ${number} of ${ref}`;

  function numberedOf({ id, record }: RawCommit): Numbered {
    const { entry, number } = record;
    if (typeof number !== "number" || typeof entry !== "object" || entry === null)
      throw untrusted(`commit ${id}`, "it is not an entry, or was changed");
    return { id, number, entry: entry as Entry };
  }

  /** The entries of commits that follow each other. */
  function numberedFrom(commits: readonly RawCommit[]): readonly Numbered[] {
    const all = commits.map(numberedOf);
    const wrong = all.find(({ number }, index) => number !== (all[0]?.number ?? 0) + index);
    if (wrong !== undefined) throw untrusted(`commit ${wrong.id}`, "its number does not follow");
    return all;
  }

  /** Reads what is new since the last reading; everything from the newest snapshot on where nothing was read. */
  async function readNew(): Promise<readonly Numbered[]> {
    if (tip !== undefined) {
      const found = await repository.fetch(ref);
      if (found === tip.id) return [];
      const commits = found === undefined ? [] : await repository.commits(found, tip.id);
      if (commits[0]?.parent !== tip.id) throw rolledBack(`a commit of ${ref}`);
      return numberedFrom(commits);
    }
    for (const depth of depths) {
      const found = await repository.fetch(ref, depth);
      // A fetch of a depth that gives nothing may have failed.
      if (found === undefined && (await repository.remoteRefs(ref)).length === 0) return [];
      const all = found === undefined ? [] : numberedFrom(await repository.commits(found, undefined));
      const start = all.findLastIndex(({ entry, number }) => number === 0 || entry.snapshot !== undefined);
      if (start >= 0) return all.slice(start);
    }
    throw rolledBack(`the beginning of ${ref}`);
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

  async function append(at: number, entry: Entry): Promise<"ours" | "taken"> {
    if (at !== (tip?.number ?? -1) + 1) return "taken";
    if (stalled !== undefined) throw gitFailure(remote, stalled, "written");
    const commit = await repository.write(asciiOf({ number: at, entry }), tip?.id);
    const { isDone, result } = await repository.push(ref, tip?.id, commit);
    if (isDone) {
      tip = { id: commit, number: at, entry };
      return "ours";
    }
    if (result.problem !== undefined) stalled = result;
    // Machines that were refused together do not come back together.
    await clock.sleep(shortPause * (0.5 + random.fraction()), signal);
    throw gitFailure(remote, result, "written");
  }

  return { append, drop: async () => undefined, mayDrop: () => true, place, read };
}
