// Bounds the depth of the JSON of an answer before it is parsed.
import { endOfString } from "../text/json-text.ts";

/** The deepest nesting that is read. A recursive walk of such a value stays far from the end of the stack. */
const maxDepth = 64;

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
