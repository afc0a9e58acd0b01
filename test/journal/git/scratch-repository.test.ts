// What a push to the journal moves, and how its report is judged.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findGit } from "../../../src/journal/git/git-program.ts";
import { resolveRemote } from "../../../src/journal/git/git-remote.ts";
import { createScratchRepository } from "../../../src/journal/git/scratch-repository.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { gitDeps } from "./deps.ts";

describe("the report of a push of two refs", () => {
  const line = (flag: string, ref: string) => `${flag}\t0000000:${ref}\t[a word]\n`;
  it.each([
    ["done", 0, line("*", "refs/a") + line(" ", "refs/b")],
    ["unclear", 0, line("*", "refs/a")],
    ["unclear", 0, line("*", "refs/a") + line("!", "refs/b")],
    ["refused", 1, line("!", "refs/a") + line("!", "refs/b")],
    ["unclear", 1, line("!", "refs/a")],
    ["unclear", 1, line("*", "refs/a") + line("!", "refs/b")],
    ["unclear", 1, line("*", "refs/a") + line("*", "refs/b")],
    ["unclear", 1, ""],
    ["unclear", 128, line("!", "refs/a") + line("!", "refs/b")],
    ["unclear", undefined, line("!", "refs/a") + line("!", "refs/b")],
  ] as const)("is %s with exit code %s and %o", async (kind, exitCode, stdout) => {
    const run = async (args: readonly string[]) =>
      args.includes("push") ? { exitCode, stdout, stderr: "" } : { exitCode: 0, stdout: "", stderr: "" };
    const git = { run, with: () => git } as never;
    const remote = { git, shown: "the host", redact: (text: string) => text };
    const repository = createScratchRepository(gitDeps(temporaryFolder()), remote);
    const updates = ["refs/a", "refs/b"].map((ref) => ({ ref, from: undefined, to: "1" }));
    expect((await repository.push(updates)).kind).toBe(kind);
  });
});

describe.skipIf(isMissing("git"))("a push", () => {
  async function openMachines() {
    const folder = temporaryFolder();
    const url = `file://${folder}/j.git`;
    execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
    const open = async () => {
      const deps = gitDeps(folder);
      const location = { kind: "git", url, refs: "refs/j" } as const;
      const remote = await resolveRemote(deps, await findGit(deps), location, { secrets: [] });
      return createScratchRepository(deps, remote);
    };
    const [one, other] = await Promise.all([open(), open()]);
    const refs = async () => {
      await one.fetch(["refs/j/*"]);
      return one.refs("refs/j");
    };
    return { one, other, refs };
  }

  it("moves no ref where one of them is not where the push expects it", async () => {
    const { one, other, refs } = await openMachines();
    const first = await one.write("first", undefined);
    expect(await one.push([{ ref: "refs/j/a", from: undefined, to: first }])).toMatchObject({ kind: "done" });
    const second = await other.write("second", undefined);
    const pushed = await other.push([
      { ref: "refs/j/a", from: undefined, to: second },
      { ref: "refs/j/b", from: undefined, to: second },
    ]);
    expect([pushed.kind, await refs()]).toEqual(["refused", new Map([["refs/j/a", first]])]);
  });

  it("moves no ref where the host refuses one of them", async () => {
    const { one, refs } = await openMachines();
    const first = await one.write("first", undefined);
    const pushed = await one.push([
      { ref: "refs/j/a", from: undefined, to: first },
      // A ref cannot be a folder as well.
      { ref: "refs/j/a/b", from: undefined, to: first },
    ]);
    expect([pushed.kind, await refs()]).toEqual(["refused", new Map()]);
  });
});
