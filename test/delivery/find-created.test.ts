// A create whose answer is lost, at services that keep the ids of clients and that replace them: who ends it.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import { answer, definitionYaml, incidentId } from "../harness/builders.ts";
import { answering } from "../harness/changed-service.ts";
import { createWorld } from "../harness/incident.ts";
import { type LifeService, lifeServices, servicesInTurn } from "../service/life/life-services.ts";

const files = {
  "x.yaml": definitionYaml({ id: incidentId }),
  "plain.yaml": definitionYaml(),
  "a.yaml": definitionYaml({ name: "A" }),
  "b.yaml": definitionYaml({ name: "B" }),
};

/** The operations are known without a request: `login`, `doctor`, `list` or a saved contract has read them. */
async function worldAt({ env, transport }: LifeService, knows = true) {
  const world = createWorld({ env, transport, files });
  if (knows) expect((await world.run("list")).exitCode).toBe(0);
  return world;
}

const cases = servicesInTurn("replaced");

describe.each(cases)("at %s with ids %s, a create whose answer is lost", (_name, ids, open) => {
  it.each(["x.yaml", "plain.yaml"])("ends without a person (%s)", async (file) => {
    const service = await open({ ids });
    const world = await worldAt(service);
    service.loseAnswer("create");
    const { exitCode, stdout } = await world.run(`create ${file} -o id`);
    const [declared, ...others] = service.incidents();
    expect({ exitCode, stdout, others }).toEqual({ exitCode: 0, stdout: `${declared?.id}\n`, others: [] });
    const again = await world.run(`create ${file} -o id`);
    expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 0, stdout });
    expect(service.incidents()).toHaveLength(1);
  });

  it("stays unknown where it did not arrive", async () => {
    const service = await open({ ids });
    const world = await worldAt(service);
    service.loseRequest("create");
    expect((await world.run("create x.yaml --settle-for 1s")).exitCode).toBe(8);
    expect(service.incidents()).toEqual([]);
  });
});

describe.each(lifeServices)("a create at %s with replaced ids", (_name, open) => {
  const start = async () => {
    const service = await open({ ids: "replaced" });
    const world = await worldAt(service);
    /** Runs a command right before the next create arrives, and then loses a part of that create. */
    const interpose = (line: string, lose: () => unknown) => {
      let isFirst = true;
      service.before(async (operation) => {
        if (operation !== "create" || !isFirst) return;
        isFirst = false;
        expect((await world.run(line)).exitCode).toBe(0);
        await lose();
      });
    };
    return { service, world, interpose };
  };
  const settle = `incident journal settle ${incidentId}`;

  it("is not taken for an equal one that was there before", async () => {
    const { service, world } = await start();
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create plain.yaml");
    service.loseRequest("create");
    expect((await world.run("create x.yaml --new --settle-for 1s")).exitCode).toBe(8);
  });

  it("is not taken for one that was there before, with which the service answers", async () => {
    const { service, world } = await start();
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create plain.yaml");
    const transport = answering(service, ({ method }) =>
      method === "POST" ? answer(service.incidents()[0], 201) : undefined,
    );
    const { exitCode, stdout } = await world.run("create x.yaml --new --settle-for 1s", { transport });
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: "" });
  });

  it("is declared where a person says that it is not, and the list shows it", async () => {
    const { service, world } = await start();
    service.loseRequest("create");
    expect((await world.run("create x.yaml --settle-for 1s")).exitCode).toBe(8);
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create plain.yaml");
    const { exitCode, stderr } = await world.run(`journal settle ${incidentId} --not-created --yes`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("settled as created"),
    });
    const again = await world.run("create x.yaml -o id");
    expect(again.stdout).toBe(`${service.incidents()[0]?.id}\n`);
    expect(service.incidents()).toHaveLength(1);
  });

  it("is not taken for one that another create of this journal declared", async () => {
    const { interpose, service, world } = await start();
    interpose("create plain.yaml --new", () => service.loseRequest("create"));
    const { exitCode, stderr } = await world.run("create x.yaml --settle-for 1s");
    expect({ exitCode, count: service.incidents().length }).toEqual({ exitCode: 8, count: 1 });
    expect(stderr).toContain(`${settle} --not-created`);
  });

  it("is for a person where two new ones are equal, and the commands name both", async () => {
    const { interpose, service, world } = await start();
    interpose("INCIDENT_CLI_STATE_DIR=elsewhere create plain.yaml", () => service.loseAnswer("create"));
    const { exitCode, stderr } = await world.run("create x.yaml --settle-for 1s");
    const [one, two, ...others] = service.incidents();
    expect({ exitCode, others }).toEqual({ exitCode: 8, others: [] });
    for (const candidate of [one, two])
      expect(stderr).toContain(`${settle} --created --service-id ${candidate?.id} --yes\n`);
    const settled = await world.run(`journal settle ${incidentId} --created --service-id ${two?.id} --yes`);
    expect(settled.exitCode).toBe(0);
    expect((await world.run("create x.yaml -o id")).stdout).toBe(`${two?.id}\n`);
  });

  it.each([409, 422, 429])(
    "that is refused with a %i beside two equal ones is for a person too",
    async (status) => {
      const { service, world } = await start();
      const transport: Transport = async (request, control) => {
        if (request.method !== "POST") return service.transport(request, control);
        await control.beforeSend?.();
        for (const machine of ["one", "other"])
          await world.run(`INCIDENT_CLI_STATE_DIR=${machine} create plain.yaml --new`);
        const body = { statusCode: status, error: "Refused", message: "id is not allowed" };
        return { ...answer(body, status), headers: { "content-type": "application/json" } };
      };
      for (const more of [{ transport }, {}]) {
        const { exitCode, stderr } = await world.run("create x.yaml --settle-for 1s", more);
        expect(exitCode).toBe(8);
        expect(stderr).not.toContain("journal settle");
        for (const { id } of service.incidents()) expect(stderr).toContain(id);
        expect(stderr).toContain("if it is none of them, send it in other words");
      }
      expect(service.incidents()).toHaveLength(2);
    },
  );

  it("is for a person where the new one may be of another create of this journal", async () => {
    const { service, world } = await start();
    service.loseRequest("create");
    expect((await world.run("create plain.yaml --settle-for 1s")).exitCode).toBe(8);
    service.loseAnswer("create");
    const { exitCode, stderr } = await world.run("create x.yaml --new --settle-for 1s");
    expect(exitCode).toBe(8);
    expect(stderr).toContain(`${settle} --created --service-id ${service.incidents()[0]?.id} --yes\n`);
  });

  it.each(["MONITORING", "RESOLVED"])("is not taken for one that is %s by another update", async (status) => {
    const { interpose, service, world } = await start();
    interpose("INCIDENT_CLI_STATE_DIR=elsewhere create plain.yaml", async () => {
      await service.addUpdate(service.incidents()[0]?.id ?? "", { status, description: "More." });
      service.loseRequest("create");
    });
    expect((await world.run("create x.yaml --settle-for 1s")).exitCode).toBe(8);
  });

  it("has hints that can work where no list is known", async () => {
    const service = await open({ ids: "replaced" });
    service.loseRequest("document", 99);
    const world = await worldAt(service, false);
    for (const file of ["a.yaml", "b.yaml"]) expect((await world.run(`create ${file}`)).exitCode).toBe(0);
    service.loseAnswer("create");
    const { exitCode, stderr } = await world.run("create x.yaml --settle-for 1s");
    expect(exitCode).toBe(8);
    expect(stderr).toContain("it cannot be looked for, as no id of it is known");
    expect(stderr).toContain(`${settle} --created --service-id GUID --yes\n`);
    expect(stderr).not.toContain(`incident get ${incidentId}`);
  });
});
