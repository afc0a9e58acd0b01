// What a push to the journal moves, how its report is judged, and how far a fetch reaches.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitFailure } from "../../../src/journal/git/errors.ts";
import { createScratchRepository } from "../../../src/journal/git/sequences.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { ends, useServers } from "../../http/fault-row.ts";
import { gitDeps, openRemote } from "./deps.ts";

describe("the report of a push", () => {
  const line = (flag: string, ref: string) => `${flag}\t0000000:${ref}\t[a word]\n`;
  it.each([
    [true, 0, line("*", "refs/a")],
    [true, 0, line(" ", "refs/a")],
    [false, 0, line("*", "refs/b")],
    [false, 0, line("!", "refs/a")],
    [false, 1, line("!", "refs/a")],
    [false, 1, line("*", "refs/a")],
    [false, undefined, line("*", "refs/a")],
  ] as const)("says that it was made, %s, with exit code %s and %o", async (isDone, exitCode, stdout) => {
    const git = async (args: readonly string[]) =>
      args.includes("push") ? { exitCode, stdout, stderr: "" } : { exitCode: 0, stdout: "", stderr: "" };
    const remote = { git, shown: "the host", redact: (text: string) => text };
    const repository = createScratchRepository(gitDeps(temporaryFolder()), remote);
    expect((await repository.push("refs/a", undefined, "1")).isDone).toBe(isDone);
  });
});

it.each([
  [0, ""],
  [1, ""],
  [128, "fatal: no matching remote head"],
])(
  "a fetch that ends with %s and %j, and brings no ref that the remote lists, failed",
  async (exitCode, stderr) => {
    const git = async (args: readonly string[]) => {
      if (args.includes("fetch")) return { exitCode, stdout: "", stderr };
      return { exitCode: 0, stdout: args.includes("ls-remote") ? "0000000\trefs/a\n" : "", stderr: "" };
    };
    const remote = { git, shown: "the host", redact: (text: string) => text };
    const { fetch } = createScratchRepository(gitDeps(temporaryFolder()), remote);
    for (const depth of [257, undefined])
      await expect(fetch("refs/a", depth)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(fetch("refs/b", 257)).resolves.toBeUndefined();
  },
);

it("a fetch brings the ref that another machine makes before the remote lists its refs", async () => {
  let fetches = 0;
  const git = async (args: readonly string[]) => {
    if (args.includes("fetch")) fetches += 1;
    const shown = args.includes("ls-remote") ? "0000000\trefs/a\n" : "";
    return { exitCode: 0, stdout: args.includes("for-each-ref") && fetches > 1 ? "1\n" : shown, stderr: "" };
  };
  const remote = { git, shown: "the host", redact: (text: string) => text };
  const { fetch } = createScratchRepository(gitDeps(temporaryFolder()), remote);
  await expect(fetch("refs/a", 257)).resolves.toBe("1");
});

it.each(["http://host.example/j", "ftp://host.example/j", "no place"])(
  "a repository at %s is not reached",
  async (url) => {
    await expect(openRemote(gitDeps(temporaryFolder()), url)).rejects.toThrow(
      "the URL of the journal's repository is neither https, ssh nor a file",
    );
  },
);

it.each(["", ".", "bin::.", undefined])("no git of the working directory runs with PATH %j", async (PATH) => {
  const folder = temporaryFolder();
  const pwned = join(folder, "pwned");
  for (const path of ["git", "bin/git"]) {
    mkdirSync(join(folder, "bin"), { recursive: true });
    writeFileSync(join(folder, path), `#!/bin/sh\ntouch ${pwned}\n`, { mode: 0o755 });
  }
  mkdirSync(join(folder, ".git"));
  const { system, ...deps } = gitDeps(folder);
  const without = { ...deps, system: { ...system, env: { ...system.env, PATH } } };
  const failure = await openRemote(without, undefined).catch((error) => error);
  expect(failure).toMatchObject({ kind: "usage", message: expect.stringContaining("git did not start") });
  expect(String(failure.hint)).toContain("install git");
  expect(existsSync(pwned)).toBe(false);
});

it("a server whose hook did not start is not a missing git", () => {
  const result = { exitCode: 1, stdout: "", stderr: "remote: the hook did not start" };
  const failure = gitFailure({ shown: "the host", redact: String }, result, "written");
  expect(failure).toMatchObject({ kind: "unavailable", retryable: true });
});

describe.skipIf(isMissing("git"))("a login in the URL", () => {
  const start = useServers();

  it.each([
    ["ann:s3cr%40t", "ann", "s3cr@t", "ann:…@"],
    ["short", "short", "", "…@"],
  ])("%s is in no argument of git, and goes to its host alone", async (login, user, password, shown) => {
    const folder = temporaryFolder();
    const remote = await openRemote(gitDeps(folder), `https://${login}@host.example/j`);
    const ask = async (input: string, ...args: string[]) =>
      (await remote.git(args, { cwd: folder, input })).stdout;
    expect(await ask("", "config", "remote.incident-journal.url")).toBe("https://host.example/j\n");
    const credentials = (host: string) => ask(`protocol=https\nhost=${host}\n\n`, "credential", "fill");
    expect(await credentials("host.example")).toContain(`\nusername=${user}\npassword=${password}\n`);
    expect(await credentials("other.example")).toBe("");
    expect(remote.shown).toBe(`https://${shown}host.example/j`);
    expect(remote.redact(`it is ${password || user}`)).not.toContain(password || user);
  });

  it("is not sent on where its host redirects", async () => {
    const other = await start(ends("HTTP/1.1 404 Not Found\r\n\r\n"));
    const location = `http://localhost:${other.port}/j/info/refs?service=git-upload-pack`;
    const host = await start(ends(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\n\r\n`));
    const folder = temporaryFolder();
    const remote = await openRemote(gitDeps(folder), `http://ann:secret@127.0.0.1:${host.port}/j`);
    const { exitCode } = await remote.git(["ls-remote", "incident-journal"], { cwd: folder });
    expect(exitCode).toBe(128);
    expect([host.heads, other.heads]).toEqual([[expect.not.stringMatching(/^authorization/im)], []]);
  });

  it("that is a name alone takes its password from a helper of the user", async () => {
    const folder = temporaryFolder();
    const env = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "credential.helper",
      GIT_CONFIG_VALUE_0: "!echo password=known; cat >&2; true",
    };
    const remote = await openRemote(gitDeps(folder, env), "https://org@host.example/j");
    const input = "protocol=https\nhost=host.example\n\n";
    const { stderr, stdout } = await remote.git(["credential", "fill"], { cwd: folder, input });
    expect(stdout).toContain("username=org\npassword=known\n");
    expect(stderr).toContain("username=org");
  });
});

describe.skipIf(isMissing("git"))("a push", () => {
  async function openMachines() {
    const folder = temporaryFolder();
    const url = `file://${folder}/j.git`;
    execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
    const open = async () => {
      const deps = gitDeps(folder);
      return createScratchRepository(deps, await openRemote(deps, url));
    };
    const [one, other] = await Promise.all([open(), open()]);
    return { folder, one, other };
  }

  it("moves no ref that is not where the push expects it", async () => {
    const { one, other } = await openMachines();
    const first = await one.write("first", undefined);
    expect(await one.push("refs/j/a", undefined, first)).toMatchObject({ isDone: true });
    const second = await other.write("second", undefined);
    const pushed = await other.push("refs/j/a", undefined, second);
    expect([pushed.isDone, await one.fetch("refs/j/a")]).toEqual([false, first]);
  });

  it("is made from a history that begins at a depth, and read as far as it was fetched", async () => {
    const { folder, one, other } = await openMachines();
    let tip: string | undefined;
    for (const text of ["a", "b", "c"]) {
      const from = tip;
      tip = await one.write(JSON.stringify({ text }), from);
      expect(await one.push("refs/j/a", from, tip)).toMatchObject({ isDone: true });
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
    expect(await other.push("refs/j/a", tip, next)).toMatchObject({ isDone: true });
    await one.fetch("refs/j/a");
    expect((await one.commits(next, tip)).map((commit) => commit.id)).toEqual([next]);
    await one.push("refs/backup/refs/j/b", undefined, next);
    expect(await one.remoteRefs("refs/j/*")).toEqual(["refs/j/a"]);
    expect(await one.remoteRefs("refs/j/b")).toEqual([]);
  });
});
