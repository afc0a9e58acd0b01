// The body of a create has a limit, which holds before anything is sent, after variables and aliases; and the fault of
// one file does not hide the diagnostics of another.
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { findOversize, maxBodySize } from "../../src/incident/values.ts";
import { checkSources, defaultLoadOptions, type LoadOptions } from "../../src/source/definitions.ts";
import { definitionYaml, serviceYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const head = `name: Checkout fails\nseverity: MAJOR\nservices: [${serviceYaml}]\nincidentUpdates:\n`;
const repeated = (count: number) =>
  `${head}  - description: &text ${"x".repeat(500_000)}\n${"  - description: *text\n".repeat(count)}`;
const variables = `${head}  - description: "${"$".concat("{v}").repeat(200_000)}"\n`;
const limit = "with this, the incident is larger than 1 MiB of JSON (1048576 bytes)";

it.each(["create -f a.yaml", "validate a.yaml"])(
  "%s refuses what aliases and variables make larger than 1 MiB",
  async (line) => {
    for (const [text, more, place] of [
      [repeated(900), "", "a.yaml:7:18"],
      [variables, ` --var v=${"y".repeat(4000)}`, "a.yaml:5:"],
    ] as const) {
      const { exitCode, requests, stderr } = await incident(line + more, { files: { "a.yaml": text } });
      expect({ exitCode, requests }, stderr.slice(0, 500)).toEqual({ exitCode: 3, requests: [] });
      expect(stderr).toContain(limit);
      expect(stderr).toContain("[body-too-large]");
      expect(stderr).toContain(place);
    }
  },
);

it("measures the body as it is sent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: -3, max: 3 }), (text, more) => {
      const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
      const definition = (description: string) =>
        ({
          id,
          name: text,
          severity: "MAJOR",
          services: [{ name: text, id }],
          incidentUpdates: [{ description }],
        }) as Definition;
      const sizeOf = (each: Definition) => Buffer.byteLength(JSON.stringify(createBody(each, id, id)));
      const filled = definition("x".repeat(maxBodySize - sizeOf(definition("")) + more));
      expect(sizeOf(filled)).toBe(maxBodySize + more);
      // The limit may count a comma too many in each list and mapping.
      if (more > 0) expect(findOversize(createBody(filled, id, id))).toBeDefined();
      const smaller = definition(filled.incidentUpdates[0]?.description.slice(10) as string);
      expect(findOversize(createBody(smaller, id, id))).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

it.each(["priority", "impact", "level"])(
  "a mapping as %s hides no diagnostic of another file",
  async (field) => {
    const foreign = `{"title": "x", "${field}": {"id": "P"}, "state": {"a": 1}, "components": [{"id": {"b": 2}}]}`;
    const files = { "a.json": foreign, "b.yaml": definitionYaml({ severity: "major" }) };
    const { exitCode, stderr } = await incident("validate a.json b.yaml", { files });
    expect(exitCode, stderr).toBe(3);
    expect(stderr).toContain("these fields have other names or places here: title");
    expect(stderr).toContain("b.yaml:");
    expect(stderr).not.toContain("this is a bug");
  },
);

it("a fault in a file is a diagnostic of it alone", () => {
  const files = { "a.yaml": definitionYaml(), "b.yaml": definitionYaml({ severity: "major" }) };
  const sources = Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
  const options: LoadOptions = {
    ...defaultLoadOptions(),
    contract: (value) => {
      if ((value as { severity: string }).severity === "major") return [];
      throw new TypeError("Invalid string length");
    },
  };
  expect(checkSources(sources, options).diagnostics).toMatchObject([
    {
      code: "fault",
      message: "this file could not be checked: Invalid string length",
      location: { file: "a.yaml" },
    },
    { code: "unknown-severity", location: { file: "b.yaml" } },
  ]);
});

it("a mapping as an id is reported", async () => {
  const files = { "a.yaml": definitionYaml({ id: "{ a: {} }" }) };
  const { exitCode, stderr } = await incident("validate a.yaml", { files });
  expect(exitCode, stderr).toBe(3);
  expect(stderr).toContain("[wrong-type]");
});
