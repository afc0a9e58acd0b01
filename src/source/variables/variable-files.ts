// Reads a file of variables, such as the body of an alert. A value inside lists and mappings has a path as its name:
// `alerts.0.annotations.summary`.
import type { Diagnostic, Path } from "../../diagnostic.ts";
import { variablesRules } from "../../incident/definition.ts";
import { fieldOf } from "../../own-value.ts";
import { kindOf } from "../../rules/quote.ts";
import { checkValue } from "../check.ts";
import { decodeText } from "../decode.ts";
import { parseDocuments, type SourceDocument } from "../documents.ts";
import type { Source } from "../read-source.ts";
import type { VariableValues } from "./replace-variables.ts";

export interface VariableFile {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** The most names of a file that are offered for a misspelt one. */
const maxNames = 1000;

/** Reads a mapping of names to values, in YAML or JSON. */
export function readVariables(source: Source): VariableFile {
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return { values: new Map(), diagnostics: [decoded.diagnostic] };
  const { documents, diagnostics } = parseDocuments(decoded.text, source.file);
  const [document] = documents;
  if (diagnostics.length > 0 || document === undefined) return { values: new Map(), diagnostics };
  const checked = checkValue(variablesRules, document.value, document.locate);
  return { values: createLookup(document), diagnostics: checked.diagnostics };
}

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
  return ["number", "boolean"].includes(kindOf(value));
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
