// -o curl: the requests of a dry run as commands.
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { shellQuote } from "../../text/advice.ts";
import type { ShownRequest } from "../../view/request.ts";

export function renderCurl(requests: readonly ShownRequest[]): SafeText {
  return joinSafe(requests.map(renderRequest));
}

/** A command for a POSIX shell or fish that sends the request. It passes the key on stdin, where no list of processes shows it. */
function renderRequest({ method, url, headers, body }: ShownRequest): SafeText {
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
