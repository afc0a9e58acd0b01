// Checks the published document with an independent OpenAPI 3.1 linter.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openapi, wholeOpenapi } from "../../src/sandbox/openapi.ts";

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // The API's description has no license.
      "info-license": "off",
      // It has an operation id for the read but none for the create (spec 4.2).
      "operation-operationId": "off",
    },
  });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

it.each([
  ["the spec", openapi],
  ["all operations", wholeOpenapi],
])("passes the strict rules of the linter: the document of %s", async (_name, document) => {
  expect(await lint(document)).toEqual([]);
});

it("fails with a missing schema or a misspelled field", async () => {
  const { Incident: _, ...others } = openapi.components.schemas;
  const broken = { ...openapi, components: { ...openapi.components, schemas: others } };
  expect((await lint(broken)).join()).toContain("no-unresolved-refs");
  expect((await lint({ ...openapi, pahts: {} })).join()).toContain("pahts");
});
