// `incident journal settle` names a create as a person reads it: by its first digits.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id, numberedId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const second = numberedId(2);
const flags = "--settle-for 1s";

/** A declared incident, then `lost` creates whose outcome is not known. */
async function worldWith(lost: readonly string[]) {
  const files = Object.fromEntries(
    [numberedId(9), ...lost].map((each, index) => [
      `${index}.yaml`,
      definitionYaml({ id: each, name: `Outage ${index}` }),
    ]),
  );
  const world = createWorld({ files, faults: ["create#2-9:drop-before-commit"] });
  for (const file of Object.keys(files)) await world.run(`create -f ${file} ${flags}`);
  return world;
}

describe("journal settle", () => {
  it.each([
    [id.slice(0, 8), [id]],
    [id.slice(0, 8), [id, second]],
  ])("settles %s where one uncertain create fits", async (operand, lost) => {
    const world = await worldWith(lost);
    const { exitCode, stderr } = await world.run(`journal settle ${operand} --not-created --yes`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`${operand} is ${id}: Outage 1`);
    expect((await world.run(`journal show ${id} -o json`)).stdout).toContain('"not-created"');
  });

  it.each([
    [numberedId(9).slice(0, 8), [id], "names no incident that is known here"],
    ["7c9", [id], "cannot be an incident's id"],
  ])("refuses %s where none or several fit", async (operand, lost, message) => {
    const world = await worldWith(lost);
    const before = (await world.run("journal list -o json")).stdout;
    const { exitCode, stderr } = await world.run(`journal settle ${operand} --created --yes`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect((await world.run("journal list -o json")).stdout).toBe(before);
  });
});
