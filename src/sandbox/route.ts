// Maps the method and path of a request to an operation (spec 4 and 9), for the service and for faults.

/** A request as the service receives it, including requests that the client never sends. */
export interface ReceivedRequest {
  readonly method: string;
  /** An absolute URL; only its path is used. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export type Route =
  | { readonly kind: "create" }
  | { readonly kind: "get"; readonly incidentId: string }
  | { readonly kind: "openapi" }
  | { readonly kind: "swagger" }
  | { readonly kind: "wrong-method"; readonly allow: "GET" | "POST" }
  | { readonly kind: "unknown" };

const incidents = "/v1/status-pages/incidents";

export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function matchPath(path: string): Exclude<Route, { kind: "wrong-method" }> {
  if (path === incidents) return { kind: "create" };
  if (path === "/openapi.json") return { kind: "openapi" };
  if (path === "/swagger.json") return { kind: "swagger" };
  const rest = path.startsWith(`${incidents}/`) ? path.slice(incidents.length + 1) : "";
  return rest !== "" && !rest.includes("/") ? { kind: "get", incidentId: rest } : { kind: "unknown" };
}

export function matchRoute(request: ReceivedRequest): Route {
  const route = matchPath(pathOf(request.url));
  const allow = route.kind === "create" ? "POST" : "GET";
  if (route.kind === "unknown" || request.method === allow) return route;
  return { kind: "wrong-method", allow };
}
