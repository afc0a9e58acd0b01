// Reads a file of variables, such as the body of an alert. A value inside lists and mappings has a path as its name:
// `alerts.0.annotations.summary`.
import type { Diagnostic, DiagnosticMessage, Path } from "../../diagnostic.ts";
import { variablesRules } from "../../incident/definition.ts";
import { quote, typeOfValue } from "../../rules/quote.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { checkValue } from "../check.ts";
import { diagnosticAt, parseDocuments, parseSource, type SourceDocument } from "../documents.ts";
import type { Source } from "../read-source.ts";
import { type VariableValues, variableName } from "./replace-variables.ts";

export interface VariableFile {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** The most names of a file that are offered for a misspelt one. */
const maxNames = 1000;

export function readVariables(source: Source): VariableFile {
  const { bytes, file } = source;
  const { text, documents, diagnostics } = parseSource(source);
  const [document] = documents;
  const wrongKind = wrongKindOf(bytes, diagnostics.length === 0, document?.value);
  if (wrongKind !== undefined) {
    const diagnostic = diagnosticAt("no-input", noInput(wrongKind, bytes), text, file, 0);
    return { values: new Map(), diagnostics: [diagnostic] };
  }
  if (diagnostics.length > 0 || document === undefined) return { values: new Map(), diagnostics };
  const checked = checkValue(variablesRules, document.value, document.locate);
  return { values: withMessage(createLookup(document)), diagnostics: checked.diagnostics };
}

/** A field `Message` whose text is JSON, as AWS SNS sends it, is read as well: `Message.AlarmName`. */
function withMessage(values: VariableValues): VariableValues {
  const read = new Map<string, VariableValues | undefined>();
  const within = (name: string): VariableValues | undefined => {
    if (read.has(name)) return read.get(name);
    const text = values.get(name) ?? "";
    const { diagnostics, documents } = /^\s*\{/.test(text) ? parseDocuments(text, name) : noDocuments;
    const [document] = documents;
    const found = diagnostics.length === 0 && document ? createLookup(document) : undefined;
    read.set(name, found);
    return found;
  };
  return {
    get: (name) => {
      const value = values.get(name);
      const [, outer = "", inner = ""] = /^((?:.*?\.)?Message)\.(.*)$/s.exec(name) ?? [];
      return value ?? (outer === "" ? undefined : within(outer)?.get(inner));
    },
    *keys() {
      for (const name of values.keys()) {
        yield name;
        if (!/(^|\.)Message$/.test(name)) continue;
        for (const inner of within(name)?.keys() ?? []) yield `${name}.${inner}`;
      }
    },
  };
}

const noDocuments = { diagnostics: [], documents: [] };

function createLookup({ value: root, textOf }: SourceDocument): VariableValues {
  return {
    get: (name) => {
      const path = pathOf(root, name);
      if (path === undefined) return undefined;
      const value = path.reduce<unknown>((parent, step) => partOf(parent, step), root);
      // A number keeps the spelling of the file: 1.10 is not 1.1.
      return typeof value === "string" ? value : isScalar(value) ? textOf(path) : undefined;
    },
    keys: () => namesIn(root, []),
  };
}

/** The path that a name stands for. A key with dots in it is found as well as nested keys. */
function pathOf(root: unknown, name: string): Path | undefined {
  const path: (string | number)[] = [];
  let parent = root;
  let rest = name;
  for (;;) {
    if (partOf(parent, rest) !== undefined) return [...path, stepIn(parent, rest)];
    const dot = rest.indexOf(".");
    if (dot === -1) return undefined;
    const first = rest.slice(0, dot);
    path.push(stepIn(parent, first));
    parent = partOf(parent, first);
    if (parent === undefined) return undefined;
    rest = rest.slice(dot + 1);
  }
}

function stepIn(parent: unknown, name: string): string | number {
  return Array.isArray(parent) ? Number(name) : name;
}

function partOf(parent: unknown, step: string | number): unknown {
  const isIndex = /^(0|[1-9]\d{0,8})$/.test(String(step));
  return Array.isArray(parent) && !isIndex ? undefined : fieldOf(parent, step);
}

function isScalar(value: unknown): boolean {
  return ["number", "boolean"].includes(typeOfValue(value));
}

function* namesIn(value: unknown, path: Path): Generator<string> {
  let count = 0;
  const open: (readonly [unknown, Path])[] = [[value, path]];
  for (let next = open.pop(); next !== undefined && count < maxNames; next = open.pop()) {
    const [part, at] = next;
    if (typeof part === "string" || isScalar(part)) {
      count += 1;
      yield at.join(".");
    } else if (typeof part === "object" && part !== null) {
      const entries = Object.entries(part).slice(0, maxNames).reverse();
      for (const [name, field] of entries) open.push([field, [...at, name]]);
    }
  }
}

function noInput(what: string, bytes: Uint8Array): DiagnosticMessage {
  const start = quote(new TextDecoder().decode(bytes));
  const shown = bytes.length === 0 ? "" : `, ${bytes.length} bytes that begin with ${start}`;
  return {
    message: `the input is ${what}, not the JSON or YAML of an alert${shown}`,
    hint: "look at what the sender gives: put tee body.json | in front of this command, or see the start of the file with head -c 300",
  };
}

/** The kind of an input without variables; undefined for one that can be read, or that has errors of its own syntax. */
function wrongKindOf(bytes: Uint8Array, isReadable: boolean, value: unknown): string | undefined {
  const text = new TextDecoder().decode(bytes).trim();
  if (text === "") return "empty";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "compressed with gzip";
  if (/^<(!doctype html|html|head|body)\b/i.test(text)) return "HTML";
  if (text.startsWith("<")) return "XML or HTML";
  if (/^[{[]/.test(text)) return isReadable || !isCutOff(text) ? undefined : "JSON that is cut off";
  if (/^[^\s=&:]+=\S*$/.test(text)) return "a form-encoded body";
  const names = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return isReadable && !names.some((name) => variableName.test(name)) ? "plain text" : undefined;
}

/** Whether a text or a bracket is open at the end. */
function isCutOff(json: string): boolean {
  const brackets = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*("?)/gs, (_, end) => (end === "" ? "{" : ""));
  const count = (form: RegExp) => brackets.match(form)?.length ?? 0;
  return count(/[[{]/g) > count(/[\]}]/g);
}
