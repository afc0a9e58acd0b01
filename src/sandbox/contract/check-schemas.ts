// Walks the schemas that a sandbox judges by, before it starts, so that no request meets a schema that cannot be judged.
import { DocumentError, follow, type Node, nodeOf } from "./document.ts";
import type { CompilePattern } from "./judge.ts";

/** Schemas of the value itself: one that contains itself in this way has no end. */
const lists = ["allOf", "anyOf", "oneOf"] as const;
const parts = ["not", "if", "then", "else"] as const;
/** Schemas of the values inside of the value. */
const nested = ["items", "additionalItems", "additionalProperties", "contains", "propertyNames"] as const;
const maps = ["properties", "patternProperties"] as const;

const maxDepth = 200;

export interface SchemaWalk {
  readonly document: Node;
  readonly compilePattern: CompilePattern;
  /** Called for each pattern that cannot be matched in linear time. */
  readonly onPattern: (pattern: string, at: string) => void;
}

/** Throws a `DocumentError` for a schema that refers to nothing, contains itself without an end, or has no valid form. */
export function checkSchemas(
  roots: readonly (readonly [at: string, schema: Node])[],
  walk: SchemaWalk,
): void {
  const checked = new Set<Node>();
  const waiting: (readonly [at: string, schema: unknown])[] = [...roots];

  function check(at: string, given: unknown, holders: ReadonlySet<Node>): void {
    const schema = nodeOf(given);
    if (holders.has(schema) || holders.size > maxDepth)
      throw new DocumentError(`has a schema without an end at ${at}`);
    if (checked.has(schema) || Object.keys(schema).length === 0) return;
    const within = new Set(holders).add(schema);
    if (typeof schema.$ref === "string") check(schema.$ref, follow(walk.document, given), within);
    for (const name of lists)
      for (const [index, part] of listOf(schema[name], `${at}/${name}`).entries())
        check(`${at}/${name}/${index}`, part, within);
    for (const name of parts) if (schema[name] !== undefined) check(`${at}/${name}`, schema[name], within);
    for (const name of nested)
      for (const part of [schema[name] ?? []].flat()) waiting.push([`${at}/${name}`, part]);
    for (const name of maps)
      for (const [field, part] of Object.entries(nodeOf(schema[name])))
        waiting.push([`${at}/${name}/${field}`, part]);
    const { pattern } = schema;
    if (typeof pattern === "string" && walk.compilePattern(pattern) === undefined)
      walk.onPattern(pattern, at);
    checked.add(schema);
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) check(...next, new Set());
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  throw new DocumentError(`has no list at ${at}`);
}
