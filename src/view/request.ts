// Draws a request of a dry run in wire format.

import { joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
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
    body,
    safe``,
  ]);
  return joinSafe(lines);
}
