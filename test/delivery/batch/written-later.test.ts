// An incident that was declared by a command at night, and that a file with an id tells of in the morning: it is the same one,
// and where it is over by then, a person says so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, serviceId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { type LifeService, servicesInTurn } from "../../service/life/life-services.ts";

const first = "{ description: We look., status: INVESTIGATING }";
const cause = "{ description: Cause., status: IDENTIFIED }";
const over = "{ description: Over., status: RESOLVED }";
const files = {
  "plain.yaml": definitionYaml({ incidentUpdates: `[${first}]` }),
  "open.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${first}]` }),
  "over.yaml": definitionYaml({ incidentUpdates: `[${first}, ${over}]` }),
  "copy.yaml": definitionYaml({ id: serviceId, incidentUpdates: `[${first}]` }),
  "x.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${first}, ${cause}, ${over}]` }),
  "begun.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${first}, ${cause}]` }),
  "polished.yaml": definitionYaml({
    id: incidentId,
    incidentUpdates: `[${first}, ${cause}, { description: "It is over.", status: RESOLVED }]`,
  }),
  "corrected.yaml": definitionYaml({
    id: incidentId,
    incidentUpdates: `[${first}, { description: The cause is a disk., status: IDENTIFIED }]`,
  }),
  "reworded.yaml": definitionYaml({
    id: incidentId,
    incidentUpdates: `[{ description: It fails., status: INVESTIGATING }, ${over}]`,
  }),
};

function machineAt({ env, transport }: LifeService, idsElsewhere = 0) {
  return createWorld({ env, transport, files, idsElsewhere });
}

describe.each(servicesInTurn("replaced"))("at %s with ids %s, a file of the night", (_name, ids, open) => {
  async function spendNight(line = "create plain.yaml") {
    const service = await open({ ids });
    const world = machineAt(service);
    const { stdout } = await world.run(`${line} -o id`);
    const id = stdout.trim();
    await world.run(`update ${id} --status identified --message Cause.`);
    return { id, service, world };
  }

  it.each(["apply x.yaml", "create x.yaml", "apply polished.yaml", "apply begun.yaml"])(
    "may be the incident that is over, or another one in the same words (%s)",
    async (line) => {
      for (const isElsewhere of [false, true]) {
        const { id, service, world } = await spendNight();
        await world.run(`resolve ${id} --message Over.`);
        const morning = isElsewhere ? machineAt(service, 100) : world;
        for (const each of [`${line} --dry-run`, line, line]) {
          const { exitCode, stderr } = await morning.run(each);
          expect(exitCode, stderr).toBe(6);
          expect(stderr).toContain(`incident get ${id} -o definition`);
        }
        expect(service.incidents()).toHaveLength(1);
        const file = line.split(" ")[1] as keyof typeof files;
        writeFileSync(join(morning.folder, "own.yaml"), files[file].replace(incidentId, id));
        const own = await morning.run("apply own.yaml");
        expect(own.exitCode, own.stderr).toBe(0);
        expect(service.incidents()).toHaveLength(1);
        expect((await morning.run(`create ${file} --new`)).exitCode).toBe(0);
        expect(service.incidents()).toHaveLength(2);
        expect((await morning.run(`apply ${file}`)).exitCode).toBe(0);
        expect(service.incidents()).toHaveLength(2);
      }
    },
  );

  it("may be the incident whose severity was raised", async () => {
    const { id, service } = await spendNight();
    await service.edit(id, { severity: "CRITICAL" });
    const open = machineAt(service, 200);
    const runs = [];
    for (const line of ["apply begun.yaml --dry-run", "apply begun.yaml", "apply begun.yaml"])
      runs.push(await open.run(line));
    const said = ["1 of 1 definition differs from its live incident", "--force writes"];
    for (const run of runs) {
      expect(run).toMatchObject({ exitCode: 11, stdout: expect.stringContaining("drifted") });
      for (const text of said) expect(run.stderr).toContain(text);
    }
    const world = machineAt(service, 300);
    expect(await world.run("apply begun.yaml --allow-drift")).toMatchObject({ exitCode: 0 });
    expect(service.incidents()).toHaveLength(1);
    await service.addUpdate(id, { status: "RESOLVED", description: "Over." });
    for (const file of ["x.yaml", "begun.yaml"])
      expect((await machineAt(service, 100).run(`apply ${file}`)).exitCode).toBe(6);
    expect(service.incidents()).toHaveLength(1);
  });

  it("without an id is another incident under each --key, also where this machine knows none", async () => {
    const service = await open({ ids });
    for (const key of ["deploy-1", "deploy-2"])
      expect((await machineAt(service, 100).run(`create over.yaml --key ${key}`)).exitCode).toBe(0);
    expect(service.incidents()).toHaveLength(2);
  });

  it("is one of two files with its content, and the other is declared with a warning", async () => {
    const { service, world } = await spendNight();
    const { exitCode, stderr } = await world.run("apply open.yaml copy.yaml");
    expect([exitCode, stderr.split("this declares another")]).toEqual([
      0,
      expect.objectContaining({ length: 2 }),
    ]);
    expect(service.incidents()).toHaveLength(2);
  });

  it("is one of two files with its content, also where two runs take it at once", async () => {
    const { service, world } = await spendNight();
    const runs = await Promise.all(["open.yaml", "copy.yaml"].map((file) => world.run(`create ${file}`)));
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(service.incidents()).toHaveLength(2);
  });

  it("posts no update in other words than those of the command", async () => {
    for (const lines of [["corrected.yaml"], ["open.yaml", "corrected.yaml"]]) {
      const { service, world } = await spendNight();
      const runs = [];
      for (const file of lines) runs.push(await world.run(`apply ${file}`));
      expect(runs.map(({ exitCode }) => exitCode)).toEqual(lines.length > 1 ? [0, 11] : [11]);
      expect(runs.at(-1)?.stderr).toContain("give the file the text that is published");
      expect(service.incidents().map(({ incidentUpdates }) => incidentUpdates.length)).toEqual([2]);
    }
  });

  it("is declared with a warning where its first text is another", async () => {
    const { id, service, world } = await spendNight();
    await world.run(`resolve ${id} --message Over.`);
    const { exitCode, stderr } = await world.run("apply reworded.yaml");
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`warning: an incident with the same name is over: ${id} (RESOLVED); this`);
    expect(service.incidents()).toHaveLength(2);
  });

  it("is another incident where it does not tell of the end", async () => {
    const { id, service, world } = await spendNight();
    await world.run(`resolve ${id} --message Over.`);
    expect((await world.run("apply open.yaml")).exitCode).toBe(0);
    expect(service.incidents()).toHaveLength(2);
  });

  it.each(["--key night", "--dedup-key night"])(
    "is the open incident of %s, and gets what it lacks",
    async (flag) => {
      const { service, world } = await spendNight(`create plain.yaml ${flag}`);
      expect((await world.run("apply x.yaml")).exitCode).toBe(0);
      const updates = service.incidents().map((each) => each.incidentUpdates.map(({ status }) => status));
      expect(updates).toEqual([["INVESTIGATING", "IDENTIFIED", "RESOLVED"]]);
    },
  );
});

it.each(["plain.yaml", "plain.yaml --key night"])(
  "a file is the open incident of create %s at a service without a list",
  async (line) => {
    const world = createWorld({ files });
    const { stdout: declared } = await world.run(`create ${line} -o id`);
    const { exitCode, stdout } = await world.run("create open.yaml -o id");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: declared });
    const applied = await world.run("apply open.yaml");
    expect(applied.stdout).toContain("unchanged");
  },
);
