// A document in the shape of another tool: a flat file, a list, a wrapper around the incident, or other field names. It gets one
// diagnostic with the whole definition to copy, instead of one for each field.
import type { Path, Problem } from "../diagnostic.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { placeholder } from "../incident/values.ts";
import { type Schema, schemaOf, type Zod } from "../rules/kinds.ts";
import { aliased, meantField, namesOf, requiredOf, schemaAt } from "../rules/messages.ts";
import { cutText } from "../text/lengths.ts";
import { plainName } from "../text/suggest.ts";
import { entriesOf, type Fields, fieldOf, isMapping, ownValue } from "../untrusted-data.ts";
import { renderYaml } from "./yaml/write.ts";

const wrappers = "incident incidents data attributes spec payload definition definitions".split(" ");

/** Undefined for a document that has the shape of a definition, and at most one field that is not the API's own. */
export function foreignShape(value: unknown): Problem | undefined {
  const at = isMapping(value) && !hasShape(value) ? wrappersOf(value) : [];
  const part = at.reduce(fieldOf, value);
  const found = [part].flat();
  if (found.length === 0 || !found.every(isMapping)) return undefined;
  const names = at.length === 0 && isMapping(part) ? foreignNames(part) : [];
  const [name = at[0]] = names;
  if (!Array.isArray(part) && name === undefined) return undefined;
  const messageOf = () => {
    if (at.length > 0)
      return `the fields of a definition stand at the top level, and not below "${at.join(".")}:"`;
    if (name === undefined) return "the document is a list, not a mapping";
    const listed = cutText([...new Set(names)].join(", "), 200);
    return `these fields have other names or places here: ${listed}`;
  };
  const message = messageOf();
  const alertAdvice = "read an alert with incident create --template NAME --vars FILE, or ";
  const ofAlert = names.includes("alerts") ? alertAdvice : "";
  const ofOne = `${ofAlert}write the definition like this`;
  const ofSeveral = 'write each definition like this, with a line "---" between two';
  const hint = found.length > 1 ? ofSeveral : ofOne;
  const example = renderYaml(toDefinition(found[0] as Fields)).trimEnd();
  if (name === undefined) return { code: "wrong-type", message, hint, example, path: [] };
  return { code: "unknown-field", message, hint, example, path: [name], part: "key" };
}

/** The path of the mapping or of the list of mappings that other tools wrap. */
function wrappersOf(value: Fields): Path {
  for (const name of wrappers) {
    const part = ownValue(value, name);
    const inner = isMapping(part) ? wrappersOf(part) : [];
    if (isMapping(part) || entriesOf(part).some(isMapping)) return [name, ...inner];
  }
  return [];
}

/** Whether a mapping has services or updates, under any name. */
function hasShape(fields: Fields): boolean {
  const names = Object.keys(fields).map((name) => meantField(name, schemaOf(definitionSchema()))?.field);
  return names.includes("services") || names.includes("incidentUpdates");
}

/** The fields that are not the API's own; none where each is better reported alone. */
function foreignNames(fields: Fields): readonly string[] {
  const names = Object.keys(fields);
  const unknown = names.filter((name) => name !== "<<" && !Object.hasOwn(definitionShape(), name));
  const isWhole = unknown.length === names.length;
  if (!hasShape(fields)) return unknown.length > 1 || isWhole ? unknown : [];
  const inUpdates = updatesOf(fields).flatMap((update) =>
    Object.keys(update).filter((name) => !Object.hasOwn(updateShape(), name)),
  );
  const renamed = [...unknown, ...inUpdates].filter(
    (name) => aliased(name, definitionShape()) ?? aliased(name, updateShape()),
  );
  return renamed.length > 1 ? renamed : [];
}

const definitionShape = () => schemaOf(definitionSchema()).shape;
const updateShape = () => schemaAt(definitionSchema(), ["incidentUpdates", 0])?.shape ?? {};

/** The name that a document has for a field: its own, else the likeliest other one; empty where it has none. */
function nameIn(fields: Fields, shape: Schema["shape"], field: string): string {
  const named = (plain: string) => Object.keys(fields).find((name) => plainName(name) === plain);
  return namesOf(field, shape).flatMap((plain) => named(plain) ?? [])[0] ?? "";
}

function updatesOf(fields: Fields): readonly Fields[] {
  const name = nameIn(fields, definitionShape(), "incidentUpdates");
  return entriesOf(ownValue(fields, name)).filter(isMapping);
}

/** The definition with the values of the document, and a placeholder for each that is missing. */
function toDefinition(fields: Fields): unknown {
  const { message, ...others } = fields;
  // Where both exist, the message is the headline.
  const isHeadline = message !== undefined && nameIn(others, updateShape(), "description") !== "";
  const headline = nameIn(fields, definitionShape(), "name") || (isHeadline ? "message" : "");
  const name = ownValue(fields, headline);
  const ofUpdate = Object.entries(fields).filter(([each]) => each !== headline && each !== "id");
  const update = Object.fromEntries(ofUpdate);
  const updates = updatesOf(update);
  const incidentUpdates = updates.length > 0 ? updates : [update];
  return valueAs(definitionSchema(), { ...fields, name, incidentUpdates });
}

/** The value in the form of the schema; undefined for one that it does not accept. */
function valueAs(zod: Zod, value: unknown): unknown {
  const schema = schemaOf(zod);
  const { element } = schema;
  const fields = Object.entries(schema.shape);
  if (element !== undefined) {
    const [first = placeholder, ...others] = [value ?? placeholder].flat();
    return [first, ...others].map((each) => valueAs(element, each) ?? placeholder);
  }
  if (value === undefined || value === null) return undefined;
  // A service of the catalog is its name.
  if (fields.length > 0 && typeof value === "string") return value;
  if (fields.length > 0 && isMapping(value)) {
    const entries = fields.map(([name, own]) => {
      const field = ownValue(value, nameIn(value, schema.shape, name));
      const isEnum = schemaOf(own).values.length > 0;
      const isNeeded = requiredOf(schema).includes(name) || (isEnum && field !== undefined);
      return [name, valueAs(own, field) ?? (isNeeded ? placeholder : undefined)];
    });
    return Object.fromEntries(entries);
  }
  const forms = isMapping(value) ? [] : [value, String(value), String(value).toUpperCase()];
  return forms.map((each) => zod.safeParse(each)).find(({ success }) => success)?.data;
}
