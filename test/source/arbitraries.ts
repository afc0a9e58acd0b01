// Arbitraries for property tests: valid definitions, their notations, and mutations of every fixture.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import type { Definition } from "../../src/incident/definition.ts";
import { severities, statuses } from "../../src/incident/values.ts";
import { escapeVariables } from "../../src/source/variables.ts";
import { renderYaml } from "../../src/source/yaml/write.ts";

const guid = fc.uuid();
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((part) => `x${part}`);

/** On one line. */
const headline = text.map((part) => part.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "-"));

const distinct: fc.Arbitrary<Definition> = fc.record(
  {
    name: headline,
    severity: fc.constantFrom(...severities),
    services: fc.array(fc.record({ id: guid, name: text }), { minLength: 1, maxLength: 3 }),
    incidentUpdates: fc.array(
      fc.record(
        { description: text, status: fc.constantFrom(...statuses), notifySubscribers: fc.boolean() },
        { requiredKeys: ["description"] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    id: guid,
    duration: fc.maxSafeInteger(),
    created_at: fc.constantFrom("2024-02-29", "2026-12-31"),
  },
  { requiredKeys: ["name", "severity", "services", "incidentUpdates"] },
);

/** Valid definitions; some have a service twice. */
export const definitions = fc
  .tuple(distinct, fc.boolean())
  .map(([definition, twice]) =>
    twice
      ? { ...definition, services: [...definition.services, ...definition.services.slice(0, 1)] }
      : definition,
  );

/** The value with its strings escaped, so that none contains a variable. */
function literal(definition: Definition): Definition {
  return escapeVariables(definition) as Definition;
}

function yaml(definition: Definition): string {
  return renderYaml(literal(definition));
}

function json(definition: Definition, indentation?: number): string {
  return JSON.stringify(literal(definition), undefined, indentation);
}

/** Flow style with every string in single quotes. */
function quoted(value: unknown): string {
  if (typeof value === "string")
    return /[^\P{C} ]/u.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
  if (Array.isArray(value)) return `[ ${value.map(quoted).join(" , ")} ]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, field]) => `'${name}': ${quoted(field)}`)
    .join(", ")} }`;
}

/** An anchor for each field, and an alias for a repeated service. */
function anchored(definition: Definition): string {
  const { services, ...fields } = literal(definition);
  const [first, ...others] = services.map((service) => JSON.stringify(service));
  const list = [`&first ${first}`, ...others.map((other) => (other === first ? "*first" : other))];
  const lines = Object.entries(fields).map(([name, field]) => `${name}: &${name} ${JSON.stringify(field)}\n`);
  return `${lines.join("")}services: [${list.join(", ")}]\n`;
}

export const notations: Readonly<Record<string, (definition: Definition) => string>> = {
  "block style": yaml,
  JSON: (definition) => json(definition),
  "indented JSON": (definition) => json(definition, 2),
  CRLF: (definition) => yaml(definition).replaceAll("\n", "\r\n"),
  "a byte order mark": (definition) => `\uFEFF${yaml(definition)}`,
  comments: (definition) => `# why\n---\n${json(definition)} # there\n...\n`,
  "flow style and single quotes": (definition) => `${quoted(literal(definition))}\n`,
  anchors: anchored,
};

const folders = ["../../fixtures/", "../../fixtures/invalid/"].map((path) => new URL(path, import.meta.url));
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(new URL(name, folder))),
);

/** Fragments with a meaning in YAML. */
const fragments = [
  ..."\n¦  ¦\t¦: ¦:¦- ¦,¦[¦]¦{¦}¦\"¦'¦''¦&a ¦*a¦!x ¦|\n¦>-\n¦#¦ #¦---\n¦---¦...\n¦%".split("¦"),
  ..."\0¦\r¦\r\n¦é¦🚨¦$¦${x}¦${x:-y}¦$${¦? ¦<<: ¦null¦~¦1¦0x1¦1e3¦1_0¦.5¦true¦@¦`¦\\¦\\n¦duration: 5\n".split(
    "¦",
  ),
];

const splice = fc.record({ at: fc.nat(), remove: fc.nat(6), insert: fc.constantFrom("", ...fragments) });

/** A fixture with up to four replaced pieces. */
export const mutation = fc
  .tuple(fc.constantFrom(...files), fc.array(splice, { minLength: 1, maxLength: 4 }))
  .map(([file, splices]) =>
    splices.reduce((before, { at, remove, insert }) => {
      const from = at % (before.length + 1);
      return Buffer.concat([before.subarray(0, from), Buffer.from(insert), before.subarray(from + remove)]);
    }, file),
  );
