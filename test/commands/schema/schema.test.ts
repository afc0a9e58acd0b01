// The schema that editors read: a validator takes it, and it refuses what validate refuses.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { DiagnosticCode } from "../../../src/diagnostic.ts";
import { checkSources } from "../../../src/source/definitions.ts";
import { definitionYaml, serviceId } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";

/** The codes that JSON Schema can express for valid YAML, which has no calendar. The catalog and the variables are not in the file. */
const expressible: readonly DiagnosticCode[] = [
  "wrong-type",
  "unknown-field",
  "missing-field",
  "unknown-severity",
  "unknown-status",
  "name-too-long",
  "blank-text",
  "empty-list",
  "not-a-guid",
  "not-a-date-time",
  "not-a-whole-number",
];

const fixtures = new URL("../../../fixtures/", import.meta.url);

function codesOf(text: string): DiagnosticCode[] {
  const { diagnostics } = checkSources([{ file: "x.yaml", bytes: new TextEncoder().encode(text) }]);
  return diagnostics.map(({ code }) => code);
}

function textsOf(folder: URL): (readonly [string, string])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const);
}

const { exitCode, requests, stderr, stdout } = await incident("schema");
const schema = JSON.parse(stdout);
const ajv = new Ajv({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  keywords: ["patternErrorMessage"],
});
const validate = ajv.compile(schema);

/** Where the documents of the text are wrong. */
const placesIn = (text: string) =>
  parseAllDocuments(text).flatMap((document) => {
    validate(document.toJS());
    return (validate.errors ?? []).map(({ instancePath }) => instancePath);
  });

describe("incident schema", () => {
  it("prints JSON Schema, and sends nothing", () => {
    expect({ exitCode, stderr, requests }).toEqual({ exitCode: 0, stderr: "", requests: [] });
  });

  it("refuses each file that validate refuses for what a schema can express", () => {
    const wrong = textsOf(new URL("invalid/", fixtures)).filter(([, text]) => {
      const codes = codesOf(text);
      return codes.length > 0 && codes.every((code) => expressible.includes(code));
    });
    expect(wrong.length).toBeGreaterThan(20);
    expect(wrong.filter(([, text]) => placesIn(text).length === 0)).toEqual([]);
  });

  it("accepts each file that validate accepts", () => {
    for (const [name, text] of textsOf(fixtures)) expect([name, placesIn(text)]).toEqual([name, []]);
  });

  it("accepts a variable, and refuses a date with other months and days", () => {
    const day = (date: string) => `created_at: ${date}\n`;
    const text = definitionYaml({
      id: "${id}",
      severity: "${severity}",
      services: "[{ name: '${name}', id: '${service}' }, '${other}']",
      incidentUpdates:
        "[{ status: '${status}', description: '${text}', publicIncidentUpdateDate: '${at}', created_at: '${day}' }]",
    });
    for (const date of ["2024-02-29", "2000-02-29", "2026-12-31", "${day}"])
      expect(placesIn(text + day(date))).toEqual([]);
    for (const date of ["2026-13-01", "2026-00-10", "2026-04-32", "2026-4-1"])
      expect([...new Set(placesIn(text + day(date)))]).toEqual(["/created_at"]);
  });

  it("accepts the output of incident new, names of the catalog, and each date-time that validate accepts", async () => {
    const { stdout } = await incident("new");
    const text = stdout.replace("id: CHANGEME", `id: ${serviceId}`).replaceAll(": CHANGEME", ": Checkout");
    const at = (date: string) => `- { description: x, publicIncidentUpdateDate: "${date}" }\n`;
    const updates = ["2026-03-01T09:30Z", "2026-03-01T09:30:00.5+01:00"].map(at).join("");
    for (const each of [
      text,
      text.replace(/^services:\n( .*\n)+/m, "services: [checkout]\n"),
      text.replace(/^incidentUpdates:.*/ms, `incidentUpdates:\n${updates}`),
    ])
      expect([each, placesIn(each)]).toEqual([each, []]);
  });

  it("has words in the place of each pattern, which an editor shows", () => {
    const patterns: Record<string, string>[] = [];
    JSON.parse(stdout, (_, value) => {
      if (value?.pattern !== undefined) patterns.push(value);
      return value;
    });
    const silent = patterns.filter(
      ({ patternErrorMessage = "" }) => !/^Write [\w .,:-]+\.$/.test(patternErrorMessage),
    );
    // An editor shows what the other choices of a service say.
    expect(silent.map(({ description }) => description)).toEqual([
      "The name of a service in the catalog, services: in .incident.yaml.",
    ]);
    expect(patterns.length).toBeGreaterThan(10);
  });

  it("describes each field, and offers no id, which would be the same for each definition", () => {
    for (const { description } of Object.values<{ description: string }>(schema.properties))
      expect(description).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(schema.properties.id)).not.toContain("examples");
    expect(schema.properties.severity.anyOf[0]).toEqual({ enum: ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] });
  });
});
