import { describe, expect, it } from "vitest";
import { answer, createService, incidentOf } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

/** An incident that was declared, and that the service says to be resolved at its second read after that. */
async function declare() {
  const world = createWorld({ files: { "x.yaml": definitionYaml({ id: incidentId }) } });
  let reads = 0;
  const { transport } = createService(
    () => answer(201, incidentOf()),
    (id) => {
      reads += 1;
      return answer(200, incidentOf({ id, lastUpdateStatus: reads === 1 ? "MONITORING" : "RESOLVED" }));
    },
  );
  const run = (line: string) => world.run(line, { transport });
  expect((await run("create -f x.yaml -o id")).stdout).toBe(`${incidentId}\n`);
  reads = 0;
  const list = async () => (await run("journal list --open -o id")).stdout;
  return { list, run };
}

describe("incident get", () => {
  it("takes an incident that is resolved off the list of open ones", async () => {
    const { list, run } = await declare();
    expect((await run(`get ${incidentId} -o id`)).exitCode).toBe(0);
    expect(await list()).toBe(`${incidentId}\n`);
    expect((await run(`get ${incidentId} -o id`)).exitCode).toBe(0);
    expect(await list()).toBe("");
    expect((await run(`get ${incidentId}`)).exitCode).toBe(0);
    expect((await run("journal list")).stdout).toContain("RESOLVED");
    const gate = await run("gate");
    expect({ exitCode: gate.exitCode, stderr: gate.stderr, reads: gate.requests.length }).toEqual({
      exitCode: 0,
      stderr: "not blocked: the known incident is not open\n",
      // The document of the service, and no incident.
      reads: 1,
    });
  });

  it("takes it off the list after it has waited for that", async () => {
    const { list, run } = await declare();
    expect((await run(`get ${incidentId} --wait-for resolved -o id`)).exitCode).toBe(0);
    expect(await list()).toBe("");
  });

  it("remembers no incident of others", async () => {
    const { list, run } = await declare();
    for (let look = 0; look < 2; look += 1) await run(`get ${numberedId(1)} -o id`);
    expect(await list()).toBe(`${incidentId}\n`);
    expect((await run("gate")).stderr).toBe("not blocked: the known incident is not open\n");
  });
});
