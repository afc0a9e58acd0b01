// A journal in the remote of a checkout, as CI makes checkouts: shallow, of one branch, with a token in a header, and
// with URLs that git rewrites. And how often an apply pushes to another machine.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { type GitServer, login } from "./server.ts";
import { eventsOf, git, startGitWorld } from "./world.ts";

const basic = Buffer.from(`${login.user}:${login.password}`).toString("base64");
const env = { INCIDENT_CLI_JOURNAL: "git:" };

/** The server is in this process, so nothing waits for git synchronously. */
async function run(folder: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)("git", ["-C", folder, ...args])).stdout;
}

/** Two commits on each of two branches. */
function fillRepository(server: Pick<GitServer, "repository">): void {
  const tree = git(server, "hash-object", "-t", "tree", "-w", "/dev/null").trim();
  const author = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
  const first = git(server, ...author, "commit-tree", "-m", "first", tree).trim();
  const second = git(server, ...author, "commit-tree", "-m", "second", "-p", first, tree).trim();
  for (const branch of ["main", "other"]) git(server, "update-ref", `refs/heads/${branch}`, second);
}

describe.skipIf(isMissing("git"))("a journal in the remote of a checkout", () => {
  it("is reached from a shallow clone of one branch, which stays as it is", async () => {
    const { server, world } = await startGitWorld();
    fillRepository(server);
    const token = ["-c", `http.extraheader=AUTHORIZATION: basic ${basic}`];
    await run(world.folder, "init", "-q");
    await run(world.folder, "remote", "add", "-t", "main", "origin", server.url);
    await run(world.folder, ...token, "fetch", "-q", "--depth=1", "origin", "main");
    await run(world.folder, "checkout", "-q", "-B", "main", "FETCH_HEAD");
    // As actions/checkout writes it, for the whole host.
    const { origin } = new URL(server.url);
    await run(world.folder, "config", `http.${origin}/.extraheader`, `AUTHORIZATION: basic ${basic}`);
    expect(await run(world.folder, "rev-list", "--count", "HEAD")).toBe("1\n");
    const state = async () => [
      await run(world.folder, "for-each-ref"),
      readFileSync(join(world.folder, ".git/shallow"), "utf8"),
    ];
    const before = await state();
    // Outside of the checkout, and new.
    for (const machine of [temporaryFolder(), temporaryFolder()])
      expect((await world.run(`INCIDENT_CLI_STATE_DIR=${machine} create -f x.yaml`, { env })).exitCode).toBe(
        0,
      );
    expect(eventsOf(server)).toEqual(["sending", "created"]);
    expect(await state()).toEqual(before);
  });

  it("is reached by a path relative to the checkout, from any folder in it", async () => {
    const { server, world } = await startGitWorld({ files: { "team/x.yaml": definitionYaml({ id }) } });
    await run(world.folder, "init", "-q");
    await run(world.folder, "remote", "add", "origin", `./${relative(world.folder, server.repository)}`);
    expect((await world.run("create -f x.yaml", { env, cwd: "team" })).exitCode).toBe(0);
    expect(eventsOf(server)).toEqual(["sending", "created"]);
  });

  it("is reached through url.insteadOf of the checkout", async () => {
    const { server, world } = await startGitWorld();
    await run(world.folder, "init", "-q");
    await run(world.folder, "remote", "add", "origin", "company:journal.git");
    await run(world.folder, "config", `url.${new URL(server.url).origin}/.insteadOf`, "company:");
    await run(world.folder, "config", `http.${server.url}.extraheader`, `AUTHORIZATION: basic ${basic}`);
    expect((await world.run("create -f x.yaml", { env })).exitCode).toBe(0);
    expect(eventsOf(server)).toEqual(["sending", "created"]);
  });

  it("is reached through url.insteadOf of the user", async () => {
    const { server, world } = await startGitWorld({ files: { "home/.keep": "" } });
    server.openToAll();
    const file = join(world.folder, "home/.gitconfig");
    await run(
      world.folder,
      "config",
      "-f",
      file,
      `url.${new URL(server.url).origin}/.insteadOf`,
      "http://[::1]:9/",
    );
    const journal = {
      HOME: join(world.folder, "home"),
      INCIDENT_CLI_JOURNAL: "git+http://[::1]:9/journal.git",
    };
    expect((await world.run("create -f x.yaml", { env: journal })).exitCode).toBe(0);
    expect(eventsOf(server)).toEqual(["sending", "created"]);
  });
});
