// A command that is printed repeats its durations, in seconds.
import { expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";

it.each([
  ["10m", "600s"],
  ["90s", "90s"],
  ["1500ms", "1.5s"],
])("a preview repeats --deadline %s as %s", async (typed, repeated) => {
  const files = { "x.yaml": definitionYaml({ id }) };
  const { stderr } = await incident(`create -f x.yaml --dry-run --deadline ${typed}`, { files });
  expect(stderr).toContain(`--deadline ${repeated}`);
});
