// Texts of alerts are untrusted: none changes the structure of the definition that a template makes of it, exceeds a
// bound, breaks the line of a table, or controls a terminal. Pure functions, from the body of the webhook to the screen.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBody } from "../src/incident/create-body.ts";
import { maxNameLength } from "../src/incident/values.ts";
import { incidentFacts } from "../src/incident/wire.ts";
import type { LocatedDefinition } from "../src/source/definitions.ts";
import { chooseTexts, fillTemplate } from "../src/source/templates/fill-template.ts";
import { readTemplate, type Template } from "../src/source/templates/read-template.ts";
import { escapeVariables } from "../src/source/variables/replace-variables.ts";
import { readVariables } from "../src/source/variables/variable-files.ts";
import { parseDocuments } from "../src/source/yaml/read.ts";
import { renderYaml } from "../src/source/yaml/write.ts";
import { renderIncident, renderIncidents } from "../src/view/incident.ts";
import { colors } from "../src/view/terminal/chalk.ts";
import { createStyle, noColors } from "../src/view/terminal/style.ts";
import { incidentId as id } from "./harness/builders.ts";
import { findUnsafe } from "./harness/safe-output.ts";

const seed = Number(process.env.ALERT_SEED ?? Date.now() % 2_147_483_647);

/** Three texts each. */
const bodies = Number(process.env.FUZZ_RUNS ?? 300);

/** The syntax of YAML, JSON, variables, terminals, logs, Markdown and HTML. */
const fragments = [
  ..."\n|\r\n|\r|\t|\n---\n|\n...\n|\0|\u0007|\b|\u001b[2J|\u001b]0;t\u0007|\u009b31m|\u2028|\u2029|\u0085".split(
    "|",
  ),
  ..."\u200b|\u200d|\u202e|\u2066|\ufeff|\u{e0041}|\ud800|\udfff|\ufffe|👩‍💻|e\u0301|🇩🇪".split("|"),
  ..."${commonLabels.region}|${|$${|}|$|: |- |? |# |'|\"|`|{|[|]|}|,|&a |*a|!!js |%YAML 1.1|<<: ".split("|"),
  ..."severity: CRITICAL|\nservices: []|\nid: x|__proto__|constructor|null|~|yes|0x1f|1e999".split("|"),
  ..."::add-mask::|##[group]|##vso[|<script>|&lt;|](x)|@all|\\u001b|\\|\\n| |".split("|"),
];

/** Longer than the bounds of the template. */
const long = ["x".repeat(300), "決".repeat(1100)];

const fragment = fc.constantFrom(...fragments);
const text = fc
  .oneof(
    { weight: 8, arbitrary: fc.array(fragment, { maxLength: 8 }) },
    {
      weight: 8,
      arbitrary: fc.array(fc.oneof(fragment, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 6 }),
    },
    { weight: 1, arbitrary: fc.tuple(fragment, fc.constantFrom(...long), fragment) },
  )
  .chain((parts) => fc.constantFrom(parts.join(""), `Payments fail ${parts.join("")}`));

/** It publishes what the alert says. */
const rule = `when: { status: firing }
dedupKey: "\${groupKey}"
variables:
  commonLabels.region: { otherwise: all regions, maxLength: 40 }
  commonLabels.severity: { values: { critical: CRITICAL, page: CRITICAL, warning: MAJOR }, otherwise: MAJOR }
  commonAnnotations.summary:
    maxLength: 160
    otherwise: "\${groupLabels.alertname:-An alert}"
  commonAnnotations.description: { maxLength: 1000, otherwise: "" }
---
name: "\${commonAnnotations.summary} (\${commonLabels.region})"
severity: \${commonLabels.severity}
services:
  - name: Checkout
    id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b
incidentUpdates:
  - status: INVESTIGATING
    description: |
      \${commonAnnotations.summary}. We are looking for the cause.

      \${commonAnnotations.description}
`;

const template = read("incident-templates/alertmanager.yaml");

function read(file: string): Template {
  const bytes = new TextEncoder().encode(rule);
  const { diagnostics, template: found } = readTemplate({ file, bytes });
  if (found === undefined || diagnostics.length > 0) throw new Error(`${file} is no template`);
  return found;
}

interface Texts {
  readonly region: string;
  readonly summary: string;
  readonly description: string;
}

/** As `create --template alertmanager --vars FILE` does. Undefined where it is refused. */
function definitionOf({ description, region, summary }: Texts): LocatedDefinition["definition"] | undefined {
  const body = {
    groupKey: summary,
    commonLabels: { [summary]: region, severity: "critical", region },
    commonAnnotations: { summary, description, [region]: summary },
  };
  const source = { file: "alert.json", bytes: new TextEncoder().encode(JSON.stringify(body)) };
  const { diagnostics, values } = readVariables(source);
  if (diagnostics.length > 0) return undefined;
  const chosen = chooseTexts(template, values);
  if (!("texts" in chosen)) return undefined;
  const options = {
    variables: { values, used: new Set<string>() },
    catalog: () => ({}) as never,
    checkDeadline: () => undefined,
  };
  return fillTemplate(template, chosen.texts, options).definition?.definition;
}

/** The value with each text at one of these places replaced. */
function structureOf(definition: unknown): string {
  return JSON.stringify(definition, (key, value) =>
    (key === "name" && value !== "Checkout") || key === "description" ? "…" : value,
  );
}

/** With colours and wrapped lines, and without. */
const styles = [true, false].map((isTerminal) => ({
  isTerminal,
  style: createStyle({
    columns: 80,
    color: isTerminal ? colors : noColors,
    localOffset: () => 60,
  }),
}));

const plain = definitionOf({ region: "eu", summary: "Payments fail", description: "5 %." });

function checkTexts(texts: Texts): boolean {
  const definition = definitionOf(texts);
  if (definition === undefined) return false;
  expect(structureOf(definition)).toBe(structureOf(plain));
  expect([...definition.name].length).toBeLessThanOrEqual(maxNameLength);
  expect(definition.name).not.toMatch(/[\r\n\t]/);
  // Written to a file, it is the same definition.
  const written = parseDocuments(renderYaml(escapeVariables(definition)), "written.yaml");
  expect(written.diagnostics).toEqual([]);
  expect(structureOf(written.documents.map(({ value }) => value))).toBe(structureOf([plain]));
  const incident = incidentFacts({ ...createBody(definition, id, undefined), id });
  for (const { isTerminal, style } of styles) {
    const table = renderIncidents(style, [incident, incident]);
    // A terminal wraps a long name.
    if (!isTerminal) expect(table.split("\n").length).toBe(4);
    for (const shown of [table, renderIncident(style, incident)])
      expect(findUnsafe(shown, isTerminal)).toBeUndefined();
  }
  return true;
}

describe("the text of an alert", () => {
  it(`changes no structure and controls no terminal, for ${3 * bodies} texts (ALERT_SEED=${seed})`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.record({ region: text, summary: text, description: text }), (texts) => {
        if (checkTexts(texts)) accepted += 1;
      }),
      { numRuns: bodies, seed },
    );
    expect(accepted).toBeGreaterThan(bodies / 2);
  });
});
