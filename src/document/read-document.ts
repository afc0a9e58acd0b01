// Reads the bytes of an OpenAPI document: JSON, JSON with raw control characters, or YAML.

import { parseJson } from "../untrusted-data.ts";
import { ContractError, contractBounds } from "./contract-error.ts";

/** Throws a `ContractError` for bytes that are no document. */
export async function readDocument(
  bytes: Uint8Array,
  parseYaml: (text: string) => unknown,
): Promise<unknown> {
  if (bytes.length > contractBounds.documentSize) throw new ContractError("is larger than 64 MiB");
  const text = new TextDecoder().decode(bytes);
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) throw new ContractError("is empty");
  if (start === "<") throw new ContractError("is HTML or XML, and not JSON or YAML");
  const value =
    parseLenientText(text) ?? (start === "{" || start === "[" ? undefined : await parseYaml(text));
  if (typeof value !== "object" || value === null) throw new ContractError("is neither JSON nor YAML");
  return value;
}

export function parseLenientText(text: string): unknown {
  return parseJson(text) ?? parseJson(withEscapedControls(text));
}

/** Escapes raw control characters in strings. The pattern has no repetition, so that it takes linear time. */
function withEscapedControls(text: string): string {
  let isInString = false;
  return text.replace(/"|\\?[^ -\uffff]|\\./g, (found) => {
    if (found === '"') isInString = !isInString;
    const last = found.slice(-1);
    // After a backslash the character needs no other one: `\` and a line break become `\n`.
    return isInString && last < " " ? JSON.stringify(last).slice(1, -1) : found;
  });
}
