// An alert becomes more severe while its incident is open: the severity is edited, once, and never lowered.
import { describe, expect, it } from "vitest";
import { createWorld, type World } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const files = {
  "incident-templates/rule.yaml": `when: { status: firing }
dedupKey: "\${key}"
startedAt: at
variables:
  level: { values: { critical: CRITICAL, warning: MAJOR, low: MINOR }, otherwise: MEDIUM }
---
name: Payments may fail
severity: \${level}
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates: [{ status: INVESTIGATING, description: We look into it. }]
`,
};

async function send(world: World, level: string, more = {}) {
  const stdin = JSON.stringify({ status: "firing", key: "a", at: "06:20", level });
  const line = "create --template rule --vars - --no-input -o json";
  const { exitCode, stderr, stdout } = await world.run(line, { stdin, ...more });
  const { how, id, severity } = stdout.trim() === "" ? {} : JSON.parse(stdout);
  return { exitCode, how, id, severity, stderr };
}

describe.each(lifeServices)("an alert that becomes more severe, at %s", (_name, open) => {
  const start = async (options = {}) => {
    const service = await open(options);
    const { env, transport } = service;
    const edits = () => service.requests.filter(({ operation }) => operation === "edit").length;
    const severity = () => service.incidents().map((incident) => incident.severity.toUpperCase());
    return { edits, severity, world: createWorld({ transport, env, files }) };
  };

  it.each([{}, { ids: "replaced" }])(
    "raises the severity once, with the same start time as well: %o",
    async (options) => {
      const { edits, severity, world } = await start(options);
      const declared = await send(world, "warning");
      expect(declared).toMatchObject({ exitCode: 0, how: "declared" });
      const risen = await send(world, "critical");
      expect(risen).toMatchObject({ exitCode: 0, how: "open", id: declared.id, severity: "CRITICAL" });
      expect(await send(world, "critical")).toMatchObject({ exitCode: 0, how: "open" });
      expect({ edits: edits(), severity: severity() }).toEqual({ edits: 1, severity: ["CRITICAL"] });
    },
  );

  it("is never lowered, and neither is a person's own choice undone", async () => {
    const { edits, severity, world } = await start();
    const { id } = await send(world, "warning");
    expect(await send(world, "low")).toMatchObject({ exitCode: 0, how: "open" });
    expect(edits()).toBe(0);
    expect((await world.run(`update ${id} --severity minor --yes`)).exitCode).toBe(0);
    expect(await send(world, "warning")).toMatchObject({ exitCode: 0, how: "open" });
    expect(severity()).toEqual(["MINOR"]);
    expect(await send(world, "critical")).toMatchObject({ exitCode: 0, severity: "CRITICAL" });
    expect((await world.run(`update ${id} --severity minor --yes`)).exitCode).toBe(0);
    expect(await send(world, "critical")).toMatchObject({ exitCode: 0, how: "open" });
    expect(severity()).toEqual(["MINOR"]);
  });

  it("leaves a severity that a file of the incident has lowered", async () => {
    const { severity, world } = await start();
    const { id } = await send(world, "critical");
    expect((await world.run("contract pull")).exitCode).toBe(0);
    const { stdout } = await world.run(`get ${id} -o definition`);
    for (const stdin of [stdout, stdout.replace("CRITICAL", "MINOR")])
      await world.run("apply -f - --yes --force", { stdin });
    expect(severity()).toEqual(["MINOR"]);
    expect(await send(world, "critical")).toMatchObject({ exitCode: 0, how: "open" });
    expect(severity()).toEqual(["MINOR"]);
  });
});

it("is a warning that names the place where the service's document describes no edit", async () => {
  const env = { INCIDENT_CLI_WEB_URL: "https://status.example.com/{id}" };
  const world = createWorld({ files, env });
  const { id } = await send(world, "warning");
  const told = await send(world, "critical");
  expect(told).toMatchObject({ exitCode: 0, how: "open", id, severity: "MAJOR" });
  expect(told.stderr).toContain(
    `the alert is CRITICAL now, and its incident ${id} is MAJOR: the service's document does not describe`,
  );
  expect(told.stderr).toContain(
    `; nothing was sent; do it in the service's web application: https://status.example.com/${id}`,
  );
});
