import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { answer } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { withDocument } from "../../service/life/life-services.ts";

const other = incidentId.replace("7c", "8c");
const search = "{ name: Search, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c }";
const resolved = "[{ description: Solved., status: RESOLVED }]";
const files = {
  ".incident.yaml": `services:\n  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }\n  search: ${search}\n`,
  "checkout.yaml": definitionYaml({ id: incidentId }),
  "search.yaml": definitionYaml({
    id: other,
    name: "Search is slow",
    severity: "MINOR",
    services: `[${search}]`,
  }),
  "solved.yaml": definitionYaml({ id: other, name: "Search was slow", incidentUpdates: resolved }),
  "search-solved.yaml": definitionYaml({
    id: incidentId.replace("7c", "9c"),
    name: "Search failed",
    incidentUpdates: resolved,
  }),
};

async function gate(flags: string, declared: readonly string[], faults: readonly string[] = []) {
  const world = createWorld({ files, faults });
  for (const file of declared) expect((await world.run(`create -f ${file}`)).exitCode).toBe(0);
  return world.run(`gate ${flags}`);
}

/** The ids that were read, in their order. */
const idsOf = ({ requests }: Awaited<ReturnType<typeof gate>>) =>
  requests.map(({ url }) => url.split("/").at(-1));

describe("gate", () => {
  it("is never open where it was stopped before it has read what it knows", async () => {
    const world = createWorld({ files });
    for (const file of ["checkout.yaml", "solved.yaml"]) await world.run(`create -f ${file}`);
    const stopped = await world.run("gate", { signal: AbortSignal.abort("SIGTERM") });
    expect(stopped.exitCode).toBe(143);
    expect(stopped.stderr).toContain("it is not known whether an incident is open");
    expect(stopped.stderr).not.toContain("not blocked");
  });

  it("does not pass where a signal has left one of many closed incidents unread", async () => {
    // More than it reads at once.
    const many = Array.from({ length: 17 }, (_, at) =>
      definitionYaml({ id: numberedId(at), name: `Search ${at} was slow`, incidentUpdates: resolved }),
    );
    const world = createWorld({ files: { "many.yaml": many.join("---\n") } });
    expect((await world.run("create -f many.yaml --yes")).exitCode).toBe(0);
    const controller = new AbortController();
    const transport: Transport = async (request, control) => {
      const outcome = await world.sandbox.transport(request, control);
      if (request.url.includes("/incidents/")) controller.abort("SIGTERM");
      return outcome;
    };
    const stopped = await world.run("gate", { signal: controller.signal, transport });
    expect(stopped).toMatchObject({ exitCode: 143, stdout: "" });
    expect(stopped.stderr).toContain("it is not known whether an incident is open");
  });

  it("names an entry of the journal that is torn, and no other try", async () => {
    const world = createWorld({ files });
    await world.run("create -f solved.yaml");
    const folder = join(world.folder, "home/.local/state/incident-cli/journal");
    const entries = fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
    fs.truncateSync(entries.find((name) => name.endsWith("01.json")) ?? "", 20);
    const { exitCode, stderr } = await world.run("gate -o json");
    const error = JSON.parse(stderr.slice(stderr.indexOf("{"))).error;
    expect({ exitCode, retryable: error.retryable }).toEqual({ exitCode: 2, retryable: false });
    expect(error.message).toMatch(/00000001\.json cannot be trusted: it is torn/);
    expect(error.hint).toContain("move it away only once you know");
  });

  it("looks only as far back as --since", async () => {
    const world = createWorld({ files });
    await world.run("create -f checkout.yaml");
    world.clock.advance(8 * 86_400_000);
    await world.run("create -f solved.yaml");
    const recent = await world.run("gate --since 7d");
    expect({ exitCode: recent.exitCode, stderr: recent.stderr }).toEqual({
      exitCode: 0,
      stderr: "not blocked: 1 known incident, none of which blocks\n",
    });
    expect((await world.run("gate --since 2026-11-01")).exitCode).toBe(12);
    expect((await world.run("gate --since 2026-02-30")).exitCode).toBe(2);
    expect((await world.run("gate")).exitCode).toBe(12);
  });

  it("counts the date of the declaration for --since, and not that of an earlier create that was refused", async () => {
    const world = createWorld({ files, faults: ["create#1:403"] });
    expect((await world.run("create -f checkout.yaml")).exitCode).toBe(4);
    world.clock.advance(8 * 86_400_000);
    expect((await world.run("create -f checkout.yaml")).exitCode).toBe(0);
    const { exitCode, stdout } = await world.run("gate --since 7d -o id");
    expect({ exitCode, stdout }).toEqual({ exitCode: 12, stdout: `${incidentId}\n` });
  });

  it.each([
    ["--service checkout", 12],
    ["--service search", 0],
    ["--service search --service checkout", 12],
    ["--severity critical", 0],
    ["--severity major", 12],
    ["--severity minor", 12],
    ["--service checkout --severity critical", 0],
  ])("with %s exits with %i", async (flags, code) => {
    expect((await gate(flags, ["checkout.yaml"])).exitCode).toBe(code);
  });

  it.each([
    ["--allow-unknown", [], "0 known incidents, none of which blocks"],
    ["", ["solved.yaml", "search-solved.yaml"], "2 known incidents, none of which blocks"],
    ["--severity critical", ["checkout.yaml"], "1 known incident, none of which blocks"],
  ] as const)("with %j and %j says why it does not block", async (flags, declared, reason) => {
    const { exitCode, stderr } = await gate(flags, [...declared]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `not blocked: ${reason}\n` });
  });

  it("has an envelope", async () => {
    const { exitCode, stdout } = await gate("-o json", ["checkout.yaml"]);
    expect(exitCode).toBe(12);
    expect(JSON.parse(stdout)).toMatchObject({
      blocked: true,
      known: 1,
      incidents: [{ id: incidentId, name: "Checkout fails" }],
      unknown: [],
    });
  });

  it("reads each incident in each run, the newest first", async () => {
    const world = createWorld({ files });
    const third = incidentId.replace("7c", "9c");
    for (const file of ["checkout.yaml", "solved.yaml", "search-solved.yaml"])
      await world.run(`create -f ${file}`);
    for (const document of [["openapi.json"], []])
      expect(idsOf(await world.run("gate"))).toEqual([...document, third, other, incidentId]);
    expect(idsOf(await world.run("gate -f checkout.yaml"))).toEqual([incidentId, third, other]);
  });

  it("exits with 7 where an incident cannot be read, and names it", async () => {
    const { exitCode, stderr } = await gate("", ["solved.yaml"], ["get#2-9:503"]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 7 });
    expect(stderr).toContain(`error: it is not known whether an incident is open: ${other}: `);
  });

  it("exits with 7 for a create without a known outcome that the service does not show", async () => {
    const world = createWorld({ files, faults: ["create:drop-before-commit"] });
    expect((await world.run("create -f checkout.yaml --settle-for 1s")).exitCode).toBe(8);
    const { exitCode, stderr } = await world.run("gate");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 7 });
    expect(stderr).toContain(
      `error: it is not known whether an incident is open: ${incidentId}: its create has no known outcome\n`,
    );
    expect(stderr).toContain(`incident journal settle ${incidentId}`);
    const read = await world.run(`get ${incidentId}`);
    expect(read.exitCode).toBe(5);
    const settled = await world.run(`journal settle ${incidentId} --settle-for 1s`);
    expect(settled.stderr).toContain("next: look for it at the status page; then settle it");
    expect(settled.stderr).not.toMatch(/incident (get|list)/);
  });

  it("exits with 7 where the service does not show a declared incident, and has no list", async () => {
    const world = createWorld({ files, faults: ["get#2:404", "get#3:404"] });
    await world.run("create -f checkout.yaml");
    const command = `incident journal settle ${incidentId} --not-created --yes`;
    for (const code of [7, 7, 12]) {
      const { exitCode, stderr } = await world.run("gate");
      expect(exitCode).toBe(code);
      if (code === 7) {
        expect(stderr).toContain("it was declared, and the service does not show it");
        expect(stderr).toMatch(new RegExp(`next: run it again.*\\n +# it was deleted\\n +${command}\\n`));
      }
      world.clock.advance(10 * 60_000);
    }
  });

  it("ignores the incidents of another account", async () => {
    const world = createWorld({ files });
    await world.run("create -f checkout.yaml");
    const { exitCode, requests } = await world.run("gate --account none --allow-unknown");
    expect({ exitCode, read: requests.some(({ url }) => url.endsWith(incidentId)) }).toEqual({
      exitCode: 0,
      read: false,
    });
  });
});

describe("an incident that was changed from here, without a list", () => {
  const world = (clientIds: "honour" | "ignore" = "honour", faults: readonly string[] = []) => {
    const { clock, run, sandbox } = createWorld({ files, faults, sandbox: { onlySpec: false, clientIds } });
    const transport = withDocument(sandbox, (document) => {
      delete document.paths["/v1/status-pages/incidents"].get;
    });
    return { clock, run: (line: string, other = transport) => run(line, { transport: other }) };
  };

  it.each(["honour", "ignore"] as const)(
    "blocks again once an update has reopened it, with client ids: %s",
    async (clientIds) => {
      const { run } = world(clientIds);
      await run("create -f checkout.yaml");
      expect((await run("gate")).exitCode).toBe(12);
      await run(`resolve ${incidentId} --message 'It is over.'`);
      for (const _ of [1, 2]) expect((await run("gate")).exitCode).toBe(0);
      const reopen = `update ${incidentId} --status monitoring --message 'It is back.' --reopen`;
      expect((await run(reopen)).exitCode).toBe(0);
      for (const _ of [1, 2]) expect((await run("gate")).exitCode).toBe(12);
      await run(`resolve ${incidentId} --message 'It is over, again.'`);
      for (const _ of [1, 2]) expect((await run("gate")).exitCode).toBe(0);
    },
  );

  it("blocks once an update has reopened it that had no known outcome at the look before", async () => {
    const { clock, run } = world("honour", ["update#1:slow-commit=60s"]);
    await run("create -f solved.yaml");
    const reopen = `update ${other} --status monitoring --message 'It is back.' --reopen --settle-for 1s`;
    expect((await run(reopen)).exitCode).toBe(8);
    expect((await run("gate")).exitCode).toBe(0);
    clock.advance(60_000);
    expect((await run(reopen)).exitCode).toBe(0);
    for (const _ of [1, 2]) expect((await run("gate")).exitCode).toBe(12);
  });

  it("blocks where somebody else declared it", async () => {
    const { run } = world();
    await run("INCIDENT_CLI_STATE_DIR=elsewhere create -f checkout.yaml");
    await run(`update ${incidentId} --status monitoring --message 'We are watching it.'`);
    for (const _ of [1, 2]) {
      const { exitCode, stdout } = await run("gate -o id");
      expect({ exitCode, stdout }).toEqual({ exitCode: 12, stdout: `${incidentId}\n` });
    }
    await run(`INCIDENT_CLI_STATE_DIR=elsewhere resolve ${incidentId} --message 'It is over.'`);
    const { exitCode, stderr } = await run("gate");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "not blocked: 1 known incident, none of which blocks\n",
    });
  });

  it("is not closed by a replica that does not show yet that it was reopened", async () => {
    const { clock, run } = world();
    await run("create -f checkout.yaml");
    await run(`resolve ${incidentId} --message 'It is over.'`);
    const stale = await run(`get ${incidentId} -o json`);
    await run(`update ${incidentId} --status monitoring --message 'It is back.' --reopen`);
    const replica: Transport = async () => answer(200, [JSON.parse(stale.stdout)].flat()[0]);
    const behind = await run("gate", replica);
    expect(behind.exitCode).toBe(7);
    expect(behind.stderr).toContain("it shows RESOLVED, and not the update that was posted from here at ");
    expect((await run("gate")).exitCode).toBe(12);
    // A person has resolved it meanwhile, and the service gives updates new ids.
    clock.advance(6 * 60_000);
    expect((await run("gate", replica)).exitCode).toBe(0);
  });
});
