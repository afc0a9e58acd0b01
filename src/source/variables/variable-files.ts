// Reads a file of variables, such as the body of an alert. A value inside lists and mappings has a path as its name:
// `alerts.0.annotations.summary`.
import type { Diagnostic, DiagnosticMessage, Path } from "../../diagnostic.ts";
import { quote, typeOfValue } from "../../rules/quote.ts";
import { quoteNumbers } from "../../text/json-text.ts";
import { decodeUtf8, fieldOf, isMapping } from "../../untrusted-data.ts";
import { diagnosticAt, parseSource } from "../documents.ts";
import type { Source } from "../read-source.ts";
import { type VariableValues, variableName } from "./replace-variables.ts";

export type VariableFile = ReturnType<typeof readVariables>;

/** The most bytes of an alert's body, which is JSON: 16 MiB. */
export const maxInputSize = 16 * 1024 * 1024;

export function readVariables(source: Source) {
  const { bytes, file } = source;
  const refuse = (code: Diagnostic["code"], message: DiagnosticMessage) => ({
    values: new Map<string, string>(),
    diagnostics: [diagnosticAt(code, message, "", file, 0)],
  });
  if (bytes.length > maxInputSize) return refuse("file-too-large", tooLarge);
  const text = decodeUtf8(bytes);
  const body = parseJson(text ?? "");
  if (body !== undefined) return { values: createLookup(body), diagnostics: [] };
  const { text: read, documents, diagnostics } = parseSource(source);
  const [document] = documents;
  if (diagnostics.length > 0) return { values: new Map<string, string>(), diagnostics };
  const value = document?.value;
  if (!isMapping(value) || !Object.keys(value).some((name) => variableName.test(name)))
    return refuse("no-input", noInput(bytes));
  return {
    values: createLookup(value, (path) => read.slice(...(document?.spanOf(path) ?? []))),
    diagnostics: [],
  };
}

/** The mapping that the text is as JSON; else undefined. A number becomes its text, as the spelling of the file: 1.10 is not 1.1. */
function parseJson(text: string): object | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(quoteNumbers(text));
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `textOf`: how the file spells a number. */
function createLookup(root: object, textOf?: (path: Path) => string | undefined): VariableValues {
  return {
    get: (name) => {
      const found = find(root, name);
      if (typeof found?.value === "string") return found.value;
      return isScalar(found?.value) ? (textOf?.(found?.path ?? []) ?? String(found?.value)) : undefined;
    },
    keys: () => namesIn(root, []),
  };
}

/** The value that a name stands for. A key with dots in it is found as well as nested keys. */
function find(root: unknown, name: string): { readonly value: unknown; readonly path: Path } | undefined {
  const path: string[] = [];
  let parent = root;
  let rest = name;
  for (;;) {
    const value = partOf(parent, rest);
    if (value !== undefined) return { value, path: [...path, rest] };
    const dot = rest.indexOf(".");
    if (dot === -1) return undefined;
    path.push(rest.slice(0, dot));
    parent = partOf(parent, rest.slice(0, dot));
    rest = rest.slice(dot + 1);
  }
}

function partOf(parent: unknown, step: string): unknown {
  // A body inside of a text, as AWS SNS sends it in `Message`.
  if (typeof parent === "string") return fieldOf(parseJson(parent), step);
  const isIndex = /^(0|[1-9]\d{0,8})$/.test(step);
  return Array.isArray(parent) && !isIndex ? undefined : fieldOf(parent, step);
}

function isScalar(value: unknown): boolean {
  return ["number", "boolean"].includes(typeOfValue(value));
}

/** The names of the values in a part of the input: a thousand of each mapping, down to twenty levels. */
function* namesIn(part: unknown, at: Path): Generator<string> {
  if (typeof part === "string" || isScalar(part)) yield at.join(".");
  const inner = typeof part === "string" ? parseJson(part) : part;
  if (typeof inner !== "object" || inner === null || at.length === 20) return;
  for (const [name, field] of Object.entries(inner).slice(0, 1000)) yield* namesIn(field, [...at, name]);
}

function noInput(bytes: Uint8Array): DiagnosticMessage {
  const start = quote(new TextDecoder().decode(bytes));
  const shown = bytes.length === 0 ? "" : `, ${bytes.length} bytes that begin with ${start}`;
  return {
    message: `the input is not the JSON or YAML of an alert${shown}`,
    hint: "look at what the sender gives: put tee body.json | in front of this command, or see the start of the file with head -c 300",
  };
}

const tooLarge: DiagnosticMessage = {
  message: "the input is larger than 16 MiB, the limit of this tool",
  hint: "let the sender group fewer alerts",
};
