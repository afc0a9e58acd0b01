// A document in the shape of another tool: a flat file, a list, a wrapper around the incident, or other names of the
// fields. It gets one diagnostic with the whole definition to copy, in the place of one for each field.
import { type Diagnostic, errorAt, type Locate, type Path } from "../diagnostic.ts";
import { fieldAt } from "../incident/definition.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { placeholder } from "../incident/values.ts";
import { entryOf, fieldsOf, meantField, requiredOf, shapeOf, valuesOf } from "../rules/facts.ts";
import type { Schema } from "../rules/kinds.ts";
import { cutText } from "../text/lengths.ts";
import { plainName } from "../text/suggest.ts";
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
  const unknown = names.filter((name) => name !== "<<" && !fieldsOf(definitionSchema()).includes(name));
  const meant = names.map((name) =>
    unknown.includes(name) ? meantField(name, definitionSchema())?.field : name,
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
  const isForeign = hasShape
    ? foreign.length > 0 && foreign.length + inUpdates.length > 1
    : unknown.length > (unknown.length < names.length ? 1 : 0);
  const [first] = hasShape ? foreign : unknown;
  if (!isForeign || first === undefined) return undefined;
  const listed = [...new Set([...(hasShape ? foreign : unknown), ...inUpdates])].join(", ");
  const message = `these fields have other names or places here: ${cutText(listed, 200)}`;
  return { message, found: [value], at: [first] };
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
  return fieldFor(name) !== undefined && fieldAt(`incidentUpdates[].${name}`) === undefined;
}

function fieldFor(name: string): string | undefined {
  return namedFields.find((field) => namesOf(field).includes(plainName(name)));
}

/** The likeliest first. */
function namesOf(field: string): readonly string[] {
  const row = fieldAt(field) ?? fieldAt(`incidentUpdates[].${field}`);
  return [field, ...(row?.aliases ?? [])].map(plainName);
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

/** The definition with the values of the document, and a placeholder for each that is missing. */
function toDefinition(fields: Fields): unknown {
  const names = Object.keys(fields);
  const others = names.filter((name) => name !== "message");
  // Beside a description, a message is the headline.
  const isHeadline = others.length < names.length && nameIn(others, "description") !== undefined;
  const headline = nameIn(names, "name") ?? (isHeadline ? "message" : "");
  const name = ownValue(fields, headline);
  const { id: _, ...update } = Object.fromEntries(
    Object.entries(fields).filter(([each]) => each !== headline),
  );
  const updates = updatesOf(update);
  const incidentUpdates = updates.length > 0 ? updates : [update];
  return valueAs(definitionSchema(), { ...fields, name, incidentUpdates });
}

/** The value in the form of the schema; undefined for one that it does not accept. */
function valueAs(schema: Schema, value: unknown): unknown {
  const [entry, fields] = [entryOf(schema), Object.entries(shapeOf(schema))];
  if (entry !== undefined)
    return [value ?? placeholder].flat().map((each) => valueAs(entry, each) ?? placeholder);
  if (value === undefined || value === null) return undefined;
  // A service of the catalog is its name.
  if (fields.length > 0 && typeof value === "string") return value;
  if (fields.length > 0 && isMapping(value)) {
    const entries = fields.map(([name, own]) => {
      const field = valueFor(value, name);
      const isNeeded = requiredOf(schema).includes(name) || (valuesOf(own).length > 0 && field !== undefined);
      return [name, valueAs(own, field) ?? (isNeeded ? placeholder : undefined)];
    });
    return Object.fromEntries(entries);
  }
  const forms = isMapping(value) ? [] : [value, String(value), String(value).toUpperCase()];
  return forms.map((each) => schema.safeParse(each)).find(({ success }) => success)?.data;
}
