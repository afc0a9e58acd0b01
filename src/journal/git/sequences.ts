// Sequences as refs of a git repository that machines share, with a commit for each entry. A push moves the ref from the commit
// that was read, so it is the compare-and-swap. Nothing is dropped: a reader fetches from the newest snapshot on.
import { once } from "../../once.ts";
import type { ProgramResult } from "../../platform/context.ts";
import { makeTemporaryFolder } from "../../platform/folders.ts";
import { isMapping, parseJson } from "../../untrusted-data.ts";
import { rolledBack } from "../fleet/machine-memory.ts";
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences, type Tail } from "../sequence.ts";
import { gitFailure, type ShownPlace } from "./errors.ts";
import { type GitDeps, type GitLocation, type GitRemote, remoteName, resolveRemote } from "./git-remote.ts";

/** An entry as a commit: the subject of its message is JSON, and the tree is empty. */
export interface RawCommit {
  readonly id: string;
  readonly parent: string | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Of `git rev-list`: the id, the parents and the subject of each commit, which has no raw tab. */
export const commitFormat = "--format=%H %P%x09%s";

export function parseCommits(listing: string): readonly RawCommit[] {
  const commits = listing.matchAll(/^([0-9a-f]+) ([0-9a-f]*)[^\t]*\t(.*)$/gm);
  return [...commits].map(([, id = "", parent, subject = ""]) => {
    const record = parseJson(subject);
    return { id, parent: parent || undefined, record: isMapping(record) ? record : {} };
  });
}

export type ScratchRepository = ReturnType<typeof createScratchRepository>;

/** A private bare repository: the checkout is never touched. Each member throws a `Failure` where git cannot do its part. */
export function createScratchRepository(deps: GitDeps, remote: GitRemote) {
  const { files, system } = deps;
  const open = once(create);
  const emptyTree = once(() => ask(["mktree"]));

  async function run(args: readonly string[], input = ""): Promise<ProgramResult> {
    const folder = await open();
    return remote.git([`--git-dir=${folder}`, ...args], { cwd: folder, input });
  }

  /** The output of a command that changes nothing there. */
  async function ask(args: readonly string[], input = ""): Promise<string> {
    const result = await run(args, input);
    if (result.exitCode === 0) return result.stdout;
    throw gitFailure(remote, result, "read");
  }

  async function remoteRefs(pattern: string): Promise<readonly string[]> {
    const listed = await ask(["ls-remote", "--refs", remoteName, pattern]);
    // git also lists the refs that end so.
    const begins = `\t${pattern.replace("*", "")}`;
    return [...listed.matchAll(/\t(.+)/g)].flatMap(([field, ref]) =>
      field.startsWith(begins) && ref ? [ref] : [],
    );
  }

  async function create(): Promise<string> {
    const folder = makeTemporaryFolder({ files, system }, "journal");
    system.atExit(() => files.rmSync(folder, { recursive: true, force: true }));
    const bare = ["init", "-q", "--bare", "--template=", "--object-format=sha1", folder];
    const made = await remote.git(bare, { cwd: folder });
    if (made.exitCode !== 0) throw gitFailure(remote, made, "read");
    return folder;
  }

  return {
    /** Makes the local ref equal to the remote's, and gives its commit; undefined where the remote has none. */
    async fetch(ref: string, depth?: number): Promise<string | undefined> {
      const flags = ["--quiet", "--prune", "--no-tags", "--no-write-fetch-head"];
      if (depth !== undefined) flags.push(`--depth=${depth}`);
      // git refuses to fetch a ref that is not there, and takes a pattern that matches none; with a depth, it refuses that as well.
      for (let isAgain = false; ; isAgain = true) {
        const fetched = await run(["fetch", ...flags, remoteName, `+${ref}*:${ref}*`]);
        const found =
          fetched.exitCode === 0 ? (await ask(["for-each-ref", "--format=%(objectname)", ref])).trim() : "";
        if (found !== "") return found;
        const wasRun = fetched.problem === undefined;
        if (wasRun && (await remoteRefs(ref)).length === 0) return undefined;
        // Another machine may have made the ref after the first fetch.
        if (isAgain || !wasRun) throw gitFailure(remote, fetched, "read");
      }
    },
    remoteRefs,
    /** Gives the id of the commit. */
    async write(record: string, parent: string | undefined): Promise<string> {
      const tree = (await emptyTree()).trim();
      const from = parent === undefined ? [] : ["-p", parent];
      // No pipeline runs for it where the journal's refs are branches.
      return (await ask(["commit-tree", tree, ...from], `${record}\n\n[skip ci]\n`)).trim();
    },
    /** This commit and all before it that are here, without `end` and those before it, the oldest first. */
    async commits(tip: string, end: string | undefined): Promise<readonly RawCommit[]> {
      const range = [tip, ...(end === undefined ? [] : [`^${end}`])];
      const order = ["--topo-order", "--first-parent", "--reverse"];
      return parseCommits(await ask(["rev-list", "--encoding=UTF-8", ...order, commitFormat, ...range]));
    },
    /** `isDone`: the remote says that the ref moved from `from` to `to`. Else it may have moved, or may still move. */
    async push(ref: string, from: string | undefined, to: string) {
      const flags = ["--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no"];
      const lease = `--force-with-lease=${ref}:${from ?? ""}`;
      const result = await run(["push", ...flags, lease, remoteName, `${to}:${ref}`]);
      return { isDone: isPushed(result, ref), result };
    },
  };
}

/** Only a clean exit with a line of success for the ref counts as done. */
function isPushed({ exitCode, stdout }: ProgramResult, ref: string): boolean {
  const lines = [...stdout.matchAll(/^([ +*=!-])\t[0-9a-f]*:(\S+)\t/gm)];
  const flag = lines.find(([, , name]) => name === ref)?.[1];
  return exitCode === 0 && flag !== undefined && flag !== "!";
}

/** Milliseconds after a push that did not succeed. */
const shortPause = 100;

/** How many commits to fetch: first as many as a snapshot replaces, so that the newest snapshot is among them; at last, all. */
const depths = [257, 1028, 2_147_483_647] as const;

/** Throws a `Failure` where git is missing, or the repository is not one. */
export async function openGit(deps: GitDeps, location: GitLocation): Promise<Sequences> {
  const remote = await resolveRemote(deps, location.url);
  const root = `${location.refs}/v2`;
  const sequences = createGitSequences(deps, remote, createScratchRepository(deps, remote), root);
  return { ...sequences, shared: `${remote.shown} ${root}` };
}

export function createGitSequences(
  deps: Pick<GitDeps, "system">,
  remote: ShownPlace,
  repository: ScratchRepository,
  root: string,
): Sequences {
  return {
    names: async () => (await repository.remoteRefs(`${root}/*`)).map((ref) => ref.slice(root.length + 1)),
    open: (name) => createSequence(deps, remote, repository, `${root}/${name}`),
  };
}

interface Numbered {
  readonly id: string;
  readonly number: number;
  readonly entry: Entry;
}

function createSequence(
  { system: { clock, random, signal } }: Pick<GitDeps, "system">,
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
      if (found === undefined) return [];
      const all = numberedFrom(await repository.commits(found, undefined));
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
