// The published document before a linter that knows OpenAPI 3.1 and nothing of this project.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openapi } from "../../src/sandbox/openapi.ts";

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // The API's description names no licence.
      "info-license": "off",
      // It shows the id of one operation, and none for the create (spec 4.2).
      "operation-operationId": "off",
    },
  });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

it("is a correct OpenAPI 3.1 document by the linter's strict rules", async () => {
  expect(await lint(openapi)).toEqual([]);
});

it("would not pass with a schema that is not there, or a misspelt field", async () => {
  const { Incident: _, ...others } = openapi.components.schemas;
  const broken = { ...openapi, components: { ...openapi.components, schemas: others } };
  expect((await lint(broken)).join()).toContain("no-unresolved-refs");
  expect((await lint({ ...openapi, pahts: {} })).join()).toContain("pahts");
});
