// A document in the shape of another tool: a flat file, a wrapper around the incident, or other names of the fields. It
// gets one diagnostic with the whole definition, in the place of one for each field.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { definitionRules } from "../incident/definition.ts";
import { placeholder, severities, statuses } from "../incident/values.ts";
import { entriesOf, type Fields, isMapping, ownValue } from "../own-value.ts";
import { isDateTime, isGuid } from "../rules/forms.ts";
import { fieldsOf, rulesOf } from "../rules/schema-facts.ts";

/** What other tools call each field, in lower case and without underscores and hyphens. */
const names = {
  name: "name title headline summary subject",
  severity: "severity impact impactoverride priority level",
  services: "services service components component affectedservices affectedcomponents",
  status: "status state",
  description: "description message body text content",
  notifySubscribers: "notifysubscribers notify delivernotifications",
  publicIncidentUpdateDate: "publicincidentupdatedate createdat startedat date timestamp",
  incidentUpdates: "incidentupdates updates incidentupdate timeline",
} as const;

const wrappers = ["incident", "incidents", "data", "spec"];

/** Undefined for a document with at most one field that is not the API's own. */
export function foreignShape(value: unknown, locate: Locate): Diagnostic | undefined {
  if (!isMapping(value)) return undefined;
  const own = fieldsOf(definitionRules);
  const wrapper = wrappers.find(
    (name) => Object.keys(value).length === 1 && isMapping(ownValue(value, name)),
  );
  const fields = wrapper === undefined ? value : (ownValue(value, wrapper) as Fields);
  const foreign = Object.keys(fields).filter((name) => !own.includes(name) && fieldFor(name) !== undefined);
  const inUpdates = updatesOf(fields).flatMap((update) => Object.keys(update).filter(isForeignOfUpdate));
  const count = foreign.length + inUpdates.length + (wrapper === undefined ? 0 : 2);
  const [first = wrapper] = foreign;
  if (count < 2 || first === undefined) return undefined;
  const path = wrapper === undefined ? [first] : [wrapper];
  const list = [...new Set([...foreign, ...inUpdates])].join(", ");
  return {
    code: "unknown-field",
    level: "error",
    message:
      wrapper === undefined
        ? `these fields have other names or places here: ${list}`
        : `the fields of a definition stand at the top level, and not below "${wrapper}:"`,
    hint: "write the definition like this",
    example: fragment(fields),
    location: locate(path, "key"),
  };
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

function valueFor(fields: Fields, field: keyof typeof names): unknown {
  return fields[field] ?? Object.entries(fields).find(([name]) => fieldFor(name) === field)?.[1];
}

/** The definition as YAML, with the values of the document, and a placeholder for each that is missing. */
function fragment(fields: Fields): string {
  const services = [valueFor(fields, "services") ?? placeholder].flat();
  const updates = updatesOf(fields);
  return [
    ...(typeof fields.id === "string" ? [`id: ${shown(fields.id)}`] : []),
    `name: ${shown(valueFor(fields, "name"))}`,
    `severity: ${allowed(valueFor(fields, "severity"), severities)}`,
    `services: [${services.map(shownService).join(", ")}]`,
    "incidentUpdates:",
    ...(updates.length > 0 ? updates : [fields]).flatMap(updateLines),
  ].join("\n");
}

function updateLines(update: Fields): readonly string[] {
  const status = valueFor(update, "status");
  const notify = valueFor(update, "notifySubscribers");
  const date = valueFor(update, "publicIncidentUpdateDate");
  return [
    `  - description: ${shown(valueFor(update, "description"))}`,
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
