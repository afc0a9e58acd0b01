// What carries a request: who sends it.
import { expect, it } from "vitest";
import { version } from "../../src/version.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it.each([`get ${id}`, "doctor", "create -f x.yaml"])("each request of %s names its sender", async (line) => {
  const files = { "x.yaml": definitionYaml({ id }) };
  const { requests } = await incident(line, { files });
  expect(requests.length).toBeGreaterThan(0);
  for (const { headers } of requests)
    expect(headers).toMatchObject({ "user-agent": `incident-cli/${version}` });
});
