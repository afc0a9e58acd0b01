// An OpenAPI document (3.0, 3.1 or Swagger 2.0) as it was published: its parts can be missing or of another type.
// References are followed within the document, and never out of it.

import { entriesOf, type Fields, fieldOf, isMapping } from "../untrusted-data.ts";
import { ContractError } from "./contract-terms.ts";
import { follow, toSchema } from "./json-schema.ts";

/** The path of a create below the base URL (spec 4.2). */
const createPath = "/v1/status-pages/incidents";

const methods = ["get", "post", "put", "patch"] as const;
type Method = (typeof methods)[number];

export type ApiOperation = ReturnType<typeof operationsIn>[number];

function partAt(root: Fields, parent: unknown, name: string): unknown {
  return follow(root, fieldOf(parent, name));
}

const fieldsIn = (value: unknown): Fields => (isMapping(value) ? value : {});
const stringIn = (value: unknown) => (typeof value === "string" ? value : undefined);

/** The path of each begins with the base path of the document. Throws a `ContractError` for a value that is no document. */
export function operationsIn(root: unknown) {
  const version = fieldOf(root, "openapi") ?? fieldOf(root, "swagger");
  if (!isMapping(root) || typeof version !== "string" || !isMapping(root.paths))
    throw new ContractError("is not an OpenAPI document: it has no version, or no paths");
  return Object.keys(root.paths).flatMap((name) => {
    const item = partAt(root, root.paths, name);
    const server = serverIn(fieldsIn(item)) ?? serverIn(root) ?? stringIn(root.basePath) ?? "";
    const path = `${pathOf(server)}${name.startsWith("/") ? "" : "/"}${name}`;
    if (!isMapping(item) || !path.includes("/status-pages/")) return [];
    return methods.flatMap((method) => {
      const value = partAt(root, item, method);
      return isMapping(value) ? [operationOf(root, method, path, item, value)] : [];
    });
  });
}

/** The create: at the spec's path, which may stand below another one. */
export function findCreate(operations: readonly ApiOperation[]): ApiOperation {
  const found = operations.find(({ method, path }) => method === "post" && path.endsWith(createPath));
  if (found !== undefined) return found;
  throw new ContractError(`has no POST ${createPath}`);
}

function serverIn({ servers }: Fields): string | undefined {
  return stringIn(fieldOf(entriesOf(servers)[0], "url"));
}

/** Without the host, and without the last slash. */
function pathOf(server: string): string {
  const path = server.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  return path.replace(/\/+$/, "");
}

/** Its schemas are made on demand, because each takes a while and most operations need one of them. */
function operationOf(root: Fields, method: Method, path: string, item: Fields, value: Fields) {
  const listed = () => {
    const all = [item, value].flatMap((holder) =>
      entriesOf(partAt(root, holder, "parameters")).map((each) => fieldsIn(follow(root, each))),
    );
    // A parameter of the operation replaces the one of the path.
    return [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()];
  };
  return {
    method,
    path,
    /** The address that the operation or its path names for itself. */
    server: serverIn(value) ?? serverIn(item),
    isDeprecated: value.deprecated === true,
    get parameters() {
      return listed().flatMap((each) => {
        const { in: place, name: text, required } = each;
        if ((place !== "header" && place !== "query") || typeof text !== "string") return [];
        const name = place === "header" ? text.toLowerCase() : text;
        // The parameter itself has the keywords of a schema in Swagger 2.0.
        const schema = toSchema(each.schema ?? each, root);
        const preset = fieldOf(follow(root, each.schema) ?? each, "default");
        return [{ in: place, name, required: required === true, schema, preset }];
      });
    },
    get body() {
      const request = partAt(root, value, "requestBody") ?? listed().find((each) => each.in === "body");
      return toSchema(schemaIn(root, request), root);
    },
    /** Of a success. */
    get answer() {
      const responses = fieldsIn(partAt(root, value, "responses"));
      const success = ["200", "201", "2XX", "2xx"].find((status) => Object.hasOwn(responses, status));
      return toSchema(success && schemaIn(root, partAt(root, responses, success)), root);
    },
  };
}

/** The schema of the first media type that has one, JSON before others. Swagger 2.0 has no types. */
function schemaIn(root: Fields, holder: unknown): unknown {
  const content = fieldsIn(partAt(root, holder, "content"));
  const isJson = (type: string) => Number(/\bjson\b/i.test(type));
  const types = Object.keys(content).sort((one, other) => isJson(other) - isJson(one));
  const schemas = types.flatMap((type) => fieldOf(partAt(root, content, type), "schema") ?? []);
  return schemas[0] ?? fieldOf(holder, "schema");
}
