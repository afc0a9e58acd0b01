// Maps the method and path of a request to an operation (spec 4 and 9), for the service and for faults.

/** A request as the service receives it, including requests that the client never sends. */
export interface ReceivedRequest {
  readonly method: string;
  /** An absolute URL; only its path and its query are used. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The operations of the spec, then those that it does not show. */
export const operations = ["create", "get", "list", "edit", "update", "services"] as const;

export type Operation = (typeof operations)[number];

type Kind = Operation | "openapi";

const incidents = /^\/v1\/status-pages\/incidents$/;
const oneIncident = /^\/v1\/status-pages\/incidents\/([^/]+)$/;

const table: readonly (readonly [method: string, path: RegExp, kind: Kind])[] = [
  ["GET", incidents, "list"],
  ["POST", incidents, "create"],
  ["GET", oneIncident, "get"],
  ["PUT", oneIncident, "edit"],
  ["POST", /^\/v1\/status-pages\/incidents\/([^/]+)\/incident-updates$/, "update"],
  ["GET", /^\/v1\/status-pages\/services$/, "services"],
  ["GET", /^\/openapi\.json$/, "openapi"],
];

const ofSpec = table.filter(([, , kind]) => ["create", "get", "openapi"].includes(kind));

export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** `incidentId` is empty where the path has none. */
export function matchRoute({ method, url }: ReceivedRequest, onlySpec = false) {
  const path = pathOf(url);
  const here = (onlySpec ? ofSpec : table).filter(([, pattern]) => pattern.test(path));
  const [, pattern, kind] = here.find(([name]) => name === method) ?? [];
  if (kind !== undefined) return { kind, incidentId: pattern?.exec(path)?.[1] ?? "" };
  if (here.length === 0) return { kind: "unknown" } as const;
  return { kind: "wrong-method", allow: here.map(([name]) => name).join(", ") } as const;
}
