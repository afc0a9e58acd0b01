// Commands that read an incident whose create has no known outcome in the journal of this machine.
import { describe, expect, it } from "vitest";
import { answer, createService, incidentOf, lost } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const settle = `incident journal settle ${incidentId}`;
const warning = (id = incidentId) =>
  `warning: the outcome of the create of ${id} is not known here: ${settle} records that it exists\n`;
const create = "create -f x.yaml --settle-for 1s";
const files = { "x.yaml": definitionYaml({ id: incidentId }) };

describe("incident get", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["its own id", {}, incidentId],
    ["the id of an answer", { id: numberedId(1) }, numberedId(1)],
  ])("warns of an incident with %s, until it is settled", async (_, fields, id) => {
    const world = createWorld({ files });
    // An answer without a status of success, whose id is the only sign of the incident.
    const { transport } = createService(
      () => (id === incidentId ? lost : answer(202, { id })),
      () => answer(404, { statusCode: 404, error: "Not Found" }),
    );
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    const late = createService(
      () => lost,
      () => answer(200, incidentOf(fields)),
    ).transport;
    const read = await world.run(`get ${id} -o id`, { transport: late });
    expect(read).toMatchObject({ exitCode: 0, stdout: `${id}\n`, stderr: warning(id) });
    expect((await world.run(`journal settle ${incidentId}`, { transport: late })).exitCode).toBe(0);
    const again = await world.run(`get ${id} -o id`, { transport: late });
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it("is silent on an incident whose create another account has not settled", async () => {
    const world = createWorld({ files });
    const { transport } = createService(() => lost);
    expect((await world.run(create, { transport })).exitCode).toBe(8);
    const late = createService(
      () => lost,
      () => answer(200, incidentOf()),
    ).transport;
    const { stderr } = await world.run(`get ${incidentId} --account ${numberedId(2)}`, { transport: late });
    expect(stderr).toBe("");
  });
});

it.each(lifeServices)(
  "incident list, at %s, warns of an incident without a known outcome",
  async (_, open) => {
    const service = await open({ ids: "kept" });
    const world = createWorld({ env: service.env, transport: service.transport, files });
    service.loseRequest("create");
    expect((await world.run(create)).exitCode).toBe(8);
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create -f x.yaml");
    expect((await world.run("list")).stderr).toBe(warning());
  },
);
