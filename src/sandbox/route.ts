// Maps the method and path of a request to an operation (spec 4 and 9), for the service and for faults.

/** A request as the service receives it, including requests that the client never sends. */
export interface ReceivedRequest {
  readonly method: string;
  /** An absolute URL; only its path and its query are used. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The operations of the spec, then those that it does not show. "update" adds an update, "updates" reads them. */
export const operations = ["create", "get", "list", "edit", "update", "updates", "services"] as const;

export type Operation = (typeof operations)[number];

export type LifeOperation = Exclude<Operation, "create" | "get">;

type Kind = Operation | "openapi" | "swagger";

export type Route =
  /** `incidentId` is empty where the path has none. */
  | { readonly kind: Kind; readonly incidentId: string }
  | { readonly kind: "wrong-method"; readonly allow: string }
  | { readonly kind: "unknown" };

type Method = readonly [method: string, kind: Kind];

const resources: readonly (readonly [path: RegExp, methods: readonly Method[]])[] = [
  [
    /^\/v1\/status-pages\/incidents$/,
    [
      ["GET", "list"],
      ["POST", "create"],
    ],
  ],
  [
    /^\/v1\/status-pages\/incidents\/([^/]+)$/,
    [
      ["GET", "get"],
      ["PUT", "edit"],
    ],
  ],
  [
    /^\/v1\/status-pages\/incidents\/([^/]+)\/incident-updates$/,
    [
      ["GET", "updates"],
      ["POST", "update"],
    ],
  ],
  [/^\/v1\/status-pages\/services$/, [["GET", "services"]]],
  [/^\/openapi\.json$/, [["GET", "openapi"]]],
  [/^\/swagger\.json$/, [["GET", "swagger"]]],
];

const kindsOfSpec: readonly Kind[] = ["create", "get", "openapi", "swagger"];

export const isOfSpec = (kind: Kind): boolean => kindsOfSpec.includes(kind);

export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** `has`: whether the service has an operation. */
export function matchRoute(
  { method, url }: ReceivedRequest,
  has: (kind: Kind) => boolean = () => true,
): Route {
  const path = pathOf(url);
  for (const [pattern, all] of resources) {
    const match = pattern.exec(path);
    const methods = all.filter(([, kind]) => has(kind));
    if (match === null || methods.length === 0) continue;
    const [, kind] = methods.find(([name]) => name === method) ?? [];
    if (kind !== undefined) return { kind, incidentId: match[1] ?? "" };
    return { kind: "wrong-method", allow: methods.map(([name]) => name).join(", ") };
  }
  return { kind: "unknown" };
}
