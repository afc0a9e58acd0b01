// A document in the shape of another tool: a flat file, a list, a wrapper around the incident, or other names of the
// fields. It gets one diagnostic with the whole definition to copy, in the place of one for each field.
import { type Diagnostic, errorAt, type Locate, type Path } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { placeholder } from "../incident/values.ts";
import { formats, isFreeText } from "../rules/formats.ts";
import type { RuleSchema } from "../rules/rule-schema.ts";
import { fieldsOf, meantField, plainName, rulesOf } from "../rules/schema-facts.ts";
import { parseValue } from "../rules/violations.ts";
import { cutText } from "../text/lengths.ts";
import { entriesOf, type Fields, isMapping, ownValue } from "../untrusted-data.ts";
import { renderYaml } from "./yaml/write.ts";

/** The fields that another name can stand for: the first that has a name is meant. */
const namedFields = [
  ...["name", "severity", "services", "status", "description"],
  ...["notifySubscribers", "publicIncidentUpdateDate", "incidentUpdates"],
];

/** The names of the parts in which other tools keep an incident. */
const wrappers = "incident incidents data attributes spec payload definition definitions".split(" ");

/** The most definitions of a list that are written out. */
const maxShown = 3;

interface Shape {
  readonly message: string;
  readonly found: readonly Fields[];
  readonly at: Path;
}

/** Undefined for a document that has the shape of a definition, and at most one field that is not the API's own. */
export function foreignShape(value: unknown, locate: Locate): Diagnostic | undefined {
  const shape = Array.isArray(value) ? listShape(value) : isMapping(value) ? mappingShape(value) : undefined;
  if (shape === undefined) return undefined;
  const { at, found, message } = shape;
  const more = found.length > maxShown ? [`# and ${found.length - maxShown} more`] : [];
  const examples = found.slice(0, maxShown).map((fields) => renderYaml(toDefinition(fields)).trimEnd());
  const hint = `write the definition like this${found.length > 1 ? ', each with a line "---" between' : ""}`;
  const example = [...examples, ...more].join("\n---\n");
  return errorAt(
    at.length > 0 ? "unknown-field" : "wrong-type",
    { message, hint, example },
    locate(at, "key"),
  );
}

function listShape(list: readonly unknown[]): Shape | undefined {
  const found = list.filter(isMapping);
  if (found.length === 0 || found.length < list.length) return undefined;
  return { message: "the document is a list, not a mapping", found, at: [] };
}

function mappingShape(value: Fields): Shape | undefined {
  const names = Object.keys(value);
  const unknown = names.filter((name) => !fieldsOf(definitionRules).includes(name));
  const meant = names.map((name) =>
    unknown.includes(name) ? meantField(name, definitionRules)?.field : name,
  );
  const hasShape = meant.includes("services") || meant.includes("incidentUpdates");
  const wrapped = hasShape ? undefined : unwrap(value);
  if (wrapped !== undefined) {
    const { at, found } = wrapped;
    const message = `the fields of a definition stand at the top level, and not below "${at.join(".")}:"`;
    return { message, found, at: at.slice(0, 1) };
  }
  const foreign = unknown.filter((name) => fieldFor(name) !== undefined);
  const inUpdates = updatesOf(value).flatMap((update) => Object.keys(update).filter(isForeignOfUpdate));
  const others = unknown.filter(
    (name) => !foreign.includes(name) && name !== "<<" && meantField(name, definitionRules) === undefined,
  );
  const most = unknown.length < names.length ? 1 : 0;
  const hasNone = !hasShape && others.length + foreign.length > most;
  const [first = hasNone ? others[0] : undefined] = foreign;
  if (first === undefined || (foreign.length + inUpdates.length < 2 && !hasNone)) return undefined;
  const listed = [...new Set([...foreign, ...inUpdates])].join(", ");
  const parts = [
    ...(listed === "" ? [] : [`these fields have other names or places here: ${listed}`]),
    ...(others.length === 0 || hasShape
      ? []
      : [`a definition has no field ${cutText(others.join(", "), 100)}`]),
  ];
  return { message: parts.join("; "), found: [value], at: [first] };
}

/** The mappings in the parts that other tools wrap around an incident, and the path of the part. */
function unwrap(value: Fields): Omit<Shape, "message"> | undefined {
  for (const name of wrappers) {
    const part = ownValue(value, name);
    const inner = isMapping(part) ? unwrap(part) : undefined;
    if (inner !== undefined) return { ...inner, at: [name, ...inner.at] };
    const found = (isMapping(part) ? [part] : entriesOf(part)).filter(isMapping);
    if (found.length > 0) return { at: [name], found };
  }
  return undefined;
}

function isForeignOfUpdate(name: string): boolean {
  return fieldFor(name) !== undefined && rulesOf(definitionRules, `incidentUpdates[].${name}`) === undefined;
}

function fieldFor(name: string): string | undefined {
  return namedFields.find((field) => namesOf(field).includes(plainName(name)));
}

/** The likeliest first. */
function namesOf(field: string): readonly string[] {
  const rules = rulesOf(definitionRules, field) ?? rulesOf(definitionRules, `incidentUpdates[].${field}`);
  return [field, ...(rules?.["x-aliases"] ?? [])].map(plainName);
}

function updatesOf(fields: Fields): readonly Fields[] {
  return entriesOf(valueFor(fields, "incidentUpdates")).filter(isMapping);
}

function valueFor(fields: Fields, field: string): unknown {
  return ownValue(fields, nameIn(Object.keys(fields), field) ?? "");
}

/** The name that stands for the field among those of a document: its own, else the likeliest other one. */
function nameIn(names: readonly string[], field: string): string | undefined {
  const plain = names.map(plainName);
  const own = namesOf(field).find((each) => plain.includes(each));
  return own === undefined ? undefined : names[plain.indexOf(own)];
}

/** The name of the headline, which is "message" where a document has a description as well. */
function headlineOf(fields: Fields): string | undefined {
  const names = Object.keys(fields);
  const others = names.filter((name) => name !== "message");
  const name = nameIn(names, "name");
  const isMessage = others.length < names.length && nameIn(others, "description") !== undefined;
  return name === undefined && isMessage ? "message" : name;
}

/** The definition with the values of the document, and a placeholder for each that is missing. */
function toDefinition(fields: Fields): unknown {
  const headline = headlineOf(fields);
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== headline));
  const { id: _, ...update } = others;
  const updates = updatesOf(others);
  const incidentUpdates = updates.length > 0 ? updates : [update];
  return valueAs(definitionRules, { ...others, name: ownValue(fields, headline ?? ""), incidentUpdates });
}

/** The value in the form of the rules; undefined for one that they do not accept. */
function valueAs(rules: RuleSchema, value: unknown): unknown {
  const { enum: values, format, items, properties, required = [], type } = rules;
  if (items !== undefined)
    return [value ?? placeholder].flat().map((entry) => valueAs(items, entry) ?? placeholder);
  if (properties !== undefined && isMapping(value)) {
    const entries = Object.entries(properties).map(([name, own]) => {
      const field = valueFor(value, name);
      const isNeeded = required.includes(name) || (own.enum !== undefined && field !== undefined);
      return [name, valueAs(own, field) ?? (isNeeded ? placeholder : undefined)];
    });
    return Object.fromEntries(entries);
  }
  if (type === "boolean" || type === "integer") return parseValue(rules, value, 1).value;
  if (value === undefined || value === null || typeof value === "object") return undefined;
  const text = String(value);
  if (values !== undefined) return values.find((each) => each === text.toUpperCase());
  return format === undefined || isFreeText(format) || formats[format].check(text) ? text : undefined;
}
