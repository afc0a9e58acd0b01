// What a push to the journal moves, how its report is judged, and how far a fetch reaches.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveRemote } from "../../../src/journal/git/git-remote.ts";
import { createScratchRepository } from "../../../src/journal/git/scratch-repository.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { gitDeps } from "./deps.ts";

describe("the report of a push", () => {
  const line = (flag: string, ref: string) => `${flag}\t0000000:${ref}\t[a word]\n`;
  it.each([
    ["done", 0, line("*", "refs/a")],
    ["done", 0, line(" ", "refs/a")],
    ["unclear", 0, line("*", "refs/b")],
    ["unclear", 0, line("!", "refs/a")],
    ["refused", 1, line("!", "refs/a")],
    ["unclear", 1, line("*", "refs/a")],
    ["unclear", 1, ""],
    ["unclear", 128, line("!", "refs/a")],
    ["unclear", undefined, line("!", "refs/a")],
  ] as const)("is %s with exit code %s and %o", async (kind, exitCode, stdout) => {
    const git = async (args: readonly string[]) =>
      args.includes("push") ? { exitCode, stdout, stderr: "" } : { exitCode: 0, stdout: "", stderr: "" };
    const remote = { git, shown: "the host", redact: (text: string) => text };
    const repository = createScratchRepository(gitDeps(temporaryFolder()), remote);
    expect((await repository.push("refs/a", undefined, "1")).kind).toBe(kind);
  });
});

it.each(["http://host.example/j", "ftp://host.example/j", "no place"])(
  "a repository at %s is not reached",
  async (url) => {
    const location = { kind: "git", url, refs: "refs/j" } as const;
    await expect(resolveRemote(gitDeps(temporaryFolder()), location, { secrets: [] })).rejects.toThrow(
      "the URL of the journal's repository is neither https, ssh nor a file",
    );
  },
);

describe.skipIf(isMissing("git"))("a push", () => {
  async function openMachines() {
    const folder = temporaryFolder();
    const url = `file://${folder}/j.git`;
    execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
    const open = async () => {
      const deps = gitDeps(folder);
      const location = { kind: "git", url, refs: "refs/j" } as const;
      const remote = await resolveRemote(deps, location, { secrets: [] });
      return createScratchRepository(deps, remote);
    };
    const [one, other] = await Promise.all([open(), open()]);
    return { folder, one, other };
  }

  it("moves no ref that is not where the push expects it", async () => {
    const { one, other } = await openMachines();
    const first = await one.write("first", undefined);
    expect(await one.push("refs/j/a", undefined, first)).toMatchObject({ kind: "done" });
    const second = await other.write("second", undefined);
    const pushed = await other.push("refs/j/a", undefined, second);
    expect([pushed.kind, await one.fetch("refs/j/a")]).toEqual(["refused", first]);
  });

  it("is made from a history that begins at a depth, and read as far as it was fetched", async () => {
    const { folder, one, other } = await openMachines();
    let tip: string | undefined;
    for (const text of ["a", "b", "c"]) {
      const from = tip;
      tip = await one.write(JSON.stringify({ text }), from);
      expect(await one.push("refs/j/a", from, tip)).toMatchObject({ kind: "done" });
    }
    await other.fetch("refs/j/a", 2);
    const shallow = await other.commits(tip as string, undefined);
    const found = shallow.map(({ parent, record }) => [record.text, parent !== undefined]);
    expect(found).toEqual([
      ["b", false],
      ["c", true],
    ]);
    const url = ["--git-dir", `${folder}/j.git`];
    const format = "--format=%an <%ae>%n%cn <%ce>%n%T%n%B";
    const shown = execFileSync("git", [...url, "show", "-s", format, tip as string], { encoding: "utf8" });
    const author = "incident <incident@localhost>";
    const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    expect(shown.trim()).toBe(`${author}\n${author}\n${emptyTree}\n{"text":"c"}\n\n[skip ci]`);
    const next = await other.write("{}", tip);
    expect(await other.push("refs/j/a", tip, next)).toMatchObject({ kind: "done" });
    await one.fetch("refs/j/a");
    expect((await one.commits(next, tip)).map((commit) => commit.id)).toEqual([next]);
    await one.push("refs/backup/refs/j/b", undefined, next);
    expect(await one.remoteRefs("refs/j/*")).toEqual(["refs/j/a"]);
    expect(await one.remoteRefs("refs/j/b")).toEqual([]);
  });
});
