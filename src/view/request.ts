// Draws a request of a dry run: in wire format, or as a curl command.
import { shellQuote } from "../platform/shell-quote.ts";
import { escapeJson } from "./terminal/escape.ts";
import type { Style } from "./terminal/style.ts";

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Method, URL, headers without the key, and the body. */
export function renderRequests(style: Style, requests: readonly ShownRequest[]): string {
  return requests.map((request) => renderRequest(style, request)).join("\n");
}

function renderRequest(style: Style, { method, url, headers, body }: ShownRequest): string {
  const lines = [
    style.color.bold(`${method} ${style.line(url)}`),
    `authorization: Bearer ${style.color.dim("(your API key)")}`,
    ...Object.entries(headers).map(([name, value]) => `${style.line(name)}: ${style.line(value)}`),
    "",
    style.line(body),
  ];
  return `${lines.join("\n")}\n`;
}

/** A command for a POSIX shell or fish that sends the request. It passes the key on stdin, where no list of processes shows it. */
export function renderCurl({ method, url, headers, body }: ShownRequest): string {
  const lines = [
    `printf 'authorization: Bearer %s\\n' "$INCIDENT_CLI_API_KEY" |`,
    `  curl --silent --show-error --fail-with-body --request ${method} ${shellQuote(url)} \\`,
    "    --header @- \\",
    ...Object.entries(headers).map(([name, value]) => `    --header ${shellQuote(`${name}: ${value}`)} \\`),
    `    --data-raw ${shellQuote(escapeJson(body))}`,
  ];
  return `${lines.join("\n")}\n`;
}
