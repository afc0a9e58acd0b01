// The columns of a table.
import { expect, it } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";

const terminal = { stdin: true, stdout: true, stderr: true, columns: 80 };
const files = {
  "a.yaml": `id: ${incidentId}\n${definitionYaml({ incidentUpdates: "[{ description: We are looking., notifySubscribers: true }]" })}`,
};

it("headings stand over their columns", async () => {
  const world = createWorld({
    files: { ...files, "b.yaml": definitionYaml({ name: "Search is slow" }) },
    terminal,
    env: { NO_COLOR: "1" },
    sandbox: { onlySpec: false },
  });
  expect((await world.run("create -f a.yaml -f b.yaml --yes")).exitCode).toBe(0);
  const lines = (await world.run("list")).stdout.split("\n");
  const row = lines.find((line) => line.includes(incidentId));
  for (const [heading, cell] of Object.entries({ ID: incidentId, STATUS: "●", SEVERITY: "▲" }))
    expect({ heading, column: lines[0]?.indexOf(heading) }).toEqual({ heading, column: row?.indexOf(cell) });
});
