// A journal in a git repository that machines share, over `git http-backend` where a test is about the server or the login:
// state directories stand for machines.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { access, definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { isMissing } from "../../harness/programs.ts";
import { login } from "./server.ts";
import { createGitWorld, eventsOf, git, journalRefs, startGitWorld } from "./world.ts";

const text = "We are looking into it.";

/** The URL for people. */
const shownOf = ({ journal }: { readonly journal: string }) =>
  journal.replace("git+", "").replace(login.password, "…");

/** Refuses to delete a ref. */
const protect = `#!/bin/sh
while read -r old new ref; do
  case "$new" in *[!0]*) ;; *) echo "protected branch" >&2; exit 1 ;; esac
done
`;

describe.skipIf(isMissing("git"))("a journal in git", () => {
  it("is one journal for all machines, and holds no text, no key and no password", async () => {
    const { server, world } = await startGitWorld();
    const first = await world.run("INCIDENT_CLI_STATE_DIR=one create -f x.yaml -o id --debug");
    expect(first).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    const second = await world.run("INCIDENT_CLI_STATE_DIR=two create -f x.yaml -o id");
    expect(second).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    expect([first.posts, second.posts]).toEqual([1, 0]);
    const list = await world.run("INCIDENT_CLI_STATE_DIR=three journal list");
    expect(list.stdout).toContain("created");
    const stored = git(server, "log", "--all", "--format=raw");
    for (const secret of [text, access.apiKey, login.password]) expect(stored).not.toContain(secret);
    expect(stored).toContain("Checkout fails");
    for (const { screen } of [first, second, list]) expect(screen).not.toContain(login.password);
  });

  it("sends nothing where the journal cannot be reached, and says how to go around it", async () => {
    const { server, world } = await startGitWorld();
    await server.close();
    const { exitCode, requests, stderr } = await world.run("create -f x.yaml");
    expect({ exitCode, requests }).toEqual({ exitCode: 7, requests: [] });
    expect(stderr).toContain(`the journal at ${shownOf(server)} cannot be read`);
    expect(stderr).toContain(
      "nothing was sent; run it again; if the incident cannot wait: INCIDENT_CLI_JOURNAL=folder",
    );
    expect(stderr).not.toContain(login.password);
    expect((await world.run("create -f x.yaml --no-journal")).exitCode).toBe(0);
  });

  it.each([
    ["of the attempt: nothing was sent", ["hang"], 130, 0, ""],
    ["of the outcome: it is recorded later", [undefined, "hang"], 8, 1, `${id}\n`],
  ] as const)(
    "obeys Ctrl-C at once while it pushes the event %s",
    async (_, faults, exitCode, sends, stdout) => {
      const { server, world } = await startGitWorld();
      server.openToAll();
      const controller = new AbortController();
      server.failNext(...faults);
      const timer = setInterval(() => {
        if (server.pushes() === faults.length) controller.abort("SIGINT");
      }, 10);
      const start = world.clock.monotonic();
      const stopped = await world.run("INCIDENT_CLI_STATE_DIR=one create -f x.yaml -o id", {
        signal: controller.signal,
      });
      clearInterval(timer);
      expect(stopped, stopped.stderr).toMatchObject({ exitCode, stdout });
      expect(stopped.posts).toBe(sends);
      expect(world.clock.monotonic() - start).toBeLessThan(1000);
      const again = await world.run("INCIDENT_CLI_STATE_DIR=one create -f x.yaml -o id");
      expect(again, again.stderr).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
      expect(again.posts).toBe(1 - sends);
      expect(eventsOf(server)).toEqual(["sending", "created"]);
    },
  );

  it("sends nothing where the credentials may not push", async () => {
    const { server, world } = await startGitWorld();
    server.failNext("refuse");
    const refused = await world.run("create -f x.yaml");
    expect(refused).toMatchObject({ exitCode: 4, posts: 0 });
    expect(refused.stderr).toContain("permissions: contents: write");
  });

  it("lets another machine settle what a dead runner left", async () => {
    const { server, world } = createGitWorld({ faults: ["create#1:drop-after-commit", "get#2-99:503"] });
    const lost = await world.run("INCIDENT_CLI_STATE_DIR=runner create -f x.yaml --settle-for 1s");
    expect(lost.exitCode).toBe(8);
    expect(lost.stderr).toContain("--not-created");
    const settled = await world.run(`INCIDENT_CLI_STATE_DIR=laptop journal settle ${id} --created --yes`);
    expect(settled.exitCode).toBe(0);
    expect(eventsOf(server)).toEqual(["sending", "uncertain", "created"]);
  });

  it("that loses entries leads to no send until a person accepts it", async () => {
    const files = {
      "first.yaml": definitionYaml({ name: "First" }),
      "x.yaml": definitionYaml({ id, name: "With an id" }),
      "other.yaml": definitionYaml({ name: "Another" }),
    };
    const { server, world } = createGitWorld({ files });
    expect((await world.run("create -f first.yaml")).exitCode).toBe(0);
    const [ref = ""] = journalRefs(server);
    const before = git(server, "rev-parse", ref).trim();
    expect((await world.run("create -f x.yaml")).exitCode).toBe(0);
    git(server, "update-ref", ref, before);
    for (const line of ["create -f x.yaml", "create -f other.yaml", "apply -f x.yaml --yes"]) {
      const { stderr, ...refused } = await world.run(line);
      expect(refused, line).toMatchObject({ exitCode: 8, posts: 0 });
      expect(stderr).toContain("incident journal accept");
    }
    expect((await world.run("doctor")).screen).toContain("incident journal accept");
    const listed = await world.run("journal list -o id");
    for (const { screen } of [listed, await world.run("gate")]) expect(screen).toContain("was rolled back");
    expect([listed.exitCode, listed.stdout.split("\n").length]).toEqual([0, 2]);
    expect((await world.run("INCIDENT_CLI_STATE_DIR=two create -f other.yaml")).exitCode).toBe(0);
    expect((await world.run("journal accept")).exitCode).toBe(0);
    expect((await world.run("create -f other.yaml")).stderr).toContain("still open");
    expect((await world.run("doctor")).screen).not.toContain("journal accept");
  });

  it("needs no ref that is deleted or moved back, as in a protected branch", async () => {
    const { server, world } = createGitWorld();
    const root = "refs/heads/incident-journal";
    const env = { INCIDENT_CLI_JOURNAL: `${server.journal}#${root}` };
    git(server, "config", "receive.denyDeletes", "true");
    git(server, "config", "receive.denyNonFastForwards", "true");
    writeFileSync(join(server.repository, "hooks/pre-receive"), protect, { mode: 0o755 });
    expect((await world.run("doctor", { env })).exitCode).toBe(0);
    for (const machine of ["one", "two"]) {
      const { exitCode, stderr } = await world.run(`INCIDENT_CLI_STATE_DIR=${machine} create -f x.yaml`, {
        env,
      });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    expect(world.sandbox.incidents()).toHaveLength(1);
    expect(eventsOf(server, root)).toEqual(["sending", "created"]);
    const list = await world.run("journal list", { env });
    expect(list).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("probe") });
  });

  it("waits for a hook that hangs, and sends nothing", async () => {
    const { server, world } = await startGitWorld();
    writeFileSync(join(server.repository, "hooks/pre-receive"), "#!/bin/sh\nexec sleep 60\n", {
      mode: 0o755,
    });
    const refused = await world.run("create -f x.yaml");
    expect(refused).toMatchObject({ exitCode: 7, posts: 0 });
    expect(refused.stderr).toContain("git did not end within 20 seconds");
  });

  it("shows the text of a hook that refuses it", async () => {
    const { server, world } = createGitWorld();
    const hook = "#!/bin/sh\necho 'Only signed commits.' >&2\necho 'Ask in #platform.' >&2\nexit 1\n";
    writeFileSync(join(server.repository, "hooks/pre-receive"), hook, { mode: 0o755 });
    const refused = await world.run("create -f x.yaml");
    expect(refused).toMatchObject({ exitCode: 2, posts: 0 });
    expect(refused.stderr).toContain(
      "[remote rejected] (pre-receive hook declined); remote: Only signed commits.; remote: Ask in #platform.",
    );
  });

  it("is refused at once in a repository with SHA-256 objects, empty or not", async () => {
    const { server, world } = createGitWorld();
    const other = join(world.folder, "sha256");
    const run = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
        encoding: "utf8",
      });
    run("init", "-q", "--object-format=sha256", "--bare", other);
    const env = { INCIDENT_CLI_JOURNAL: `git+file://${other}` };
    const tree = run("-C", other, "hash-object", "-t", "tree", "-w", "/dev/null").trim();
    const commit = run("-C", other, "commit-tree", "-m", "x", tree).trim();
    for (const isEmpty of [true, false]) {
      if (!isEmpty) {
        await world.run("create -f x.yaml");
        run("-C", other, "update-ref", journalRefs(server)[0] as string, commit);
      }
      const refused = await world.run("create -f x.yaml", { env });
      expect(refused, refused.stderr).toMatchObject({ exitCode: 2, posts: 0 });
      expect(refused.stderr).toContain(
        "next: nothing was sent; let the repository, with SHA-1 objects, take pushes to refs/incident/*",
      );
    }
  });

  it("begins in an empty repository over ssh, also where the server speaks protocol version 0", async () => {
    const { server, world } = createGitWorld();
    const ssh = join(world.folder, "ssh");
    // As sshd does without `AcceptEnv GIT_PROTOCOL`.
    const script = '#!/bin/sh\nunset GIT_PROTOCOL\nwhile [ $# -gt 1 ]; do shift; done\nexec sh -c "$1"\n';
    writeFileSync(ssh, script, { mode: 0o755 });
    const env = {
      INCIDENT_CLI_JOURNAL: `git+ssh://git.example${server.repository}`,
      GIT_SSH: ssh,
      GIT_SSH_VARIANT: "simple",
    };
    const { exitCode, stderr } = await world.run("create -f x.yaml", { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(eventsOf(server)).toEqual(["sending", "created"]);
  });

  it("is proposed as branches where the repository refuses other refs", async () => {
    const { server, world } = createGitWorld();
    git(server, "config", "receive.hideRefs", "refs/incident");
    const create = await world.run("create -f x.yaml");
    expect(create).toMatchObject({ exitCode: 2, posts: 0 });
    expect(create.stderr).toContain("INCIDENT_CLI_JOURNAL=git:#refs/heads/incident-journal");
    const { stdout } = await world.run("doctor");
    expect(stdout).toContain("#refs/heads/incident-journal");
    const env = { INCIDENT_CLI_JOURNAL: `${server.journal}#refs/heads/incident-journal` };
    expect((await world.run("create -f x.yaml", { env })).exitCode).toBe(0);
  });

  it("takes the place and the token of a checkout, and runs none of its programs", async () => {
    const { server, world } = await startGitWorld();
    const run = (...args: string[]) => execFileSync("git", ["-C", world.folder, ...args]);
    const pwned = join(world.folder, "pwned");
    const basic = Buffer.from(`${login.user}:${login.password}`).toString("base64");
    run("init", "-q");
    run("remote", "add", "origin", server.url);
    run("config", `http.${server.url}.extraheader`, `AUTHORIZATION: basic ${basic}`);
    for (const key of ["core.sshCommand", "core.fsmonitor", "core.askPass", "core.gitProxy", "gpg.program"])
      run("config", key, `touch ${pwned}`);
    run("config", "credential.helper", `!touch ${pwned}`);
    run("config", "alias.push", `!touch ${pwned}`);
    const env = { INCIDENT_CLI_JOURNAL: "git:" };
    const { exitCode, screen } = await world.run("create -f x.yaml --debug", { env });
    expect(exitCode).toBe(0);
    expect(eventsOf(server)).toEqual(["sending", "created"]);
    expect(existsSync(pwned)).toBe(false);
    expect(screen).not.toContain(basic);
  });

  it("takes in the journal of a machine, and gives it back", async () => {
    const { server, world } = createGitWorld();
    const local = { INCIDENT_CLI_JOURNAL: "folder" };
    expect((await world.run("INCIDENT_CLI_STATE_DIR=one create -f x.yaml", { env: local })).exitCode).toBe(0);
    const copies: string[] = [];
    for (const [state, to] of [
      ["one", "shared"],
      ["one", "shared"],
      ["two", "folder"],
    ])
      copies.push((await world.run(`INCIDENT_CLI_STATE_DIR=${state} journal copy --to ${to}`)).stdout);
    expect(copies).toEqual([
      `1 copied to ${server.journal}, 0 were there\n`,
      `0 copied to ${server.journal}, 1 were there\n`,
      "1 copied to folder, 0 were there\n",
    ]);
    const again = await world.run("INCIDENT_CLI_STATE_DIR=two create -f x.yaml", { env: local });
    expect(again).toMatchObject({ exitCode: 0, posts: 0 });
  });

  it("is told where a command only reads it and cannot", async () => {
    const { server, world } = await startGitWorld();
    await server.close();
    for (const line of ["journal list", `journal show ${id}`, "doctor"]) {
      const { screen, ...unread } = await world.run(line);
      expect(unread, line).toMatchObject({ exitCode: 7, posts: 0 });
      expect(screen, line).toContain(`the journal at ${shownOf(server)} cannot be read`);
      expect(screen, line).toContain("run it again");
    }
  });
});
