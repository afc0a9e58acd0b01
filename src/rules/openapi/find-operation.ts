// Finds an operation in an OpenAPI document by its path, with the base path of the document.
import { entriesOf, fieldOf, isMapping } from "../../untrusted-data.ts";
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

export function withoutNames(path: string): string {
  return path.includes("{") ? path.replace(/\{[^}]*\}/g, "{}") : path;
}

/** The operations whose path ends so. */
function operationsAt(root: Node, method: "post" | "get", end: string): readonly FoundOperation[] {
  return operationsOf(
    root,
    method,
    itemsAt(root, (path) => path.endsWith(end)),
  );
}

/** A path of the document and its operations. */
interface PathItem {
  /** It begins with the base path of the document. */
  readonly path: string;
  readonly item: Located;
}

/**
 * The items whose path, without the names of its parameters, is wanted. A document can have a million other paths, so
 * these are left out first.
 */
export function itemsAt(root: Node, isWanted: (path: string) => boolean): readonly PathItem[] {
  const paths = fieldAt(root, { value: root, at: "#" }, "paths");
  const ofDocument = basePath(root.servers, root.basePath);
  return namesIn(paths).flatMap((name) => {
    const own = nodeOf(fieldOf(paths?.value, name));
    const mayDiffer = own?.servers !== undefined || own?.$ref !== undefined;
    if (!mayDiffer && !isWanted(withoutNames(joinPath(ofDocument, name)))) return [];
    const item = fieldAt(root, paths, name);
    if (item === undefined) return [];
    const path = joinPath(basePath(nodeOf(item.value)?.servers ?? root.servers, root.basePath), name);
    return isWanted(withoutNames(path)) ? [{ path, item }] : [];
  });
}

export function operationsOf(
  root: Node,
  method: "get" | "post" | "put" | "patch",
  items: readonly PathItem[],
): readonly FoundOperation[] {
  return items.flatMap(({ path, item }) => {
    const operation = fieldAt(root, item, method);
    return operation !== undefined && isMapping(operation.value) ? [{ ...operation, path, item }] : [];
  });
}

function joinPath(base: string, name: string): string {
  return `${base}${name.startsWith("/") ? "" : "/"}${name}`;
}

/** Where an operation is served, before its path, in the words of the document; undefined where it does not say. */
export function serverOf(root: Node, { item, value }: FoundOperation): string | undefined {
  const servers = nodeOf(value)?.servers ?? nodeOf(item.value)?.servers ?? root.servers;
  return textOf(nodeOf(entriesOf(servers)[0])?.url);
}

/** The path of the first server, as the specification says; Swagger 2.0 has it by itself. */
function basePath(servers: unknown, ofSwagger: unknown): string {
  const url = textOf(nodeOf(entriesOf(servers)[0])?.url) ?? textOf(ofSwagger) ?? "";
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  return path.replace(/\/+$/, "");
}
