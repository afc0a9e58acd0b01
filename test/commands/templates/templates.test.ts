// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TemplateVariable } from "../../../src/source/templates/read-template.ts";
import { incident } from "../../harness/incident.ts";
import { anyCharacter } from "../../text/any-character.ts";
import { sentBody } from "../sample-definition.ts";

const project = `services:
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  search: { name: Search, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c }
`;
const variables = `variables:
  region: { values: { eu: Europe, us: America } }
  service: { values: { search: search }, otherwise: checkout }
  alerts.0.summary: { maxLength: 40 }
  ticket: { otherwise: "" }
`;
const definition = `name: "\${service} fails in \${region}: \${alerts.0.summary}"
severity: MAJOR
services: ["\${service}"]
incidentUpdates:
  - description: "We are looking into it: \${alerts.0.summary} \${ticket}"
`;
const template = `${variables}---\n${definition}`;
const files = { ".incident.yaml": project, "incident-templates/api-down.yaml": template };
const given = "--var region=eu --var alerts.0.summary=Slow";

describe("create --template", () => {
  it("declares the definition with its values", async () => {
    const { exitCode, requests } = await incident(`create --template api-down ${given} --var ticket=OPS-7`, {
      files,
    });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({
      name: "checkout fails in Europe: Slow",
      services: [{ name: "Checkout" }],
      incidentUpdates: [{ description: "We are looking into it: Slow OPS-7" }],
    });
  });

  it("cuts a long value to the limit of its variable, and the name to its own, with a warning for each", async () => {
    const long = "x".repeat(5000);
    const wide = variables.replace("maxLength: 40", "maxLength: 400");
    const { requests, stderr } = await incident(
      `create --template api-down --var region=eu --var alerts.0.summary=${long}`,
      { files: { ...files, "incident-templates/api-down.yaml": `${wide}---\n${definition}` } },
    );
    const { name, incidentUpdates } = sentBody(requests) as {
      name: string;
      incidentUpdates: { description: string }[];
    };
    expect([...name]).toHaveLength(255);
    expect(name.endsWith("x…")).toBe(true);
    expect(stderr).toContain("warning: the variable alerts.0.summary has 5000 characters: it is cut\n");
    expect(stderr).toContain("warning: name has 426 characters: it is cut to 255 [name-too-long]\n");
    expect(incidentUpdates[0]?.description).toBe(`We are looking into it: ${"x".repeat(399)}… `);
  });

  it("reads the folder that the project names", async () => {
    const { exitCode } = await incident(`create --template down ${given}`, {
      files: {
        ".incident.yaml": `templates: on-call/templates\n${project}`,
        "on-call/templates/down.yml": template,
      },
    });
    expect(exitCode).toBe(0);
  });

  it("cannot be changed in its structure by any value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 300 }), async (value) => {
        const { exitCode, requests, stderr } = await incident("create --template api-down --vars - -o json", {
          files,
          stdin: JSON.stringify({ region: "eu", alerts: [{ summary: value }] }),
        });
        expect([0, 2, 3], stderr).toContain(exitCode);
        if (exitCode !== 0) return;
        const body = sentBody(requests) as Record<string, unknown>;
        expect(Object.keys(body).sort()).toEqual(["id", "incidentUpdates", "name", "services", "severity"]);
        expect(body).toMatchObject({
          severity: "MAJOR",
          services: [{ name: "Checkout" }],
          incidentUpdates: [{}],
        });
        expect(body.name).not.toMatch(/[\r\n\t]/);
      }),
      { numRuns: 25 },
    );
  });
});

it.each([
  ["groupKey", "t.yaml:1:11: dedupKey has no variable, so that each alert has the incident of the first one"],
  ['"${groupKey}"', undefined],
])("a rule with the key %s declares, and validate warns where all alerts have it", async (key, warning) => {
  const rule = `dedupKey: ${key}\nvariables: { region: { otherwise: Europe } }\n---\nname: Slow in \${region}\n`;
  const body = definition
    .split("\n")
    .slice(1)
    .join("\n")
    .replaceAll(/\$\{service\}/g, "checkout");
  const text = rule + body.replace(/: \$\{.*"/, '"');
  const world = { files: { ".incident.yaml": project, "incident-templates/t.yaml": text } };
  const checked = await incident("validate", world);
  expect(checked).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning ?? "") });
  expect(checked.stderr.includes("bad-dedup-key")).toBe(warning !== undefined);
  const declared = await incident("create --template t --var groupKey=a", world);
  expect(declared, declared.stderr).toMatchObject({ exitCode: 0 });
});

it("docs/definitions.md has a row for every field of a variable", () => {
  const every = { values: 0, otherwise: 0, maxLength: 0 } satisfies Record<keyof TemplateVariable, 0>;
  const document = readFileSync(new URL("../../../docs/definitions.md", import.meta.url), "utf8");
  const rows = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(expect.arrayContaining(Object.keys(every)));
});
