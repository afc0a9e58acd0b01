// Finds an operation in an OpenAPI document by its path, with the base path of the document.
import { entriesOf, fieldOf, isMapping } from "../../own-value.ts";
import { ContractError } from "./contract.ts";
import { fieldAt, type Located, type Node, namesIn, nodeOf, textOf } from "./references.ts";

/** The path of a create below the base URL (spec 4.2). */
export const createPath = "/v1/status-pages/incidents";

export interface FoundOperation extends Located {
  /** The path begins with the base path of the document. */
  readonly path: string;
  readonly item: Located;
}

/** The operation of the spec's path, else of the same path in another version or without one. */
export function findOperation(
  root: Node,
  method: "post" | "get",
  ofOne: boolean,
): FoundOperation & { readonly name: string } {
  const last = ofOne ? "/{}" : "";
  const expected = `${createPath}${last}`;
  const anyVersion = new RegExp(`/v\\d+/status-pages/incidents${last}$`);
  const ranks = [
    (path: string) => path === expected,
    (path: string) => path.endsWith(expected),
    (path: string) => anyVersion.test(path),
    () => true,
  ];
  const found = operationsAt(root, method, `/status-pages/incidents${last}`);
  const name = `${method.toUpperCase()} ${createPath}${ofOne ? "/{incidentId}" : ""}`;
  for (const matches of ranks) {
    const operation = found.find(({ path }) => matches(withoutNames(path)));
    if (operation !== undefined) return { ...operation, name };
  }
  const others = operationsAt(root, method, "").length;
  throw new ContractError(
    `has no ${name}${others === 0 ? "" : `; it has ${others} other ${method.toUpperCase()} operations`}`,
    { lacksOperation: true },
  );
}

function withoutNames(path: string): string {
  return path.includes("{") ? path.replace(/\{[^}]*\}/g, "{}") : path;
}

/** The operations whose path ends so. A document can have a million other paths, so these are left out first. */
function operationsAt(root: Node, method: "post" | "get", end: string): readonly FoundOperation[] {
  const paths = fieldAt(root, { value: root, at: "#" }, "paths");
  const ofDocument = basePath(root.servers, root.basePath);
  return namesIn(paths).flatMap((name) => {
    const own = nodeOf(fieldOf(paths?.value, name));
    const mayDiffer = own?.servers !== undefined || own?.$ref !== undefined;
    if (!mayDiffer && !withoutNames(joinPath(ofDocument, name)).endsWith(end)) return [];
    const item = fieldAt(root, paths, name);
    const operation = fieldAt(root, item, method);
    if (item === undefined || operation === undefined || !isMapping(operation.value)) return [];
    const path = joinPath(basePath(nodeOf(item.value)?.servers ?? root.servers, root.basePath), name);
    return withoutNames(path).endsWith(end) ? [{ ...operation, path, item }] : [];
  });
}

function joinPath(base: string, name: string): string {
  return `${base}${name.startsWith("/") ? "" : "/"}${name}`;
}

/** The path of the first server, as the specification says; Swagger 2.0 has it by itself. */
function basePath(servers: unknown, ofSwagger: unknown): string {
  const url = textOf(nodeOf(entriesOf(servers)[0])?.url) ?? textOf(ofSwagger) ?? "";
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  return path.replace(/\/+$/, "");
}
