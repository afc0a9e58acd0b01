import { describe, expect, it } from "vitest";
import { answer, definitionYaml, incidentId as id, numberedId } from "../../harness/builders.ts";
import { access, createWorld, incident, type Setup } from "../../harness/incident.ts";

const answering = (body: unknown): Setup => ({ transport: async () => answer(body) });

const full = {
  id,
  name: "Checkout fails",
  severity: "MAJOR",
  lastUpdateStatus: "MONITORING",
  services: [{ id, name: "Checkout", accountId: access.accountId, created_at: "2024-01-01" }],
  incidentUpdates: [
    {
      description: "First.",
      status: "INVESTIGATING",
      publicIncidentUpdateDate: "2026-01-01T10:00:00Z",
      id,
      created_at: "2026-01-01",
    },
    {
      description: "Second.",
      status: "MONITORING",
      publicIncidentUpdateDate: "2026-01-01T11:30:00Z",
      notifySubscribers: true,
      id,
      created_at: "2026-01-01",
    },
  ],
  duration: 42,
  created_at: "2026-01-01",
  updated_at: "2026-01-02",
  somethingNew: { kept: true },
};

describe("incident get", () => {
  it("prints the answer of the service as JSON, including unknown fields", async () => {
    const { stdout } = await incident(`get ${id} -o json`, answering(full));
    expect(JSON.parse(stdout)).toEqual(full);
  });

  it("shows the newest update first, in the user's time zone with its offset", async () => {
    const { stdout } = await incident(`get ${id}`, answering(full));
    expect(stdout).toContain("○ MONITORING · 2026-01-01 12:30 +01:00 · subscribers notified");
    expect(stdout.indexOf("Second.")).toBeLessThan(stdout.indexOf("First."));
    // The API states no unit.
    expect(stdout).not.toContain("duration");
  });

  it("needs no journal", async () => {
    const setup = { ...answering(full), env: { INCIDENT_CLI_JOURNAL: "svn://127.0.0.1/journal" } };
    const { exitCode, stderr } = await incident(`get ${id}`, setup);
    expect(exitCode, stderr).toBe(0);
  });

  it("prints an array or a table for several incidents", async () => {
    const json = await incident(`get ${id} ${id} -o json`, answering(full));
    expect(JSON.parse(json.stdout)).toEqual([full, full]);
    const table = await incident(`get ${id} ${id}`, answering(full));
    expect(table.stdout.split("\n")).toHaveLength(4);
    const ids = await incident(`get ${id} ${id} -o id`, answering(full));
    expect(ids.stdout).toBe(`${id}\n${id}\n`);
  });

  it("prints an array for several, also where one alone is there", async () => {
    const files = { "x.yaml": definitionYaml({ id }), "y.yaml": definitionYaml({ name: "Other" }) };
    const world = createWorld({ files, faults: ["create#2:403"], sandbox: { onlySpec: false } });
    const none = numberedId(7);
    for (const line of [
      "create -f x.yaml -f y.yaml",
      `get ${id} ${none}`,
      `resolve ${id} ${none} --message Over.`,
    ]) {
      const { exitCode, stdout } = await world.run(`${line} -o json`);
      expect(exitCode, line).not.toBe(0);
      expect(JSON.parse(stdout), line).toMatchObject([{ id }]);
    }
  });

  it.each(["", "--wait-for investigating", "--watch --wait-for investigating"])(
    "%s takes the id of a file where the service assigned its own",
    async (flags) => {
      const files = { "x.yaml": definitionYaml({ id }) };
      const world = createWorld({ files, sandbox: { clientIds: "ignore" } });
      const own = (await world.run("create -f x.yaml -o id")).stdout.trim();
      expect(own).not.toBe(id);
      const { exitCode, stdout } = await world.run(`get ${id} -o json ${flags}`);
      expect({ exitCode, id: JSON.parse(stdout).id }).toEqual({ exitCode: 0, id: own });
      const missing = await world.run(`get ${numberedId(7)} -o json ${flags}`);
      expect(missing).toMatchObject({ exitCode: 5, stdout: "" });
    },
  );
});
