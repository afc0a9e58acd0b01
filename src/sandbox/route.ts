// Which operation a method and a path mean (spec 4 and 9). The service answers by it and faults aim by it.

/** A request as it reaches the service: also what the client never sends, such as other methods. */
export interface ReceivedRequest {
  readonly method: string;
  /** Absolute URL. Only its path matters. */
  readonly url: string;
  /** Header names in lower case. */
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

/** The path of a URL, or the text itself where it is no URL. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

function routeOfPath(path: string): Exclude<Route, { kind: "wrong-method" }> {
  if (path === incidents) return { kind: "create" };
  if (path === "/openapi.json") return { kind: "openapi" };
  if (path === "/swagger.json") return { kind: "swagger" };
  const rest = path.startsWith(`${incidents}/`) ? path.slice(incidents.length + 1) : "";
  return rest !== "" && !rest.includes("/") ? { kind: "get", incidentId: rest } : { kind: "unknown" };
}

export function routeOf(request: ReceivedRequest): Route {
  const route = routeOfPath(pathOf(request.url));
  const allow = route.kind === "create" ? "POST" : "GET";
  if (route.kind === "unknown" || request.method === allow) return route;
  return { kind: "wrong-method", allow };
}
