// The contract that `incident contract pull` writes, from a document: its operations, and the rules that a definition can
// satisfy. It needs a validator, so only a command about a contract loads it.
import type { Path } from "../diagnostic.ts";
import { type Field, incidentFields, type NamedField, named, updateFields } from "../incident/definition.ts";
import { maxNameLength } from "../incident/values.ts";
import { type Fields, isMapping } from "../untrusted-data.ts";
import { type Break, breaksOf, requirement } from "./check-body.ts";
import type { Operations } from "./contract.ts";
import { findOperations } from "./find-operations.ts";
import { type JsonSchema, keywordOf, propertiesOf } from "./json-schema.ts";
import { findCreate, operationsIn } from "./open-api.ts";

export type LiveContract = ReturnType<typeof contractOf>;

/** Throws a `ContractError` for a document without the create. `leftOut`: rules, in words, that no definition can satisfy. */
export function contractOf(document: unknown) {
  const { body } = findCreate(operationsIn(document));
  const operations: Operations = findOperations(document);
  const impossible = [
    ...impossibleIn(body, incidentFields, []),
    ...impossibleIn(operations.addUpdate?.body, updateFields, ["incidentUpdates", 0]),
  ];
  return { create: { body }, operations, leftOut: [...new Set(impossible.map(leaveOut))] };
}

/** Takes the rule out of its schema, which was made for this contract. Returns it in words. */
function leaveOut(own: Break): string {
  const { keyword, name, path, rules } = own;
  const place = path.filter((step) => typeof step === "string").join(".");
  const told = requirement(own) + (place.includes(".") ? ` (${place})` : "");
  const kept = keyword === "required" ? rules.required?.filter((each) => each !== name) : [];
  if (kept?.length) Object.assign(rules, { required: kept });
  else Reflect.deleteProperty(rules, keyword);
  return told;
}

/** The keywords that a few bodies show as rules that no body satisfies. */
const tried: readonly string[] = ["type", "enum", "minLength", "maxLength", "required"];

/** Of an enumeration, that are tried. */
const mostValues = 100;

/** The rules that no body satisfies beside the built-in ones, and with a text that the document itself lists, if it does. */
function impossibleIn(schema: JsonSchema = {}, fields: readonly NamedField[], at: Path): readonly Break[] {
  const [first = [], ...others] = Array.from({ length: mostValues }, (_, index) =>
    breaksOf(schema, sampleOf(fields, schema, index, "every field"), at),
  );
  const isIn = (breaks: readonly Break[], { keyword, rules }: Break) =>
    breaks.some((each) => each.rules === rules && each.keyword === keyword);
  return [
    ...first.filter((own) => tried.includes(own.keyword) && others.every((each) => isIn(each, own))),
    ...breaksOf(schema, sampleOf(fields, schema, 0, "sent fields"), at).filter(
      ({ keyword }) => keyword === "additionalProperties",
    ),
  ];
}

/** The extremes of the values of each kind. */
const samples: Readonly<Record<NonNullable<Field["kind"]>, readonly unknown[]>> = {
  visible: ["a", "a".repeat(100_000)],
  line: ["a", "a".repeat(maxNameLength)],
  guid: ["00000000-0000-4000-8000-000000000000"],
  date: ["2026-03-01"],
  dateOrNull: ["2026-03-01"],
  dateTime: ["2026-03-01T09:30:00Z"],
  boolean: [true],
  integer: [1],
};

/** A body that the built-in rules accept, with every field, or with those that are always sent. */
function sampleOf(
  fields: readonly NamedField[],
  schema: JsonSchema,
  index: number,
  extent: "every field" | "sent fields",
): Fields {
  const own = fields.filter(
    ({ isRequired, name }) => extent === "every field" || isRequired || name === "notifySubscribers",
  );
  const sampleFor = ({ entries, kind = "visible", name, values }: NamedField) => {
    const part = propertiesOf(schema).get(name) ?? {};
    if (entries !== undefined)
      return [sampleOf(named(entries), keywordOf(part, "items") ?? {}, index, extent)];
    const listed = keywordOf(part, "enum")?.filter((each) => typeof each === typeof samples[kind][0]) ?? [];
    const all = values ?? (listed.length > 0 ? listed : samples[kind]);
    return all[index % all.length];
  };
  return Object.fromEntries(own.map((field) => [field.name, sampleFor(field)]));
}

/** Each value of a contract as a line, such as `create.body.properties.name.maxLength: 100`. */
export function linesOf(value: unknown, place = ""): readonly string[] {
  const steps = Array.isArray(value)
    ? value.map((each, at) => [isMapping(each) ? `${place}.${at}` : place, each] as const)
    : Object.entries(isMapping(value) ? value : {}).map(
        ([name, each]) => [place === "" ? name : `${place}.${name}`, each] as const,
      );
  if (steps.length > 0) return steps.flatMap(([at, each]) => linesOf(each, at));
  return [`${place}: ${typeof value === "object" ? JSON.stringify(value) : value}`];
}
