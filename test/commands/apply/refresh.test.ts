// `incident apply` where nothing is new: it writes nothing, and with INCIDENT_CLI_REFRESH=false it asks the service
// nothing.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definitionYaml, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const one = numberedId(1);
const two = numberedId(2);
const env = { INCIDENT_CLI_REFRESH: "false" };

function start() {
  const files = Object.fromEntries(
    [one, two].map((id) => [`all/${id}.yaml`, definitionYaml({ id, name: `Incident ${id.at(-1)}` })]),
  );
  const world = createWorld({ files });
  const events = () => readdirSync(join(world.folder, "home/.local/state/incident-cli/journal"));
  return { world, events };
}

it("writes nothing to the journal where every definition is known and unchanged", async () => {
  const { events, world } = start();
  await world.run("apply -f all --yes");
  const before = events();
  const again = await world.run("apply -f all --yes");
  expect(again.stdout).toContain("2 definitions: 2 unchanged");
  expect(events()).toEqual(before);
});

it("sends no request without a refresh where every definition is known, and says how many", async () => {
  const { events, world } = start();
  await world.run("apply -f all --yes");
  const before = events();
  for (const line of ["apply -f all --yes", "apply -f all"]) {
    const { exitCode, requests, stdout } = await world.run(line, { env });
    expect({ exitCode, requests, stdout }).toEqual({
      exitCode: 0,
      requests: [],
      stdout: `= known     ${one}  Incident 1\n= known     ${two}  Incident 2\n\n2 definitions: 2 known from the journal alone\n`,
    });
  }
  expect(events()).toEqual(before);
  const plan = await world.run("apply -f all --dry-run -o json", { env });
  expect(JSON.parse(plan.stdout)).toMatchObject({
    summary: { known: 2 },
    results: [{ action: "known" }, { action: "known" }],
  });
  expect((await world.run("apply -f all -o id", { env })).stdout).toBe(`${one}\n${two}\n`);
});

it("reads without a refresh what was edited or is not known, and declares what is missing", async () => {
  const { world } = start();
  await world.run(`apply -f all/${one}.yaml --yes`);
  const missing = await world.run("apply -f all --yes", { env });
  expect(missing.stdout).toContain("2 definitions: 1 created, 1 known from the journal alone");
  expect(missing.requests.map(({ method, url }) => `${method} ${url.split("/").at(-1)}`)).toEqual([
    `GET ${two}`,
    "POST incidents",
  ]);
  const edited = createWorld({
    files: { "all/a.yaml": definitionYaml({ id: one, name: "Edited" }) },
    transport: world.sandbox.transport,
  });
  const drifted = await world.run(`apply -f ${join(edited.folder, "all")} --yes --create-only`, { env });
  expect(drifted.stdout).toContain("1 definition: 1 drifted");
});

it("does not trust a journal about a create whose outcome is not known", async () => {
  const { world } = start();
  const lost = await world.run(`apply -f all/${one}.yaml --yes`, {
    transport: async (request, control) => {
      if (request.method === "GET") return world.sandbox.transport(request, control);
      await control.beforeSend?.();
      return { phase: "unanswered", reason: "timeout", detail: "no answer" };
    },
  });
  expect(lost.exitCode).toBe(8);
  const again = await world.run(`apply -f all/${one}.yaml --yes`, { env });
  expect(again.requests.length).toBeGreaterThan(0);
  expect(again.exitCode).toBe(8);
});

it.each(["--fail-on-drift", "--recreate"])(
  "reads all the same with %s, which needs the incidents",
  async (flag) => {
    const { world } = start();
    await world.run("apply -f all --yes");
    const { exitCode, requests } = await world.run(`apply -f all ${flag}`, { env });
    expect({ exitCode, requests: requests.length }).toEqual({ exitCode: 0, requests: 2 });
  },
);

it("refuses another value before any request", async () => {
  const { exitCode, requests, stderr } = await start().world.run("apply -f all", {
    env: { INCIDENT_CLI_REFRESH: "never" },
  });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain('INCIDENT_CLI_REFRESH cannot be "never"');
});
