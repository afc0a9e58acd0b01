// Finds the two operations of the API in a service's OpenAPI document (3.0, 3.1, or Swagger 2.0), with its base path.
import { ownValue } from "../own-value.ts";

/** The message completes a sentence that begins with the name of the document. */
export class DocumentError extends Error {}

export type Node = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "header" | "query";
  readonly required: boolean;
  readonly schema: Node;
}

export interface Answer {
  readonly status: string;
  readonly mediaType: string;
  readonly schema: Node | undefined;
}

export interface Operation {
  /** The segments of its path with the base path; undefined for a parameter. */
  readonly segments: readonly (string | undefined)[];
  readonly parameters: readonly Parameter[];
  readonly body: Node | undefined;
  readonly answers: readonly Answer[];
}

/** The end of the path of a create, after its version. */
const collection = "/status-pages/incidents";
const maxReferences = 50;

/** The fields of an object; none for any other value. */
export function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

/** Follows references within the document. Throws a `DocumentError` for one that leads nowhere. */
export function follow(document: Node, given: unknown): Node {
  let node = nodeOf(given);
  for (let count = 0; typeof node.$ref === "string"; count += 1) {
    const target = count < maxReferences ? lookUp(document, node.$ref) : undefined;
    if (target === undefined)
      throw new DocumentError(`has the reference ${node.$ref}, which leads nowhere in it`);
    node = nodeOf(target);
  }
  return node;
}

function lookUp(document: Node, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  const names = reference.split("/").slice(1);
  let target: unknown = document;
  for (const name of names.map(decodeName)) {
    if (typeof target !== "object" || target === null) return undefined;
    target = ownValue(target as Node, name);
  }
  return target;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name).replace(/~1/g, "/").replace(/~0/g, "~");
  } catch {
    return name;
  }
}

/** The path of the first server, or the `basePath` of Swagger 2.0. */
function basePathOf(document: Node, item: Node): string {
  const servers = item.servers ?? document.servers;
  const server = nodeOf(Array.isArray(servers) ? servers[0] : undefined).url ?? document.basePath ?? "";
  const path = String(server).replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, "");
  return path.replace(/[?#].*/, "").replace(/\/+$/, "");
}

/** The schema of the JSON of a body or an answer; Swagger 2.0 has it without a media type. */
function contentOf(node: Node): { readonly mediaType: string; readonly schema: Node | undefined } {
  const content = nodeOf(node.content);
  const mediaType = Object.keys(content).find((name) => /\bjson\b|^\*\/\*/.test(name));
  const schema = mediaType === undefined ? node.schema : nodeOf(ownValue(content, mediaType)).schema;
  return {
    mediaType: mediaType ?? "application/json",
    schema: schema === undefined ? undefined : nodeOf(schema),
  };
}

function readOperation(document: Node, path: string, item: Node, operation: Node): Operation {
  const lists = [item.parameters, operation.parameters].filter(Array.isArray).flat();
  const parameters = lists.map((each) => follow(document, each));
  const swaggerBody = parameters.find((parameter) => parameter.in === "body");
  const requestBody = follow(document, operation.requestBody ?? swaggerBody);
  const body = contentOf(requestBody).schema;
  const takesForm = parameters.some((parameter) => parameter.in === "formData");
  if (takesForm || (body === undefined && Object.keys(nodeOf(requestBody.content)).length > 0))
    throw new DocumentError(`has a create without a JSON body, which a sandbox cannot serve (${path})`);
  return {
    segments: path.split("/").map((segment) => (/^\{.*\}$/.test(segment) ? undefined : segment)),
    parameters: parameters.flatMap((parameter): Parameter[] => {
      const { name, in: place } = parameter;
      if (typeof name !== "string" || (place !== "header" && place !== "query")) return [];
      const schema = nodeOf(parameter.schema ?? parameter);
      return [{ name, in: place, required: parameter.required === true, schema }];
    }),
    body,
    answers: Object.entries(nodeOf(operation.responses)).map(([status, answer]) => ({
      status,
      ...contentOf(follow(document, answer)),
    })),
  };
}

/** Throws a `DocumentError` for a document without the operation. */
function findOperation(document: Node, method: "post" | "get", end: string): Operation {
  const found = Object.entries(nodeOf(document.paths)).flatMap(([name, value]) => {
    const item = follow(document, value);
    const path = `${basePathOf(document, item)}${name}`;
    const isHere = path.replace(/\{[^}]*\}/g, "{}").endsWith(end) && item[method] !== undefined;
    return isHere ? [{ path, item }] : [];
  });
  // The spec's own version comes first.
  const [first] = [...found].sort(
    (a, b) => Number(b.path.includes(`/v1${collection}`)) - Number(a.path.includes(`/v1${collection}`)),
  );
  if (first === undefined)
    throw new DocumentError(
      `has no ${method.toUpperCase()} of a path that ends with ${end.replace("{}", "{id}")}`,
    );
  return readOperation(document, first.path, first.item, nodeOf(first.item[method]));
}

export function findOperations(document: Node): { readonly create: Operation; readonly get: Operation } {
  return {
    create: findOperation(document, "post", collection),
    get: findOperation(document, "get", `${collection}/{}`),
  };
}
