// Tells an input that holds no variables, such as an error page in the place of an alert, by its bytes.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { quote } from "../../rules/quote.ts";
import { variableName } from "./replace-variables.ts";

/** Undefined for an input that can be read, or that has the errors of its own syntax. */
export function describeNoInput(
  bytes: Uint8Array,
  isReadable: boolean,
  value: unknown,
): DiagnosticMessage | undefined {
  const text = new TextDecoder().decode(bytes);
  const what = kindOfInput(bytes, text.trim(), isReadable, value);
  if (what === undefined) return undefined;
  const shown = bytes.length === 0 ? "" : `, ${bytes.length} bytes that begin with ${quote(text)}`;
  return {
    message: `the input is ${what}, not the JSON or YAML of an alert${shown}`,
    hint: "look at what the sender gives: put tee body.json | in front of this command, or see the start of the file with head -c 300",
  };
}

function kindOfInput(
  bytes: Uint8Array,
  text: string,
  isReadable: boolean,
  value: unknown,
): string | undefined {
  if (text === "") return "empty";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "compressed with gzip";
  if (/^<(!doctype html|html|head|body)\b/i.test(text)) return "HTML";
  if (text.startsWith("<")) return "XML or HTML";
  if (/^[{[]/.test(text)) return isReadable || !isCutOff(text) ? undefined : "JSON that is cut off";
  if (/^[^\s=&:]+=\S*$/.test(text)) return "a form-encoded body";
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (isReadable && !names.some((name) => variableName.test(name))) return "plain text";
  return undefined;
}

/** Whether a text or a bracket is open at the end. */
function isCutOff(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (isInText && character === "\\") at += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === "{" || character === "[")) depth += 1;
    else if (!isInText && (character === "}" || character === "]")) depth -= 1;
  }
  return isInText || depth > 0;
}
