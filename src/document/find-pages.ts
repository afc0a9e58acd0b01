// How a list of the service is read, from its operation in a document: where its entries stand, and how its pages follow.

import { plainName } from "../text/suggest.ts";
import { keywordOf, propertiesOf } from "./json-schema.ts";
import type { Operation } from "./open-api.ts";
import { largestPage, type Pages, parameterPattern } from "./operations.ts";
import type { JsonSchema } from "./schema.ts";

/** The fields that each entry has, each by one of its names. */
export type EntryFields = readonly (readonly string[])[];

const pageSizes: readonly string[] = ["limit", "pageSize", "page_size", "perPage", "per_page"];

/** Undefined for an operation whose answer is no such list, or has several. */
export function readPages({ answer = {}, parameters }: Operation, fields: EntryFields): Pages | undefined {
  const [only, ...others] = findLists(answer, fields);
  if (only === undefined || others.length > 0) return undefined;
  const query = parameters.filter((each) => each.in === "query" && parameterPattern.test(each.name));
  const sizes = query.filter(({ name }) => pageSizes.includes(name));
  const [size] = sizes.length === 1 ? sizes : [];
  const max = size?.schema.maximum;
  const hasMax = max !== undefined && Number.isInteger(max) && max >= 1;
  const next = findNext(
    answer,
    query.filter(({ name }) => name !== "offset" && !pageSizes.includes(name)),
  );
  return {
    items: only,
    ...(size && {
      pageSize: { param: size.name, ...(hasMax && { max: Math.min(max, largestPage) }) },
    }),
    ...(next && { next }),
  };
}

/** The steps to each list of such entries: the answer itself, or a field of it or of its `data`. */
function findLists(answer: JsonSchema, fields: EntryFields): readonly (readonly string[])[] {
  const isList = (schema: JsonSchema) => {
    const entry = keywordOf(schema, "items");
    const own = entry && propertiesOf(entry);
    return own !== undefined && fields.every((names) => names.some((name) => own.has(name)));
  };
  if (isList(answer)) return [[]];
  const listsIn = (schema: JsonSchema) =>
    [...propertiesOf(schema)].flatMap(([name, value]) => (isList(value) ? [name] : []));
  const data = propertiesOf(answer).get("data");
  return [
    ...listsIn(answer).map((name) => [name]),
    ...(data === undefined ? [] : listsIn(data).map((name) => ["data", name])),
  ];
}

/** A cursor is a parameter that a field of the answer gives, whatever its type. Of several, none is chosen. */
function findNext(answer: JsonSchema, query: Operation["parameters"]): Pages["next"] {
  const holders = [answer, ...propertiesOf(answer).values()];
  const fields = new Set(holders.flatMap((each) => [...propertiesOf(each).keys()].map(plainName)));
  const isGiven = (name: string) =>
    fields.has(`next${name}`) || (fields.has(name) && /next|cursor|token|after|continu/.test(name));
  const [cursor, ...others] = query.filter(({ name }) => name !== "page" && isGiven(plainName(name)));
  if (cursor !== undefined && others.length === 0) return { kind: "cursor", param: cursor.name };
  const page = query.find(
    ({ name, schema }) => name === "page" && [keywordOf(schema, "type")].flat().includes("integer"),
  );
  return page && { kind: "page", param: page.name, first: page.schema.minimum === 0 ? 0 : 1 };
}
