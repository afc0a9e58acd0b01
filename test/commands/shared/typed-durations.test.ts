// A command that is printed has its durations in the unit of a person.
import { expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";

it.each(["10m", "90s", "1500ms", "2h"])("a preview repeats --deadline %s as it was typed", async (typed) => {
  const files = { "x.yaml": definitionYaml({ id }) };
  const { stderr } = await incident(`create -f x.yaml --dry-run --deadline ${typed}`, { files });
  expect(stderr).toContain(`--deadline ${typed}`);
});
