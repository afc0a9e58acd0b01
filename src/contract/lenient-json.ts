// Parses JSON leniently: with a byte order mark, raw control characters in strings, or bytes that are not UTF-8, as in
// published OpenAPI documents. Not for answers that decide about an incident.

/** Undefined for text that is not JSON even so. */
export function parseLenientJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return parse(text) ?? parse(withEscapedControls(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Walks the characters in a loop, because a regular expression would backtrack through strings of megabytes. */
function withEscapedControls(text: string): string {
  const parts: string[] = [];
  let isInString = false;
  let isEscaped = false;
  for (const character of text) {
    const isControl = character < " ";
    if (isInString && isControl) parts.push(escapeControl(character, isEscaped));
    else parts.push(character);
    if (character === '"' && !isEscaped) isInString = !isInString;
    isEscaped = isInString && character === "\\" && !isEscaped;
  }
  return parts.join("");
}

/** After a backslash the character needs no other one: `\` and a line break become `\n`. */
function escapeControl(character: string, isEscaped: boolean): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  return isEscaped ? escaped.slice(1) : escaped;
}
