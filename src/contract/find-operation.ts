// Finds an operation in an OpenAPI document by its path, with the base path of the document.
import { ContractError } from "./contract.ts";
import { fieldAt, type Located, listOf, type Node, nodeOf, textOf } from "./references.ts";

/** The path of a create below the base URL (spec 4.2). */
export const createPath = "/v1/status-pages/incidents";

export interface FoundOperation extends Located {
  /** With the base path of the document. */
  readonly path: string;
  /** Where the operation's path stands. */
  readonly item: Located;
}

/** The operation of the spec's path, else of the same path in another version or without one. */
export function findOperation(
  root: Node,
  method: "post" | "get",
  ofOne: boolean,
): FoundOperation & { readonly name: string } {
  const found = pathsOf(root).flatMap((item) => {
    const operation = fieldAt(root, item.item, method);
    return operation === undefined || nodeOf(operation.value) === undefined
      ? []
      : [{ ...operation, path: item.path, item: item.item }];
  });
  const last = ofOne ? "/{}" : "";
  const expected = `${createPath}${last}`;
  const ranks = [
    (path: string) => path === expected,
    (path: string) => path.endsWith(expected),
    (path: string) => new RegExp(`/v\\d+/status-pages/incidents${last}$`).test(path),
    (path: string) => path.endsWith(`/status-pages/incidents${last}`),
  ];
  const name = `${method.toUpperCase()} ${createPath}${ofOne ? "/{incidentId}" : ""}`;
  for (const matches of ranks) {
    const operation = found.find(({ path }) => matches(path.replace(/\{[^}]*\}/g, "{}")));
    if (operation !== undefined) return { ...operation, name };
  }
  throw new ContractError(
    `has no ${name}${found.length === 0 ? "" : `; it has ${found.length} other ${method.toUpperCase()} operations`}`,
  );
}

function pathsOf(root: Node): readonly { readonly path: string; readonly item: Located }[] {
  const paths = fieldAt(root, { value: root, at: "#" }, "paths");
  return Object.keys(nodeOf(paths?.value) ?? {}).flatMap((path) => {
    const item = paths && fieldAt(root, paths, path);
    if (item === undefined) return [];
    return [{ path: `${basePath(root, item)}${path.startsWith("/") ? "" : "/"}${path}`, item }];
  });
}

/** The path of the first server, as the specification says; Swagger 2.0 has it by itself. */
function basePath(root: Node, item: Located): string {
  const servers = listOf(nodeOf(item.value)?.servers ?? root.servers);
  const url = textOf(nodeOf(servers[0])?.url) ?? textOf(root.basePath) ?? "";
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  return path.replace(/\/+$/, "");
}
