// Parses JSON leniently: with a byte order mark, raw control characters in strings, or bytes that are not UTF-8, as in
// published OpenAPI documents. Not for answers that decide about an incident.

/** Undefined for text that is not JSON even so. */
export function parseLenientJson(bytes: Uint8Array): unknown {
  return parseLenientText(new TextDecoder().decode(bytes));
}

/** As `parseLenientJson`, for text without a byte order mark. */
export function parseLenientText(text: string): unknown {
  return parse(text) ?? parse(withEscapedControls(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Walks the code units in a loop, because a regular expression would backtrack through strings of megabytes. */
function withEscapedControls(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] as string;
    if (!isInString) {
      if (unit === '"') isInString = true;
      continue;
    }
    if (unit === '"') isInString = false;
    else if (unit === "\\" && !isControl(text[at + 1])) at += 1;
    else if (unit === "\\" || isControl(unit)) {
      // After a backslash the character needs no other one: `\` and a line break become `\n`.
      const isEscaped = unit === "\\";
      parts.push(text.slice(copied, at), JSON.stringify(isEscaped ? text[at + 1] : unit).slice(1, -1));
      if (isEscaped) at += 1;
      copied = at + 1;
    }
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

function isControl(unit: string | undefined): boolean {
  return unit !== undefined && unit < " ";
}
