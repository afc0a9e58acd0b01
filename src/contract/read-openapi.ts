// Reads an OpenAPI document that may be imperfect: references, also cyclic ones, combined schemas, and parts that are
// missing or of another type. Never throws and never follows a reference out of the document.

type Node = Readonly<Record<string, unknown>>;

/** The facts of a schema and of all schemas that it combines. */
export interface SchemaFacts {
  /** The permitted values, if the schema lists them. */
  readonly values: readonly string[] | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly required: readonly string[];
  /** Names of the fields, without vendor extensions (`x-…`). */
  readonly fields: readonly string[];
  field(name: string): SchemaFacts | undefined;
  items(): SchemaFacts | undefined;
}

export interface OperationFacts {
  readonly path: string;
  readonly method: string;
  readonly isDeprecated: boolean;
  /** Names of the header parameters, and whether each is required. */
  readonly headers: ReadonlyMap<string, boolean>;
  readonly statuses: readonly string[];
  body(): SchemaFacts | undefined;
  response(status: string): SchemaFacts | undefined;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Every operation of the document; undefined if it is not an OpenAPI document. */
export function readOperations(document: unknown): readonly OperationFacts[] | undefined {
  const root = nodeOf(document);
  if (root?.paths === undefined || (root.openapi ?? root.swagger) === undefined) return undefined;
  const follow = (value: unknown): Node => resolve(root, value);
  return Object.entries(follow(root.paths)).flatMap(([path, value]) => {
    const item = follow(value);
    return methods
      .filter((method) => nodeOf(item[method]) !== undefined)
      .map((method) => readOperation(root, { path, method, item }));
  });
}

function readOperation(
  root: Node,
  { path, method, item }: { readonly path: string; readonly method: string; readonly item: Node },
): OperationFacts {
  const follow = (value: unknown): Node => resolve(root, value);
  const operation = follow(item[method]);
  const parameters = [...listOf(item.parameters), ...listOf(operation.parameters)].map(follow);
  const responses = follow(operation.responses);
  // Media types vary ("application/json", with a charset, "*/*"); the first with a schema counts.
  const content = (holder: Node) =>
    Object.values(follow(holder.content))
      .map((media) => follow(media).schema)
      .find((schema) => schema !== undefined) ?? holder.schema;
  const facts = (schema: unknown) => (schema === undefined ? undefined : readSchema(root, schema));
  return {
    path,
    method: method.toUpperCase(),
    isDeprecated: operation.deprecated === true,
    headers: new Map(
      parameters
        .filter((parameter) => parameter.in === "header")
        .map((parameter) => [String(parameter.name), parameter.required === true]),
    ),
    statuses: Object.keys(responses).filter((status) => !status.startsWith("x-")),
    body: () =>
      // The second form is that of Swagger 2.0.
      facts(content(follow(operation.requestBody)) ?? parameters.find((one) => one.in === "body")?.schema),
    response: (status) => facts(content(follow(responses[status]))),
  };
}

function readSchema(root: Node, schema: unknown): SchemaFacts {
  const parts = partsOf(root, schema, new Set());
  const first = <T>(pick: (part: Node) => T | undefined) =>
    parts.map(pick).find((value) => value !== undefined);
  const number = (name: string) => first((part) => (typeof part[name] === "number" ? part[name] : undefined));
  const fields = new Map<string, unknown>();
  for (const part of parts) {
    for (const [name, value] of Object.entries(nodeOf(part.properties) ?? {})) {
      if (!name.startsWith("x-") && !fields.has(name)) fields.set(name, value);
    }
  }
  const at = (value: unknown) => (value === undefined ? undefined : readSchema(root, value));
  const values = parts.flatMap((part) => (part.const === undefined ? listOf(part.enum) : [part.const]));
  return {
    values: values.length === 0 ? undefined : values.filter((value) => typeof value === "string"),
    maxLength: number("maxLength"),
    minItems: number("minItems"),
    required: [
      ...new Set(parts.flatMap((part) => listOf(part.required).filter((name) => typeof name === "string"))),
    ],
    fields: [...fields.keys()],
    field: (name) => at(fields.get(name)),
    items: () => at(first((part) => part.items)),
  };
}

/** The schema and all schemas that it combines, each once, so that cycles end. */
function partsOf(root: Node, schema: unknown, seen: Set<Node>): readonly Node[] {
  const node = resolve(root, schema);
  if (seen.has(node)) return [];
  seen.add(node);
  const combined = ["allOf", "anyOf", "oneOf"].flatMap((name) => listOf(node[name]));
  return [node, ...combined.flatMap((part) => partsOf(root, part, seen))];
}

/** A chain of references that is longer than this is taken for a cycle. */
const longestChain = 50;

/** Follows a value's references within the document. Returns an empty node for a missing target. */
function resolve(root: Node, value: unknown): Node {
  let node = nodeOf(value);
  for (let step = 0; typeof node?.$ref === "string" && step < longestChain; step += 1) {
    node = nodeOf(lookUp(root, node.$ref));
  }
  return node === undefined || typeof node.$ref === "string" ? {} : node;
}

function lookUp(root: Node, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  return reference
    .slice(2)
    .split("/")
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, step) => {
      const holder = typeof value === "object" && value !== null ? value : {};
      return Object.hasOwn(holder, step) ? (holder as Node)[step] : undefined;
    }, root);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
