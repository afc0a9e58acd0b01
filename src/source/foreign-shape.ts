// A document in the shape of another tool: a flat file, a wrapper around the incident, or other names of the fields. It
// gets one diagnostic with the whole definition, in the place of one for each field.
import type { Diagnostic, Locate, Location } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { placeholder, severities, statuses } from "../incident/values.ts";
import { isDateTime, isGuid } from "../rules/forms.ts";
import { fieldsOf, meantField, rulesOf } from "../rules/schema-facts.ts";
import { cutText } from "../text/lengths.ts";
import { entriesOf, type Fields, isMapping, ownValue } from "../untrusted-data.ts";

/**
 * The names of each field in other tools, in lower case and without underscores and hyphens. A "summary" is the text
 * where the document has a name as well.
 */
const names = {
  name: "name title headline subject summary",
  severity: "severity impact impactoverride priority level",
  services: "services service components component affectedservices affectedcomponents",
  status: "status state incidentstatus",
  description: "description message body text content details summary",
  notifySubscribers: "notifysubscribers notify delivernotifications",
  publicIncidentUpdateDate: "publicincidentupdatedate createdat startedat date timestamp",
  incidentUpdates: "incidentupdates updates incidentupdate timeline",
} as const;

/** The names of the parts in which other tools keep an incident. */
const wrappers = [
  "incident",
  "incidents",
  "data",
  "attributes",
  "spec",
  "payload",
  "definition",
  "definitions",
];

/** The most definitions of a list that are written out. */
const maxShown = 3;

/** Undefined for a document that has the shape of a definition, and at most one field that is not the API's own. */
export function foreignShape(value: unknown, locate: Locate): Diagnostic | undefined {
  if (Array.isArray(value)) return listOfDefinitions(value, locate);
  if (!isMapping(value)) return undefined;
  const own = fieldsOf(definitionRules);
  const unknown = Object.keys(value).filter((name) => !own.includes(name));
  const hasShape = ["services", "incidentUpdates"].some((name) =>
    Object.keys(value).some((each) => each === name || meantField(each, definitionRules)?.field === name),
  );
  const { path, found } = hasShape ? { path: [], found: [] } : unwrap(value);
  if (path.length > 0) {
    const message = `the fields of a definition stand at the top level, and not below "${path.join(".")}:"`;
    const others = found.length > 1 ? ', each with a line "---" between' : "";
    return written(
      message,
      `write the definition like this${others}`,
      found,
      locate(path.slice(0, 1), "key"),
    );
  }
  const foreign = unknown.filter((name) => fieldFor(name) !== undefined);
  const inUpdates = updatesOf(value).flatMap((update) => Object.keys(update).filter(isForeignOfUpdate));
  const others = unknown.filter((name) => !foreign.includes(name) && name !== "<<" && !isMeant(name));
  const hasNone =
    !hasShape && others.length + foreign.length > (unknown.length < Object.keys(value).length ? 1 : 0);
  const [first = hasNone ? others[0] : undefined] = foreign;
  if (first === undefined || (foreign.length + inUpdates.length < 2 && !hasNone)) return undefined;
  const listed = [...new Set([...foreign, ...inUpdates])].join(", ");
  const known = listed === "" ? [] : [`these fields have other names or places here: ${listed}`];
  const left =
    others.length === 0 || hasShape ? [] : [`a definition has no field ${cutText(others.join(", "), 100)}`];
  return written(
    [...known, ...left].join("; "),
    "write the definition like this",
    [value],
    locate([first], "key"),
  );
}

function isMeant(name: string): boolean {
  return meantField(name, definitionRules) !== undefined;
}

/** The mappings in the parts that other tools wrap around an incident, and the path of the part. */
function unwrap(value: Fields): { readonly path: readonly string[]; readonly found: readonly Fields[] } {
  for (const name of wrappers) {
    const part = ownValue(value, name);
    if (isMapping(part)) {
      const inner = unwrap(part);
      return inner.path.length > 0
        ? { ...inner, path: [name, ...inner.path] }
        : { path: [name], found: [part] };
    }
    const entries = Array.isArray(part) ? part.filter(isMapping) : [];
    if (entries.length > 0) return { path: [name], found: entries };
  }
  return { path: [], found: [] };
}

function listOfDefinitions(list: readonly unknown[], locate: Locate): Diagnostic | undefined {
  const found = list.filter(isMapping);
  if (found.length === 0 || found.length < list.length) return undefined;
  const message = "the document is a list, not a mapping";
  const hint =
    found.length > 1
      ? 'write each entry as a definition of its own, with a line "---" between'
      : "write the definition like this";
  return { ...written(message, hint, found, locate([])), code: "wrong-type" };
}

function written(message: string, hint: string, found: readonly Fields[], location: Location): Diagnostic {
  const more = found.length > maxShown ? [`# and ${found.length - maxShown} more`] : [];
  const example = [...found.slice(0, maxShown).map(fragment), ...more].join("\n---\n");
  return { code: "unknown-field", level: "error", message, hint, example, location };
}

function isForeignOfUpdate(name: string): boolean {
  return fieldFor(name) !== undefined && rulesOf(definitionRules, `incidentUpdates[].${name}`) === undefined;
}

function fieldFor(name: string): keyof typeof names | undefined {
  const plain = name.replace(/[_-]/g, "").toLowerCase();
  return (Object.keys(names) as (keyof typeof names)[]).find((field) =>
    names[field].split(" ").includes(plain),
  );
}

function updatesOf(fields: Fields): readonly Fields[] {
  return entriesOf(valueFor(fields, "incidentUpdates")).filter(isMapping);
}

/** The value of the first name of a field that the document has. */
function valueFor(fields: Fields, field: keyof typeof names, taken?: string): unknown {
  return ownValue(fields, nameIn(fields, field, taken) ?? "");
}

function nameIn(fields: Fields, field: keyof typeof names, taken?: string): string | undefined {
  const present = Object.keys(fields).filter((name) => name !== taken);
  const isCalled = (name: string, alias: string) => name.replace(/[_-]/g, "").toLowerCase() === alias;
  for (const alias of names[field].split(" ")) {
    const found = present.find((name) => isCalled(name, alias));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The headline, which is the message where a document has a description as well. */
function headlineOf(fields: Fields): string | undefined {
  const name = nameIn(fields, "name");
  if (name !== undefined) return name;
  return "message" in fields && nameIn(fields, "description", "message") !== undefined
    ? "message"
    : undefined;
}

/** The definition as YAML, with the values of the document, and a placeholder for each that is missing. */
function fragment(fields: Fields): string {
  const services = [valueFor(fields, "services") ?? placeholder].flat();
  const updates = updatesOf(fields);
  const headline = headlineOf(fields);
  return [
    ...(typeof fields.id === "string" ? [`id: ${shown(fields.id)}`] : []),
    `name: ${shown(ownValue(fields, headline ?? ""))}`,
    `severity: ${allowed(valueFor(fields, "severity"), severities)}`,
    `services: [${services.map(shownService).join(", ")}]`,
    "incidentUpdates:",
    ...(updates.length > 0 ? updates : [fields]).flatMap((update) => updateLines(update, headline)),
  ].join("\n");
}

function updateLines(update: Fields, headline: string | undefined): readonly string[] {
  const status = valueFor(update, "status");
  const notify = valueFor(update, "notifySubscribers");
  const date = valueFor(update, "publicIncidentUpdateDate");
  return [
    `  - description: ${shown(valueFor(update, "description", headline))}`,
    ...(status === undefined ? [] : [`    status: ${allowed(status, statuses)}`]),
    ...(typeof notify === "boolean" ? [`    notifySubscribers: ${notify}`] : []),
    ...(typeof date === "string" && isDateTime(date) ? [`    publicIncidentUpdateDate: ${date}`] : []),
  ];
}

function allowed(value: unknown, values: readonly string[]): string {
  const wanted = typeof value === "string" ? value.toUpperCase() : undefined;
  return values.find((each) => each === wanted) ?? placeholder;
}

/** A service in YAML's flow style. */
function shownService(value: unknown): string {
  if (!isMapping(value)) return shown(value);
  const id = typeof value.id === "string" && isGuid(value.id) ? value.id : placeholder;
  return `{ name: ${shown(valueFor(value, "name"))}, id: ${id} }`;
}

/** A value in YAML's flow style. Texts that need quotes get those of JSON. A list or a mapping is no value of a field. */
function shown(value: unknown): string {
  if (value === undefined || typeof value === "object") return placeholder;
  if (typeof value === "string")
    return /^(?:[\p{L}][\p{L}\p{N} .'()-]*|[0-9a-f]{8}-[0-9a-f-]{27})$/u.test(value)
      ? value
      : JSON.stringify(value);
  return JSON.stringify(value);
}
