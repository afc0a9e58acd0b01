// The schema in a real language server, and in a validator.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DiagnosticCode } from "../../../src/diagnostic.ts";
import { checkSources } from "../../../src/source/definitions.ts";
import { definitionYaml, serviceId } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";
import { type EditorPosition, type LanguageServer, startYamlServer } from "../../harness/language-server.ts";

/** The codes that JSON Schema can express for valid YAML. The catalog and the variables are not in the file. */
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
  "not-a-date",
  "not-a-date-time",
  "not-a-whole-number",
];

const fixtures = new URL("../../../fixtures/", import.meta.url);

function diagnosticsOf(text: string) {
  return checkSources([{ file: "x.yaml", bytes: new TextEncoder().encode(text) }]).diagnostics;
}

function textsOf(folder: URL): (readonly [string, string])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  return names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const);
}

const wrong = textsOf(new URL("invalid/", fixtures)).filter(([name, text]) => {
  const diagnostics = diagnosticsOf(text);
  // The server reads a merge key as in YAML 1.1.
  const isShared =
    diagnostics.every(({ code }) => expressible.includes(code)) && name !== "unknown-field-merge-key.yaml";
  return isShared && diagnostics.length > 0;
});

describe("an editor with the schema", () => {
  let server: LanguageServer;
  const folder = mkdtempSync(join(tmpdir(), "incident-schema-"));
  let opened = 0;
  beforeAll(async () => {
    server = await startYamlServer({ validate: true, schemaStore: { enable: false } });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server?.stop();
  });

  /** A new file under the line of `incident new` that refers to the schema, which lies beside it. */
  async function newFile(text: string) {
    if (opened === 0) writeFileSync(join(folder, "incident.schema.json"), (await incident("schema")).stdout);
    const [modeline] = (await incident("new")).stdout.split("\n");
    return [pathToFileURL(join(folder, `${++opened}.yaml`)).href, `${modeline}\n${text}`] as const;
  }

  /** What the editor underlines. */
  const open = async (text: string) => server.check(...(await newFile(text)));

  /** The texts that the editor offers to insert. */
  const complete = async (text: string, position: EditorPosition) =>
    server.complete(...(await newFile(text)), position);

  it.each(wrong)("underlines the diagnostics of validate in %s", async (_, text) => {
    const diagnostics = diagnosticsOf(text);
    const underlined = await open(text);
    const names = diagnostics.filter(({ code }) => code === "unknown-field");
    // Only validate reports a misspelt field and the missing one as one mistake.
    const other = underlined.filter(
      ({ message }) => names.length === 0 || !message.startsWith("Missing property"),
    );
    const lines = other.map(({ range }) => range.start.line);
    const own = new Set(diagnostics.map(({ location }) => location.start.line));
    // Only validate reports the shape of another tool as one mistake, with the whole definition.
    if (diagnostics.some(({ example }) => example !== undefined))
      expect([...lines]).toEqual(expect.arrayContaining([...own]));
    else expect(new Set(lines)).toEqual(own);
    expect(lines.length).toBeGreaterThan(0);
  });

  it.each(textsOf(fixtures))("underlines nothing in %s", async (_, text) => {
    expect(await open(text)).toEqual([]);
  });

  it("shows no regular expression", async () => {
    const texts = ["id: 1-2", "created_at: 2026-02-30", 'name: " "', "services: [{ name: x, id: y }]"];
    for (const text of texts) {
      const messages = (await open(text)).map(({ message }) => message);
      expect(messages.filter((message) => !message.startsWith("Missing property"))).toEqual([
        expect.stringMatching(/^Write [\w .,:-]+\.$/),
      ]);
    }
  });

  it("underlines no variable, and the date that the calendar does not have", async () => {
    const day = (date: string) => `created_at: ${date}\n`;
    const text = definitionYaml({
      id: "${id}",
      severity: "${severity}",
      services: "[{ name: '${name}', id: '${service}' }, '${other}']",
      incidentUpdates:
        "[{ status: '${status}', description: '${text}', publicIncidentUpdateDate: '${at}', created_at: '${day}' }]",
    });
    for (const date of ["2024-02-29", "2000-02-29", "2026-12-31", "${day}"]) {
      expect(await open(text + day(date))).toEqual([]);
    }
    for (const date of ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01"]) {
      expect(await open(text + day(date))).toMatchObject([
        { message: "Write a date of the calendar, as YYYY-MM-DD." },
      ]);
    }
  });

  it("completes a field without the same id for each definition", async () => {
    const fields = await complete("", { line: 1, character: 0 });
    expect(fields).toContain("id: ");
    expect(await complete("id: ", { line: 1, character: 4 })).toEqual([]);
    expect((await complete("severity: ", { line: 1, character: 10 })).toSorted()).toEqual([
      "CRITICAL",
      "MAJOR",
      "MEDIUM",
      "MINOR",
    ]);
  });

  /** The output of `incident new` with its placeholders replaced. */
  async function newDefinition(): Promise<string> {
    const { stdout } = await incident("new");
    return stdout.replace("id: CHANGEME", `id: ${serviceId}`).replaceAll(": CHANGEME", ": Checkout");
  }

  it("underlines nothing in the output of incident new, and accepts names of the catalog", async () => {
    const stdout = await newDefinition();
    expect(await open(stdout)).toEqual([]);
    expect(await open(stdout.replace(/^services:\n( .*\n)+/m, "services: [checkout]\n"))).toEqual([]);
  });

  it("underlines no date-time that validate accepts", async () => {
    const dates = ["2026-03-01T09:30Z", "2026-03-01T09:30:00.5+01:00"];
    const updates = dates
      .map((date) => `- { description: x, publicIncidentUpdateDate: "${date}" }\n`)
      .join("");
    const stdout = await newDefinition();
    expect(await open(stdout.replace(/^incidentUpdates:.*/ms, `incidentUpdates:\n${updates}`))).toEqual([]);
  });
});

describe("incident schema", () => {
  it("prints JSON Schema that a validator compiles", async () => {
    const { exitCode, stdout, stderr, requests } = await incident("schema");
    expect({ exitCode, stderr, requests }).toEqual({ exitCode: 0, stderr: "", requests: [] });
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, keywords: ["patternErrorMessage"] });
    const check = ajv.compile(JSON.parse(stdout));
    const definition = {
      name: "x",
      severity: "MAJOR",
      services: ["checkout", { name: "x", id: serviceId }],
      incidentUpdates: [{ description: "x" }],
    };
    expect(check(definition)).toBe(true);
    expect(check({ ...definition, severity: "major" })).toBe(false);
    expect(check({ ...definition, title: "x" })).toBe(false);
  });

  it("describes each field", async () => {
    const { properties } = JSON.parse((await incident("schema")).stdout);
    for (const { description } of Object.values<{ description: string }>(properties)) {
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });
});
