// Draws a request of a dry run: in wire format, or as a curl command.

import { assumeSafe, joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { shellQuote } from "../text/advice.ts";
import { escapeLine } from "./terminal/escape.ts";
import type { Style } from "./terminal/style.ts";

/** A create as it would be sent, without the key. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, with escapes for the characters that a terminal would hide or interpret. */
  readonly body: SafeText;
}

export function renderRequests(style: Style, requests: readonly ShownRequest[]): SafeText {
  const lines = requests.flatMap(({ method, url, headers, body }) => [
    style.color.bold(safe`${style.line(method)} ${style.line(url)}`),
    safe`authorization: Bearer ${style.color.dim("(your API key)")}`,
    ...Object.entries(headers).map(([name, value]) => safe`${style.line(name)}: ${style.line(value)}`),
    safe``,
    style.line(body),
    safe``,
  ]);
  return joinSafe(lines);
}

/** A command for a POSIX shell or fish that sends the request. It passes the key on stdin, where no list of processes shows it. */
export function renderCurl({ method, url, headers, body }: ShownRequest): SafeText {
  const lines = [
    safe`printf 'authorization: Bearer %s\\n' "$INCIDENT_CLI_API_KEY" |`,
    safe`  curl --silent --show-error --fail-with-body --request ${escapeLine(method)} ${word(url)} \\`,
    safe`    --header @- \\`,
    ...Object.entries(headers).map(([name, value]) => safe`    --header ${word(`${name}: ${value}`)} \\`),
    safe`    --data-raw ${assumeSafe(shellQuote(body))}`,
  ];
  return safe`${joinSafe(lines)}\n`;
}

function word(text: string): SafeText {
  return assumeSafe(shellQuote(escapeLine(text)));
}
