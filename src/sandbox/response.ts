// What the service answers with before it becomes bytes on a wire or an Outcome: a status, headers and a body,
// and the error bodies of spec 7 to the letter.

export interface Answer {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const errorTexts = {
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

export type ErrorStatus = keyof typeof errorTexts;

export const encode = (text: string) => new TextEncoder().encode(text);

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: encode(JSON.stringify(value)) };
}

/** An error body (spec 7). Without `message` it is the one of the spec's example. */
export function errorAnswer(
  status: ErrorStatus,
  message: string = status === 401 ? "Bad Token" : errorTexts[status],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const attributes = status === 401 || status === 429 ? { attributes: {} } : {};
  return jsonAnswer(
    status,
    { statusCode: status, error: errorTexts[status], message, ...attributes },
    headers,
  );
}

/** A page as a proxy in front of a service sends it. */
export function htmlAnswer(status: number, title: string): Answer {
  const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: encode(page) };
}
