// Looks through the forms of a schema: a field can stand in a part of `allOf`, `anyOf` or `oneOf` as well.
import { ownValue } from "../untrusted-data.ts";
import { type JsonScalar, type RuleSchema, typesOf } from "./rule-schema.ts";

/** The schema and its forms, at any depth. */
function formsOf(schema: RuleSchema): readonly RuleSchema[] {
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap(formsOf)];
}

/** The fields of every form. */
export function propertiesOf(schema: RuleSchema): ReadonlyMap<string, RuleSchema> {
  return new Map(
    formsOf(schema)
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .reverse(),
  );
}

export function enumOf(schema: RuleSchema): readonly JsonScalar[] | undefined {
  return formsOf(schema).find((form) => form.enum !== undefined)?.enum;
}

/** Whether a value of the type is accepted by a form that states types. */
export function mayBe(schema: RuleSchema, type: "string" | "integer"): boolean {
  return formsOf(schema).some((form) => typesOf(form).some((each) => each === type));
}

/** The entries of the list that the schema describes; undefined for a schema of another value. */
export function itemsOf(schema: RuleSchema): RuleSchema | undefined {
  return formsOf(schema).find((form) => form.items !== undefined)?.items;
}

/** The first field that a value must have, and that `known` does not have, at any depth that `known` reaches. */
export function unknownRequired(schema: RuleSchema, known: RuleSchema, field = ""): string | undefined {
  const below = (name: string) => (field === "" ? name : `${field}.${name}`);
  const properties = known.properties ?? {};
  const own = schema.required?.find((name) => ownValue(properties, name) === undefined);
  if (own !== undefined) return below(own);
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    const part = ownValue(properties, name);
    const found = part && unknownRequired(value, part, below(name));
    if (found !== undefined) return found;
  }
  const ofItems = schema.items && known.items && unknownRequired(schema.items, known.items, `${field}[]`);
  if (ofItems !== undefined) return ofItems;
  const inAll = (schema.allOf ?? []).map((part) => unknownRequired(part, known, field));
  const inForms = [schema.anyOf, schema.oneOf].map((forms = []) => {
    const found = forms.map((form) => unknownRequired(form, known, field));
    return found.includes(undefined) ? undefined : found[0];
  });
  return [...inAll, ...inForms].find((name) => name !== undefined);
}
