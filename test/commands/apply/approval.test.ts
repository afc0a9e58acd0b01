// An approval in two steps: the preview has no key, and what it showed is all that a later run may send, in one run or in
// several.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const texts = {
  looking: "We are looking into it.",
  cause: "The cause is a full disk.",
  over: "The problem is over.",
};
const updates = (...entries: readonly (readonly [string, string, boolean?])[]) =>
  `[${entries
    .map(
      ([status, description, notify = false]) =>
        `{ status: ${status}, description: "${description}", notifySubscribers: ${notify} }`,
    )
    .join(", ")}]`;
const timeline = updates(
  ["INVESTIGATING", texts.looking, true],
  ["IDENTIFIED", texts.cause],
  ["RESOLVED", texts.over],
);
const first = updates(["INVESTIGATING", texts.looking, true]);

const apply = "apply -R -f incidents --settle-for 1s";
const withoutKey = { env: { INCIDENT_CLI_API_KEY: undefined } };

async function openWorld(services = lifeServices[0], setup: Parameters<typeof createWorld>[0] = {}) {
  const [, open] = services as (typeof lifeServices)[number];
  const service = await open();
  const { env, transport } = service;
  const files = {
    "incidents/a.yaml": definitionYaml({ id: incidentId, incidentUpdates: timeline }),
    "incidents/b.yaml": definitionYaml({ id: numberedId(2), name: "Search is slow" }),
  };
  const world = createWorld({ env, transport, files, ...setup });
  const write = (name: string, text: string) => writeFileSync(join(world.folder, name), text);
  const preview = async (line = apply) => {
    const shown = await world.run(`${line} --dry-run -o json`, withoutKey);
    expect(shown.exitCode, shown.stderr).toBe(0);
    return { ...shown, plan: JSON.parse(shown.stdout) };
  };
  const textsOf = (id: string) =>
    service
      .incidents()
      .find((each) => each.id === id)
      ?.incidentUpdates.map(({ description }) => description);
  return { ...world, service, write, preview, textsOf };
}

describe("apply --dry-run without a key", () => {
  it("sends nothing, and shows everything that the definitions say, with its digest", async () => {
    const { preview, service, run } = await openWorld();
    const { plan, stderr } = await preview();
    expect(service.requests).toEqual([]);
    expect(stderr).toBe("");
    expect(plan).toMatchObject({
      dryRun: true,
      accountId: service.env.INCIDENT_CLI_ACCOUNT_ID,
      summary: { "not-read": 2 },
      confirm: expect.stringMatching(/^sha256:/),
      command: expect.arrayContaining(["apply", "--confirm"]),
    });
    expect(plan.results.map(({ body }: { body: { name: string } }) => body.name)).toEqual([
      "Checkout fails",
      "Search is slow",
    ]);
    const page = await run(`${apply} --dry-run`, withoutKey);
    expect(page.stdout).toContain(`IDENTIFIED: ${texts.cause}`);
    expect(page.stdout).toContain("Nothing states whether an edit notifies subscribers.");
    expect(page.stdout).toContain("1 update would notify subscribers of Checkout");
    expect(page.stderr).toContain("without an API key, no incident was read");
    expect(page.stderr).toContain(`--confirm ${plan.confirm}`);
  });

  it("needs no setting but the key to be missing", async () => {
    const { run } = await openWorld();
    const env = { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: undefined };
    const refused = await run(`${apply} --dry-run`, { env });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("account");
  });

  it("prints the plan as Markdown, with the texts, and no text is markup", async () => {
    const { run, write } = await openWorld();
    const incidentUpdates = updates(["INVESTIGATING", "See [this](https://x.example) @team"]);
    write("incidents/b.yaml", definitionYaml({ id: numberedId(2), name: "A | b", incidentUpdates }));
    const { stdout } = await run(`${apply} --dry-run -o markdown`, withoutKey);
    expect(stdout).toContain(`> ${texts.cause}`);
    expect(stdout).toContain("Checkout fails, INVESTIGATING, notifies:");
    expect(stdout).not.toMatch(/\]\(|@team|A \| b/);
  });
});

describe.each(lifeServices)("what was confirmed without a key, at %s", (...services) => {
  it("permits whatever part of it the service lacks, and nothing else", async () => {
    const { preview, run, service, textsOf, write } = await openWorld(services);
    write("incidents/a.yaml", definitionYaml({ id: incidentId, incidentUpdates: first }));
    expect((await run(`${apply} --yes`)).exitCode).toBe(0);
    write(
      "incidents/a.yaml",
      definitionYaml({ id: incidentId, severity: "CRITICAL", incidentUpdates: timeline }),
    );
    const { plan } = await preview();
    write(
      "incidents/b.yaml",
      definitionYaml({ id: numberedId(2), name: "Edited after the preview", severity: "MINOR" }),
    );
    const before = service.requests.length;
    const other = await run(`${apply} --confirm ${plan.confirm}`);
    expect(other.exitCode).toBe(13);
    const sentSince = () =>
      service.requests
        .slice(before)
        .map(({ operation }) => operation)
        .filter((operation) => ["create", "edit", "update"].includes(operation));
    expect(sentSince()).toEqual([]);
    write("incidents/b.yaml", definitionYaml({ id: numberedId(2), name: "Search is slow" }));
    const applied = await run(`${apply} --confirm ${plan.confirm}`);
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(sentSince()).toEqual(["edit", "update", "update"]);
    expect(textsOf(incidentId)).toEqual(Object.values(texts));
    expect((await run(`${apply} --confirm ${plan.confirm}`)).exitCode).toBe(0);
    expect(sentSince()).toHaveLength(3);
  });
});

describe("a confirmed run that broke off", () => {
  it.each(["without a key", "with a key"])("goes on with the same digest, of a preview %s", async (which) => {
    const { preview, run, service, textsOf, write } = await openWorld();
    write("incidents/a.yaml", definitionYaml({ id: incidentId, incidentUpdates: first }));
    await run(`${apply} --yes`);
    write("incidents/a.yaml", definitionYaml({ id: incidentId, incidentUpdates: timeline }));
    const shown =
      which === "with a key"
        ? JSON.parse((await run(`${apply} --dry-run -o json`)).stdout)
        : (await preview()).plan;
    service.loseRequest("update");
    const confirmed = `${apply} --confirm ${shown.confirm}`;
    const broken = await run(confirmed);
    expect(broken.exitCode, broken.stderr).toBe(8);
    const [, operation = ""] = /journal settle (\S+) --not-created/.exec(broken.stderr) ?? [];
    expect((await run(`journal settle ${operation} --not-created --yes`)).exitCode).toBe(0);
    const rerun = await run(confirmed);
    expect(rerun.exitCode, rerun.stderr).toBe(0);
    expect(textsOf(incidentId)).toEqual(Object.values(texts));
    const again = await run(confirmed);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(textsOf(incidentId)).toHaveLength(3);
  });
});

describe("a run with --dedup-key that broke off before its second update", () => {
  it.each(lifeServices)("is continued by the rerun, at %s", async (...services) => {
    const { run, service, write } = await openWorld(services);
    write(
      "alert.yaml",
      definitionYaml({
        incidentUpdates: updates(["INVESTIGATING", texts.looking], ["IDENTIFIED", texts.cause]),
      }),
    );
    const create = "create -f alert.yaml --dedup-key checkout-eu --settle-for 1s";
    // The cache says how the service takes an update.
    expect((await run("list")).exitCode).toBe(0);
    service.loseRequest("update");
    const broken = await run(create);
    expect([8, 9]).toContain(broken.exitCode);
    const [, operation] = /journal settle (\S+) --not-created/.exec(broken.stderr) ?? [];
    if (operation !== undefined) await run(`journal settle ${operation} --not-created --yes`);
    const shown = () => service.incidents().map(({ incidentUpdates }) => incidentUpdates.length);
    expect(shown()).toEqual([1]);
    const rerun = await run(create);
    expect(rerun.exitCode, rerun.stderr).toBe(0);
    expect(shown()).toEqual([2]);
    expect((await run(create)).exitCode).toBe(0);
    // The alert of another text leaves the incident as it is.
    write(
      "alert.yaml",
      definitionYaml({ incidentUpdates: updates(["INVESTIGATING", "Other."], ["IDENTIFIED", texts.cause]) }),
    );
    expect((await run(create)).exitCode).toBe(0);
    expect(shown()).toEqual([2]);
  });
});
