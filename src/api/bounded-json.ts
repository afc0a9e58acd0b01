// Bounds the JSON of an answer before it is parsed: the depth of its lists and objects, and the id in the start of an
// answer that is too large to read.

import { endOfString } from "../text/exact-json.ts";
import { parseJson } from "../untrusted-data.ts";

/** The deepest nesting that is read. A recursive walk of such a value stays far from the end of the stack. */
export const maxDepth = 64;

/** Stands for each list and object that is nested deeper. */
const tooDeep = `(nested more than ${maxDepth} levels deep, not read)`;

/** The JSON text with every list and object below the deepest level replaced by a string. Takes linear time. */
export function limitDepth(text: string): string {
  let limited = "";
  let copied = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth === maxDepth + 1) limited += text.slice(copied, at) + JSON.stringify(tooDeep);
    } else if (character === "]" || character === "}") {
      if (depth === maxDepth + 1) copied = at + 1;
      depth -= 1;
    }
  }
  return depth > maxDepth ? limited : limited + text.slice(copied);
}

/**
 * The `id` of the object that begins in `text`, or of the object in one of its `envelopes`, even if the object does not
 * end.
 */
export function idInStart(text: string, envelopes: readonly string[] = []): string | undefined {
  let depth = 0;
  let isKey = false;
  let isWrapped = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const key = isKey ? text.slice(at + 1, end) : undefined;
      if (key !== undefined && depth === 1) isWrapped = envelopes.includes(key);
      const id = key === "id" && (depth === 1 || (depth === 2 && isWrapped)) && valueAfter(text, end + 1);
      if (typeof id === "string") return id;
      isKey = false;
      at = end;
    } else if (character === "{" || character === "[") {
      depth += 1;
      isKey = character === "{";
    } else if (character === "}" || character === "]") depth -= 1;
    else if (character === ",") isKey = true;
  }
  return undefined;
}

/** The string after a colon at `from`; undefined for any other value. */
function valueAfter(text: string, from: number): unknown {
  const match = /\s*:\s*(?=")/y;
  match.lastIndex = from;
  if (!match.test(text)) return undefined;
  const start = match.lastIndex;
  return parseJson(text.slice(start, endOfString(text, start) + 1));
}
