// What an auditor asks the journal: who sent what, from where, and for which service.
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { access, createWorld, type World } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";

const otherService = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c";
const other = numberedId(7);
const profiles = `profiles:
  stage: { baseUrl: ${access.baseUrl}, accountId: none, apiKey: ${access.apiKey} }
`;
const files = {
  "home/.config/incident-cli/config.yaml": profiles,
  "x.yaml": definitionYaml({ id: incidentId }),
  "y.yaml": definitionYaml({
    id: other,
    name: "Search is slow",
    severity: "MINOR",
    services: `[{ name: Search, id: ${otherService}, accountId: ${access.accountId} }]`,
  }),
};
const github = {
  GITHUB_ACTOR: "octo",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "ops/status",
  GITHUB_RUN_ID: "42",
  GITHUB_SHA: "c0ffee00c0ffee00",
};
const gitlab = {
  GITLAB_USER_LOGIN: "tanuki",
  CI_JOB_URL: "https://gitlab.example/ops/status/-/jobs/7",
  CI_PROJECT_PATH: "ops/status",
  CI_COMMIT_SHA: "decade00decade00",
};

async function listed(world: World, line = "journal list") {
  const { stdout } = await world.run(`${line} -o json`);
  return JSON.parse(stdout) as { id: string; events: { origin: object }[] }[];
}

describe("an event of the journal", () => {
  it.each([
    ["the user of the system", {}, { actor: "operator", host: "runner-1" }],
    [
      "GitHub Actions",
      github,
      { actor: "octo", host: "runner-1", runUrl: "https://github.example/ops/status/actions/runs/42" },
    ],
    ["GitLab CI", gitlab, { actor: "tanuki", host: "runner-1", runUrl: gitlab.CI_JOB_URL }],
  ])("says who and where: %s", async (_, env, expected) => {
    const world = createWorld({ files, env });
    await world.run("create -f x.yaml");
    const [create] = await listed(world);
    const origin = { ...expected, version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
    expect(create?.events.map((event) => event.origin)).toEqual([origin, origin]);
  });

  it("takes no limit of nothing", async () => {
    const { exitCode, stderr } = await createWorld({ files }).run("journal list --limit 0");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("give a count from 1")]);
  });

  it("is shown with it, once for those that have the same", async () => {
    const world = createWorld({ files, env: github });
    await world.run("create -f x.yaml");
    const { stdout } = await world.run(`journal show ${incidentId}`);
    expect(stdout.match(/^ {4}by .*$/gm)).toEqual([
      "    by octo on runner-1 in https://github.example/ops/status/actions/runs/42",
    ]);
  });

  it("says what an alert and its subscribers are", async () => {
    const world = createWorld({ files: { ...files, "z.yaml": definitionYaml() } });
    await world.run("create -f z.yaml --dedup-key disk-full --notify --yes");
    expect(await listed(world)).toMatchObject([{ dedupKey: "disk-full", notify: true }]);
  });
});

describe("journal list", () => {
  it.skipIf(isMissing("git"))("is a usage error for a repository that is not there", async () => {
    const env = { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: "git+file:///nonexistent/x.git" };
    const { exitCode, stderr } = await createWorld({ files, env }).run("journal list");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain("there is no repository at it");
  });

  it.each([
    ["", [other, incidentId]],
    ["--since 1h", [other]],
    ["--since 1d", [other, incidentId]],
    ["--since 1d --limit 1", [other]],
  ])("%s names those that match", async (flags, ids) => {
    const world = createWorld({ files });
    await world.run("create -f x.yaml", { env: github });
    world.clock.advance(2 * 60 * 60 * 1000);
    await world.run("create -f y.yaml");
    expect((await listed(world, `journal list ${flags}`)).map(({ id }) => id)).toEqual(ids);
  });

  it("is complete where it is restricted, or read by a program", async () => {
    const many = Array.from({ length: 51 }, (_, index) => definitionYaml({ id: numberedId(index + 1) }));
    const world = createWorld({ files: { "many.yaml": many.join("---\n") } });
    await world.run("create -f many.yaml --yes");
    expect((await world.run("journal list -o id")).stdout.trim().split("\n")).toHaveLength(50);
    expect(await listed(world)).toHaveLength(51);
    expect((await world.run("journal list -o id --since 1d")).stdout.trim().split("\n")).toHaveLength(51);
  });

  it("counts only those that match", async () => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    await world.run("create -f x.yaml");
    world.clock.advance(1000);
    await world.run("create -f y.yaml");
    await world.run(`resolve ${other} --message Over.`);
    const { stderr, stdout } = await world.run("journal list --open --limit 1 -o id");
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: `${incidentId}\n` });
  });

  it("names the service and account of each, where there are several", async () => {
    const world = createWorld({ files });
    await world.run("create -f x.yaml");
    expect((await world.run("journal list")).stdout).not.toContain(access.baseUrl);
    await world.run("create -f y.yaml --profile stage");
    const { stdout } = await world.run("journal list");
    expect(stdout).toContain(` (${access.baseUrl}, ${access.accountId})\n`);
    expect(stdout).toContain(` (${access.baseUrl})\n`);
  });

  it("of another profile is without a warning of this one", async () => {
    const world = createWorld({ files, faults: ["create#1:drop-before-commit"] });
    expect((await world.run("create -f x.yaml --settle-for 1s")).exitCode).toBe(8);
    const elsewhere = await world.run("create -f y.yaml --profile stage");
    expect(elsewhere).toMatchObject({ exitCode: 0 });
    expect(elsewhere.stderr).not.toContain("the create of");
  });
});

it("is no success where an entry cannot be read, and lists the other services", async () => {
  const world = createWorld({ files });
  await world.run("create -f y.yaml --profile stage");
  const journal = join(world.folder, "home/.local/state/incident-cli/journal");
  const [stage = ""] = readdirSync(journal);
  await world.run("create -f x.yaml");
  const [other = ""] = readdirSync(journal).filter((name) => name !== stage);
  truncateSync(join(journal, other, "00000001.json"), 20);
  const { exitCode, stderr, stdout } = await world.run("journal list -o id");
  expect([exitCode, stdout.split("\n").length]).toEqual([2, 2]);
  expect(stderr).toContain(`${other}/00000001.json cannot be trusted: it is torn`);
});

it("shows the status of the newest update that was posted from here", async () => {
  const incidentUpdates = "[{ status: INVESTIGATING, description: Down }]";
  const begun = {
    "x.yaml": definitionYaml({ id: incidentId, incidentUpdates }),
    "y.yaml": definitionYaml({ id: other, name: "Search is slow", incidentUpdates }),
  };
  const world = createWorld({ files: begun, sandbox: { onlySpec: false } });
  const status = async (flags = "") => {
    const { stdout } = await world.run(`journal list -o json ${flags}`);
    const all = JSON.parse(stdout) as { id: string; status?: string }[];
    return all.filter(({ id }) => [incidentId, other].includes(id)).map((each) => [each.id, each.status]);
  };
  await world.run("create -f x.yaml");
  await world.run("create -f y.yaml");
  // Another machine has found it, with the status that it has by then.
  const env = { INCIDENT_CLI_STATE_DIR: join(world.folder, "another") };
  await world.run("create -f x.yaml", { env });
  const { stdout } = await world.run("journal list -o json", { env });
  expect(JSON.parse(stdout)).toMatchObject([{ id: incidentId, state: "created" }]);
  expect(stdout).not.toContain('"status"');
  expect(await status()).toEqual([
    [other, "INVESTIGATING"],
    [incidentId, "INVESTIGATING"],
  ]);
  for (const [line, shown] of [
    ["update --status identified", "IDENTIFIED"],
    ["resolve", "RESOLVED"],
    ["update --status monitoring --reopen", "MONITORING"],
  ]) {
    world.clock.advance(1000);
    const { exitCode } = await world.run(`${line} ${incidentId} --message 'It is the bank.'`);
    expect(exitCode).toBe(0);
    expect(await status()).toEqual([
      [other, "INVESTIGATING"],
      [incidentId, shown],
    ]);
    expect((await status("--open")).map(([id]) => id)).toEqual(
      shown === "RESOLVED" ? [other] : [other, incidentId],
    );
  }
});

describe("the updates that were posted from here", () => {
  const openWorld = async () => {
    const world = createWorld({ files, sandbox: { clientIds: "ignore", onlySpec: false } });
    const own = (await world.run("create -f x.yaml -o id")).stdout.trim();
    await world.run(`update ${incidentId} --status identified --message 'It is the bank.'`);
    await world.run(`update ${incidentId} --severity critical`);
    return { own, world };
  };

  it("are rows of their own, and -o id names their incident once, as get takes it", async () => {
    const { own, world } = await openWorld();
    const { stdout } = await world.run("journal list");
    expect(stdout.match(/^\S+ +(?:created|edited|posted)\b/gm)?.map((row) => row.split(/ +/)[1])).toEqual([
      "edited",
      "posted",
      "created",
    ]);
    const ids = await world.run("journal list -o id");
    expect(ids.stdout).toBe(`${own}\n`);
    expect(await world.run(`get ${own} -o id`)).toMatchObject({ exitCode: 0, stdout: `${own}\n` });
  });

  it("have an id of their own where their outcome is not known, as journal settle takes it", async () => {
    const { own, world } = await openWorld();
    const { transport } = world.sandbox;
    const lost: typeof transport = async (request, control) => {
      const outcome = await transport(request, control);
      return request.method === "POST" ? { phase: "unanswered", reason: "reset", detail: "reset" } : outcome;
    };
    const hidden: typeof transport = async (request, control) =>
      request.method === "GET"
        ? { phase: "unsent", reason: "connection", detail: "refused" }
        : lost(request, control);
    let isSent = false;
    const line = `update ${own} --status monitoring --message Better. --settle-for 1s`;
    const { exitCode } = await world.run(line, {
      transport: (request, control) => {
        isSent ||= request.method === "POST";
        return (isSent ? hidden : transport)(request, control);
      },
    });
    expect(exitCode).toBe(8);
    const { stdout } = await world.run("journal list --open -o id");
    const [id = ""] = stdout.split("\n");
    expect(id).not.toBe(own);
    expect(await world.run(`journal settle ${id} --created --yes`)).toMatchObject({ exitCode: 0 });
  });

  it("are shown with the create of their incident", async () => {
    const { own, world } = await openWorld();
    for (const id of [incidentId, own]) {
      const { stdout } = await world.run(`journal show ${id}`);
      expect(stdout).toMatch(/ posted .* update IDENTIFIED of Checkout fails\n$/);
      expect(stdout).toMatch(/ edited .* edit \(severity\) of Checkout fails\n/);
    }
    const { changes } = JSON.parse((await world.run(`journal show ${own} -o json`)).stdout);
    expect(changes).toMatchObject([{ change: { kind: "edit" } }, { change: { kind: "update" } }]);
    const update = await world.run(`journal show ${changes[1].id}`);
    expect(update.stdout).toContain("state       posted\n");
  });
});
