// A response of the service before it becomes bytes on a socket or an `Outcome`, and the error bodies of spec 7.
import { STATUS_CODES } from "node:http";

type Headers = Readonly<Record<string, string>>;

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export function textResponse(
  status: number,
  type: "application/json" | "text/css" | "text/html" | "text/javascript",
  text: string,
  headers: Headers = {},
): ServiceResponse {
  const body = new TextEncoder().encode(text);
  return { status, headers: { "content-type": `${type}; charset=utf-8`, ...headers }, body };
}

export const jsonResponse = (status: number, value: unknown, headers?: Headers): ServiceResponse =>
  textResponse(status, "application/json", JSON.stringify(value), headers);

/** An error body (spec 7). The default `message` is that of the spec's example. */
export function errorResponse(
  status: number,
  message: string = status === 401 ? "Bad Token" : (STATUS_CODES[status] ?? ""),
  headers?: Headers,
): ServiceResponse {
  const attributes = status === 401 || status === 429 ? { attributes: {} } : {};
  const body = { statusCode: status, error: STATUS_CODES[status], message, ...attributes };
  return jsonResponse(status, body, headers);
}

/** An HTML page, as a proxy in front of a service sends it. */
export function htmlResponse(status: number, title: string): ServiceResponse {
  const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return textResponse(status, "text/html", page);
}
