// Each row of the table of fields: what it says of its field holds in the request, on each page, and in a comparison.
import { describe, expect, it } from "vitest";
import { differencesOf, updateDifferences } from "../../src/incident/comparison.ts";
import { type CreateBody, createBody, toDefinition } from "../../src/incident/create-body.ts";
import {
  incidentFields,
  type NamedField,
  serviceFields,
  updateFields,
} from "../../src/incident/definition.ts";
import { incidentFacts } from "../../src/incident/wire.ts";
import { renderIncidents } from "../../src/kit/formats/markdown.ts";
import { renderIncident } from "../../src/view/incident.ts";
import { createStyle, noColors } from "../../src/view/terminal/style.ts";
import { definition, incidentId, service } from "../harness/builders.ts";

const style = createStyle({ columns: 200, isTerminal: false }, noColors, () => 0);

/** Two values of a field that differ. */
function valuesOf({ kind, name, values }: NamedField): readonly unknown[] {
  if (values !== undefined) return values;
  if (kind === "boolean") return [true, false];
  if (kind === "integer") return [17, 18];
  if (kind === "guid") return [service.id, service.id.replace("6b", "6c")];
  if (kind === "date" || kind === "dateOrNull") return ["2026-03-02", "2026-03-03"];
  if (kind === "dateTime") return ["2026-03-02T09:30:00Z", "2026-03-03T09:30:00Z"];
  return [`Its ${name}`, `Another ${name}`];
}

type Part = "incident" | "service" | "update";

function bodyWith(part: Part, name: string, value: unknown): CreateBody {
  const own = { [name]: value };
  const update = { description: "We are looking into it.", ...(part === "update" && own) };
  const fields = {
    ...(part === "incident" && own),
    services: [{ ...service, ...(part === "service" && own) }],
    incidentUpdates: [update],
  };
  return createBody(definition(fields), (fields as { id?: string }).id ?? incidentId, undefined);
}

const oneValue = ({ entries }: NamedField) => entries === undefined;
const rows = [
  ...incidentFields.filter(oneValue).map((field) => ["incident", field.name, field] as const),
  ...serviceFields.map((field) => ["service", field.name, field] as const),
  ...updateFields.map((field) => ["update", field.name, field] as const),
];

describe.each(rows)("of the %s, the field %s", (part, name, field) => {
  const [one, other] = valuesOf(field);
  const body = bodyWith(part, name, one);
  const incident = { ...body, id: body.id ?? incidentId };
  const own: object = { incident, service: incident.services[0], update: incident.incidentUpdates[0] }[
    part
  ] as object;

  it("is sent where the definition has it", () => {
    expect(own).toHaveProperty(name, one);
  });

  it("is compared as its row says", () => {
    const changed = { ...bodyWith(part, name, other), id: incidentId };
    const isAnswer = field.compare === "answer";
    const differences = isAnswer
      ? updateDifferences(body.incidentUpdates[0] ?? {}, changed.incidentUpdates[0])
      : differencesOf(body, changed);
    const path = { incident: name, service: "services", update: `incidentUpdates[0].${name}` }[part];
    const expected = field.compare === "never" ? [] : [isAnswer ? name : path];
    expect(differences.map((each) => each.field)).toEqual(expected);
    expect(differencesOf(body, incident)).toEqual([]);
  });

  it("is on each page, unless its row hides it", () => {
    const facts = incidentFacts(incident);
    const text = String(one).slice(0, 10);
    const page = renderIncident(style, facts);
    if (field.kind === "boolean") expect(page).toContain("subscribers notified");
    else if (part === "service" && name === "id") expect(facts.services).toEqual([service]);
    else if (field.show === "hidden" && part === "update" && name === "created_at")
      expect(facts.updates[0]?.at).toBe(one);
    else expect(page.includes(text)).toBe(field.show !== "hidden");
    if (typeof field.show !== "string") expect(renderIncidents([facts])).toContain(text);
  });

  it("is in -o definition, unless the service fills it in", () => {
    const date = name === "publicIncidentUpdateDate" && { created_at: "2026-03-01" };
    const got = toDefinition({
      ...incident,
      incidentUpdates: incident.incidentUpdates.map((update) => ({ ...update, ...date })),
    }) as unknown as typeof incident;
    const entry = { incident: got, service: got.services[0], update: got.incidentUpdates[0] }[part];
    expect(Object.keys(entry ?? {}).includes(name)).toBe(field.isFilledIn !== true);
  });
});
