// `incident apply` where nothing is new: it writes nothing, and with --no-refresh it asks the service nothing.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definitionYaml, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const one = numberedId(1);
const two = numberedId(2);

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

it("sends no request with --no-refresh where every definition is known, and says how many", async () => {
  const { events, world } = start();
  await world.run("apply -f all --yes");
  const before = events();
  for (const line of ["apply -f all --yes --no-refresh", "apply -f all --no-refresh"]) {
    const { exitCode, requests, stdout } = await world.run(line);
    expect({ exitCode, requests, stdout }).toEqual({
      exitCode: 0,
      requests: [],
      stdout: `= known     ${one}  Incident 1\n= known     ${two}  Incident 2\n\n2 definitions: 2 known from the journal alone\n`,
    });
  }
  expect(events()).toEqual(before);
  const plan = await world.run("apply -f all --no-refresh --dry-run -o json");
  expect(JSON.parse(plan.stdout)).toMatchObject({
    summary: { known: 2 },
    results: [{ action: "known" }, { action: "known" }],
  });
  expect((await world.run("apply -f all --no-refresh -o id")).stdout).toBe(`${one}\n${two}\n`);
});

it("reads with --no-refresh what was edited or is not known, and declares what is missing", async () => {
  const { world } = start();
  await world.run(`apply -f all/${one}.yaml --yes`);
  const missing = await world.run("apply -f all --yes --no-refresh");
  expect(missing.stdout).toContain("2 definitions: 1 created, 1 known from the journal alone");
  expect(missing.requests.map(({ method, url }) => `${method} ${url.split("/").at(-1)}`)).toEqual([
    `GET ${two}`,
    "POST incidents",
  ]);
  const edited = createWorld({
    files: { "all/a.yaml": definitionYaml({ id: one, name: "Edited" }) },
    transport: world.sandbox.transport,
  });
  const drifted = await world.run(`apply -f ${join(edited.folder, "all")} --yes --no-refresh --create-only`);
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
  const again = await world.run(`apply -f all/${one}.yaml --yes --no-refresh`);
  expect(again.requests.length).toBeGreaterThan(0);
  expect(again.exitCode).toBe(8);
});

it.each(["--fail-on-drift", "--recreate"])("cannot be combined with %s", async (flag) => {
  const { exitCode, requests, stderr } = await start().world.run(`apply -f all --no-refresh ${flag}`);
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain(`use one of --no-refresh and ${flag}`);
});
