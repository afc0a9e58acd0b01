// Draws the requests of a dry run: in wire format, and for -o curl as commands.
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { shellQuote } from "../text/advice.ts";
import type { Style } from "./terminal/style.ts";

/** As it would be sent, without the key. */
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

export function renderCurl(requests: readonly ShownRequest[]): SafeText {
  return joinSafe(requests.map(commandFor));
}

/** A command for a POSIX shell or fish. It passes the key on stdin, where no list of processes shows it. */
function commandFor({ method, url, headers, body }: ShownRequest): SafeText {
  // The id in the answer to the create before it.
  const note = url.includes("{id}")
    ? [safe`# set ID to the id of the declared incident, which the answer above has`]
    : [];
  const address = assumeSafe(word(url).replace("{id}", `'"$ID"'`));
  const lines = [
    ...note,
    safe`printf 'authorization: Bearer %s\\n' "$INCIDENT_CLI_API_KEY" |`,
    safe`  curl --silent --show-error --fail-with-body --request ${escapeLine(method)} ${address} \\`,
    safe`    --header @- \\`,
    ...Object.entries(headers).map(([name, value]) => safe`    --header ${word(`${name}: ${value}`)} \\`),
    safe`    --data-raw ${assumeSafe(shellQuote(body))}`,
  ];
  return safe`${joinSafe(lines)}\n`;
}

function word(text: string): SafeText {
  return assumeSafe(shellQuote(escapeLine(text)));
}
