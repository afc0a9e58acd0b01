// Which state directories are believed: their modes, those of the folders above, and what git tracks in them.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/failure.ts";
import { checkState } from "../../src/journal/check-state.ts";
import type { Files } from "../../src/platform/context.ts";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const files = {
  "x.yaml": definitionYaml({ id: incidentId }),
  "folder/x.yaml": definitionYaml({ id: incidentId }),
};
const lines = [
  "create -f x.yaml",
  "apply -f folder",
  "journal list",
  `journal show ${incidentId}`,
  `journal settle ${incidentId} --not-created --yes`,
];

function git(world: World, ...args: string[]): void {
  const identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  execFileSync("git", ["-C", world.folder, ...identity, ...args], { stdio: "ignore" });
}

/** A checkout whose history has a state directory. */
function createCheckout(): World {
  const world = createWorld({
    files: {
      ...files,
      "state/journal/.keep": "",
    },
  });
  for (const name of ["state", "state/journal"]) fs.chmodSync(join(world.folder, name), 0o700);
  git(world, "init");
  return world;
}

describe("a state directory in a checkout", () => {
  it.each(lines)("is refused by %s where git tracks a file there", async (line) => {
    const world = createCheckout();
    git(world, "add", "-A");
    git(world, "commit", "-m", "x");
    const { exitCode, stderr, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`);
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain(
      `git tracks ${join(world.folder, "state/journal/.keep")}: a journal in a repository is no record`,
    );
    expect(stderr).toContain("name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR");
  });

  it("is refused where a file is only staged", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state journal list")).exitCode).toBe(2);
  });

  it("is refused where a tracked link leads to it", async () => {
    const world = createWorld({ files });
    const outside = createWorld();
    fs.symlinkSync(outside.folder, join(world.folder, "state"));
    git(world, "init");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml")).exitCode).toBe(0);
    git(world, "add", "state");
    const { exitCode, stderr } = await world.run("INCIDENT_CLI_STATE_DIR=state journal list");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`git tracks ${join(world.folder, "state")}`);
  });

  it("is refused where an untracked link leads to tracked files", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    fs.symlinkSync(join(world.folder, "state"), join(world.folder, "home"));
    expect((await world.run("INCIDENT_CLI_STATE_DIR=home journal list")).exitCode).toBe(2);
  });

  it("is used where git tracks nothing there", async () => {
    const world = createCheckout();
    git(world, "add", "x.yaml");
    git(world, "commit", "-m", "x");
    expect(await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml")).toMatchObject({ exitCode: 0 });
    expect((await world.run("INCIDENT_CLI_STATE_DIR=new create -f x.yaml")).exitCode).toBe(0);
  });

  it("is refused where git cannot say", async () => {
    const world = createCheckout();
    fs.writeFileSync(join(world.folder, ".git/index"), "torn");
    const { exitCode, stderr } = await world.run("INCIDENT_CLI_STATE_DIR=state journal list");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("git cannot tell whether it tracks files there: it failed (128)");
  });

  it("does not matter with --no-journal", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml --no-journal")).exitCode).toBe(0);
  });
});

describe("a state directory that others may write to", () => {
  it.each(["state", "state/journal"])("is refused before anything is read: %s", async (name) => {
    const world = createWorld({ files });
    fs.mkdirSync(join(world.folder, name), { recursive: true, mode: 0o700 });
    fs.chmodSync(join(world.folder, name), 0o777);
    for (const line of lines) {
      const { exitCode, stderr, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`);
      expect({ exitCode, requests }, line).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain(`run chmod 700 ${join(world.folder, name)}`);
    }
  });

  const user = 1000;
  const sendsNothing = { captureChild: async () => ({ stdout: "", exitCode: 0 }) };
  const paths = ["/a/b/c", "/a/b", "/a", "/"];

  /** Checks `/a/b/c` among folders of root; `/a/link` leads to `/a/b`. */
  async function check(
    given: Readonly<Record<string, { readonly mode?: number; readonly uid?: number }>>,
    {
      env = {} as Record<string, string>,
      folder = "/a/b/c",
      uid = user,
      gone = "",
      marks = [] as readonly string[],
    } = {},
  ) {
    const resolved = (path: string) => path.replace("/a/link", "/a/b");
    const stat = (path: string) => {
      const isThere = [...paths, ...marks].includes(path) && path !== gone;
      if (!isThere) return undefined;
      const own = path === "/a/b/c" || path === "/a/b" ? { uid, mode: 0o700 } : { uid: 0, mode: 0o755 };
      return { isDirectory: () => true, isSymbolicLink: () => false, ...own, ...given[path] };
    };
    const realpathSync = Object.assign(resolved, { native: resolved });
    const files = {
      statSync: (path: string) => stat(resolved(path)),
      lstatSync: (path: string) =>
        path === "/a/link" ? { isSymbolicLink: () => true, uid, ...given[path] } : stat(resolved(path)),
      readlinkSync: () => "b",
      realpathSync,
    } as unknown as Files;
    const warnings: string[] = [];
    const { signal } = new AbortController();
    const deps = {
      files,
      system: { user: uid, env, signal, ...sendsNothing },
      warn: (text: string) => void warnings.push(text),
    };
    try {
      await checkState(deps, folder);
    } catch (error) {
      return { failure: String(error), hint: (error as Failure).hint, warnings };
    }
    return { warnings };
  }

  const others = 1001;
  const accepted = { warnings: [] };

  it.each([
    ["a folder that everyone may write to", { "/a/b": { mode: 0o777 } }, "everyone may write to /a/b"],
    ["a folder of another user", { "/a/b": { uid: others } }, "/a/b belongs to another user"],
    ["another user's folder further up", { "/a": { uid: others } }, "/a belongs to another user"],
    ["another user's sticky folder", { "/a": { uid: others, mode: 0o1777 } }, "/a belongs to another user"],
  ])("is refused below %s, also once it was moved away", async (_, given, problem) => {
    for (const gone of ["", "/a/b/c"]) {
      const { failure, hint } = await check(given, { gone });
      expect(failure).toBe(`Failure: ${problem}, so the state directory /a/b/c can be replaced`);
      expect(hint).toContain("nothing was sent; ");
    }
  });

  it("is refused for root as well", async () => {
    const { failure } = await check({ "/a/b": { mode: 0o777 } }, { uid: 0 });
    expect(failure).toContain("everyone may write to /a/b");
  });

  it("is refused behind another user's link, and used behind one of this user", async () => {
    const { failure } = await check({ "/a/link": { uid: others } }, { folder: "/a/link/c" });
    expect(failure).toContain("/a/link belongs to another user, so the state directory /a/link/c can be");
    expect(await check({}, { folder: "/a/link/c" })).toEqual(accepted);
  });

  it.each([
    ["root's sticky folder", { "/a": { mode: 0o1777 } }],
    ["a folder that a group may write to", { "/a/b": { mode: 0o775 } }],
    ["its own folders", {}],
  ])("is used below %s", async (_, given) => {
    expect(await check(given)).toEqual(accepted);
  });

  const containers: readonly [string, { marks?: readonly string[]; env?: Record<string, string> }][] = [
    ["/.dockerenv", { marks: ["/.dockerenv"] }],
    ["/run/.containerenv", { marks: ["/run/.containerenv"] }],
    ["KUBERNETES_SERVICE_HOST is set", { env: { KUBERNETES_SERVICE_HOST: "10.0.0.1" } }],
    ["container is oci", { env: { container: "oci" } }],
    ["container is podman", { env: { container: "podman" } }],
  ];
  it.each(containers)("is used with a warning in a container: %s", async (mark, container) => {
    expect(await check({ "/a/b": { mode: 0o777 } }, container)).toEqual({
      warnings: [
        `everyone may write to /a/b, so the state directory /a/b/c can be replaced; accepted, because a container has one user (${mark})`,
      ],
    });
  });

  it.each([
    ["an emptyDir of Kubernetes", { mode: 0o777, uid: 0 }],
    ["a volume with an fsGroup", { mode: 0o2775, uid: 0 }],
    ["a folder of a user of the host", { mode: 0o777, uid: others }],
  ])("is refused as %s, and used in a container", async (_, volume) => {
    const shared = "the state directory /a/b/c belongs to others, or others may write to it";
    expect((await check({ "/a/b/c": volume })).failure).toBe(`Failure: ${shared}`);
    for (const [mark, container] of containers)
      expect(await check({ "/a/b/c": volume }, container)).toEqual({
        warnings: [`${shared}; accepted, because a container has one user (${mark})`],
      });
  });

  it.each(["lxc", "systemd-nspawn", ""])(
    "is refused in a system with several users: %s",
    async (container) => {
      const { failure } = await check({ "/a/b/c": { mode: 0o777, uid: 0 } }, { env: { container } });
      expect(failure).toContain("belongs to others");
    },
  );

  it("is written to in a container", async () => {
    const world = createWorld({ files, env: { container: "oci" } });
    fs.mkdirSync(join(world.folder, "state"));
    fs.chmodSync(join(world.folder, "state"), 0o2775);
    const created = await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml");
    expect(created).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("(container is oci)") });
    const again = await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml");
    expect(again.requests.map(({ method }) => method)).toEqual(["GET"]);
  });
});
