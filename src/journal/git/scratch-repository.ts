// A bare repository of this process, in a private temporary folder: git fetches the journal's refs into it, and pushes
// events from it. The checkout and its work tree are never touched.
import { once } from "../../once.ts";
import type { Files, ProgramResult, System } from "../../platform/context.ts";
import { makeTemporaryFolder } from "../../platform/folders.ts";
import { isMapping, parseJson } from "../../untrusted-data.ts";
import { gitFailure } from "./errors.ts";
import { type GitDeps, type GitRemote, remoteName } from "./git-remote.ts";

export interface ScratchDeps extends GitDeps {
  readonly files: Files;
  readonly system: GitDeps["system"] & Pick<System, "atExit" | "clock" | "random">;
}

/** An entry as a commit: the first line of the message is JSON, and the tree is empty. */
export interface RawCommit {
  readonly id: string;
  readonly parent: string | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Of `git rev-list`: the id, the parents and the message of each commit, between characters that JSON escapes. */
export const commitFormat = "--format=%x01%H%x02%P%x02%B%x03";

/** No pipeline runs for it where the journal's refs are branches. */
function messageOf(record: string): string {
  return `${record}\n\n[skip ci]\n`;
}

export function parseCommits(listing: string): readonly RawCommit[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of `commitFormat`.
  const commits = listing.matchAll(/\x01([0-9a-f]+)\x02([^\x02]*)\x02([^\x03]*)\x03/g);
  return [...commits].map(([, id = "", parents = "", message = ""]) => {
    const record = parseJson(message.slice(0, message.indexOf("\n")));
    return { id, parent: parents.split(" ")[0] || undefined, record: isMapping(record) ? record : {} };
  });
}

/** `isDone`: the remote says that the ref moved. Else it may have moved, or may still move. */
export interface Pushed {
  readonly isDone: boolean;
  readonly result: ProgramResult;
}

/** Each member throws a `Failure` where git cannot do its part. */
export interface ScratchRepository {
  /**
   * Makes the local ref equal to the remote's, and gives its commit; undefined where there is none. With `depth`, which
   * limits the commits, a fetch that gives none may have failed.
   */
  fetch(ref: string, depth?: number): Promise<string | undefined>;
  /** The refs of the remote that match the pattern. */
  remoteRefs(pattern: string): Promise<readonly string[]>;
  /** Writes a commit; gives its id. */
  write(record: string, parent: string | undefined): Promise<string>;
  /** This commit and all before it that are here, without `end` and those before it, the oldest first. */
  commits(tip: string, end: string | undefined): Promise<readonly RawCommit[]>;
  /** Moves a ref of the remote from the commit `from`, or begins it at `to`. */
  push(ref: string, from: string | undefined, to: string): Promise<Pushed>;
}

export function createScratchRepository(deps: ScratchDeps, remote: GitRemote): ScratchRepository {
  const { files, system } = deps;
  const open = once(create);
  const emptyTree = once(() => ask(["mktree"]));

  async function run(args: readonly string[], input = ""): Promise<ProgramResult> {
    const folder = await open();
    return remote.git([`--git-dir=${folder}`, ...args], { cwd: folder, input });
  }

  /** The output of a command that changes nothing there. */
  async function ask(args: readonly string[], input = "", isDone = isSuccess): Promise<string> {
    const result = await run(args, input);
    if (isDone(result)) return result.stdout;
    throw gitFailure(remote, result, "read");
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
    async fetch(ref, depth) {
      const flags = ["--quiet", "--prune", "--no-tags", "--no-write-fetch-head"];
      if (depth !== undefined) flags.push(`--depth=${depth}`);
      // git refuses to fetch a ref that is not there, and takes a pattern that matches none.
      const isDone = depth === undefined ? isSuccess : isSuccessOrNothing;
      await ask(["fetch", ...flags, remoteName, `+${ref}*:${ref}*`], "", isDone);
      return (await ask(["for-each-ref", "--format=%(objectname)", ref])).trim() || undefined;
    },
    async remoteRefs(pattern) {
      const listed = await ask(["ls-remote", "--refs", remoteName, pattern]);
      // git also lists the refs that end so.
      const begins = `\t${pattern.replace("*", "")}`;
      return [...listed.matchAll(/\t(.+)/g)].flatMap(([field, ref]) =>
        field.startsWith(begins) && ref ? [ref] : [],
      );
    },
    async write(record, parent) {
      const tree = (await emptyTree()).trim();
      const from = parent === undefined ? [] : ["-p", parent];
      return (await ask(["commit-tree", tree, ...from], messageOf(record))).trim();
    },
    async commits(tip, end) {
      const range = [tip, ...(end === undefined ? [] : [`^${end}`])];
      const order = ["--topo-order", "--first-parent", "--reverse"];
      return parseCommits(await ask(["rev-list", "--encoding=UTF-8", ...order, commitFormat, ...range]));
    },
    async push(ref, from = "", to) {
      const flags = ["--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no"];
      const lease = `--force-with-lease=${ref}:${from}`;
      const result = await run(["push", ...flags, lease, remoteName, `${to}:${ref}`]);
      return { isDone: isPushed(result, ref), result };
    },
  };
}

function isSuccess({ exitCode }: ProgramResult): boolean {
  return exitCode === 0;
}

/** With a depth, git fails where no ref matches: without a word, or in these words where the server speaks an old protocol. */
function isSuccessOrNothing({ exitCode, problem, stderr }: ProgramResult): boolean {
  const isNothing = stderr === "" ? exitCode === 1 : /^fatal: no matching remote head$/m.test(stderr);
  return exitCode === 0 || (isNothing && problem === undefined);
}

/** Only a clean exit with a line of success for the ref counts as done. */
function isPushed({ exitCode, stdout }: ProgramResult, ref: string): boolean {
  const lines = [...stdout.matchAll(/^([ +*=!-])\t[0-9a-f]*:(\S+)\t/gm)];
  const flag = lines.find(([, , name]) => name === ref)?.[1];
  return exitCode === 0 && flag !== undefined && flag !== "!";
}
