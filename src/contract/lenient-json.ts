// JSON as programs that write documents by hand produce it: with a byte order mark, with raw line breaks inside
// strings, with bytes that are no UTF-8. Only for what is read to learn from, never for an answer that decides.

/** The value, or undefined where it is no JSON even so. */
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

/** Character by character: a pattern would have to remember every step through a string of megabytes. */
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

/** After a backslash of its own, the character needs no other: `\` and a line break become `\n`. */
function escapeControl(character: string, isEscaped: boolean): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  return isEscaped ? escaped.slice(1) : escaped;
}
