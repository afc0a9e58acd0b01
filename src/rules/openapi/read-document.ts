// Reads the bytes of an OpenAPI document: gzip, JSON, JSON with raw control characters, or YAML.
import { gunzipSync } from "node:zlib";
import { ContractError, contractBounds } from "./contract.ts";

/** Undefined for text that is no YAML. */
export type ParseYaml = (text: string) => unknown;

/** Throws a `ContractError` for bytes that are no document. */
export function readDocument(given: Uint8Array, parseYaml: ParseYaml): unknown {
  const bytes = isGzip(given) ? inflate(given) : given;
  if (bytes.length > contractBounds.documentSize) throw tooLarge();
  const text = new TextDecoder().decode(bytes);
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) throw new ContractError("is empty");
  if (start === "<") throw new ContractError("is HTML or XML, and not JSON or YAML");
  const value = parseLenientText(text) ?? (start === "{" || start === "[" ? undefined : parseYaml(text));
  if (typeof value !== "object" || value === null) throw new ContractError("is neither JSON nor YAML");
  return value;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: contractBounds.documentSize });
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : new ContractError("is gzip that cannot be decompressed");
  }
}

function tooLarge(): ContractError {
  return new ContractError("is larger than 64 MiB");
}

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

const quote = 0x22;
const backslash = 0x5c;
const isControl = (unit: number) => unit < 0x20;
const escapes = Array.from({ length: 0x20 }, (_, unit) =>
  JSON.stringify(String.fromCharCode(unit)).slice(1, -1),
);

/** Parts are joined in groups, so that a text of control characters alone does not fill the memory with its parts. */
const partsInGroup = 10_000;

/** Walks the code units in a loop, because a regular expression would backtrack through strings of megabytes. */
function withEscapedControls(text: string): string {
  const groups: string[] = [];
  let parts: string[] = [];
  let copied = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (!isInString || unit === quote) {
      if (unit === quote) isInString = !isInString;
      continue;
    }
    const isEscaped = unit === backslash;
    // A text that ends here has no unit: NaN is no control character.
    const control = isEscaped ? text.charCodeAt(at + 1) : unit;
    if (isControl(control)) {
      // After a backslash the character needs no other one: `\` and a line break become `\n`.
      parts.push(text.slice(copied, at), escapes[control] ?? "");
      copied = at + (isEscaped ? 2 : 1);
      if (parts.length >= partsInGroup) {
        groups.push(parts.join(""));
        parts = [];
      }
    }
    if (isEscaped) at += 1;
  }
  return [...groups, ...parts, text.slice(copied)].join("");
}
