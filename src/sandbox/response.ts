// A response of the service before it becomes bytes on a socket or an `Outcome`, and the error bodies of spec 7.

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const reasonPhrases = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const satisfies Record<number, string>;

export type ErrorStatus = keyof typeof reasonPhrases;

export const encode = (text: string) => new TextEncoder().encode(text);

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: encode(JSON.stringify(value)) };
}

/** An error body (spec 7). The default `message` is that of the spec's example. */
export function errorResponse(
  status: ErrorStatus,
  message: string = status === 401 ? "Bad Token" : reasonPhrases[status],
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  const attributes = status === 401 || status === 429 ? { attributes: {} } : {};
  return jsonResponse(
    status,
    { statusCode: status, error: reasonPhrases[status], message, ...attributes },
    headers,
  );
}

/** An HTML page, as a proxy in front of a service sends it. */
export function htmlResponse(status: number, title: string): ServiceResponse {
  const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: encode(page) };
}
