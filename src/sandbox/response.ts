// A response of the service before it becomes bytes on a socket or an `Outcome`, and the error bodies of spec 7.
import { STATUS_CODES } from "node:http";

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 500 | 503;

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
  message: string = status === 401 ? "Bad Token" : (STATUS_CODES[status] ?? ""),
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  const attributes = status === 401 || status === 429 ? { attributes: {} } : {};
  return jsonResponse(
    status,
    { statusCode: status, error: STATUS_CODES[status], message, ...attributes },
    headers,
  );
}

/** An HTML page, as a proxy in front of a service sends it. */
export function htmlResponse(status: number, title: string): ServiceResponse {
  const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: encode(page) };
}
