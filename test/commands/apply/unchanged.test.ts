// `incident apply` where nothing is new.
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
