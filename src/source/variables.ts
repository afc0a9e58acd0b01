// Replaces `${name}` in the strings of a parsed document, so that no variable can change its structure, and reads a file of variables,
// such as the body of an alert.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { type DiagnosticMessage, errorAt, maxDiagnostics, type Path, type Problem } from "../diagnostic.ts";
import type { PublicText } from "../incident/policy.ts";
import { maxBodySize } from "../incident/values.ts";
import { controlIn } from "../rules/forms.ts";
import { quote } from "../rules/quote.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { decodeUtf8, isMapping, parseJson } from "../untrusted-data.ts";
import type { Source } from "./read-source.ts";
import { furtherDocument, parseSource, type SourceDocument } from "./yaml/read.ts";

export type VariableValues = ReadonlyMap<string, string>;

export interface Variables {
  readonly values: VariableValues;
  /** The names that documents use; grows with every document. */
  readonly used: Set<string>;
  /** The variables of a template: each gets its value later, and any other name is an error. */
  readonly declared?: ReadonlySet<string>;
  /** A file of values cannot be read: it may have one for any name. */
  readonly isUnread?: boolean;
}

/** A reference in the string at the path, and the value in its place. */
export interface Filled {
  readonly path: Path;
  readonly match: string;
  readonly name: string;
  readonly value: string;
}

export const variableName = /^[A-Za-z_][\w.-]*$/;

/** `$${` for a literal `${`, a variable with or without a default, or the start of an invalid reference. */
const reference = /\$\$\{|\$\{([A-Za-z_][\w.-]*?)(?::-((?:[^}$]|\$(?!\{))*))?\}|\$\{[^\s$}]*/g;

/** Replaces each reference in the text. A match without a name is an invalid reference. */
function replaceReferences(
  text: string,
  resolve: (match: string, name?: string, fallback?: string) => string,
): string {
  return text.replace(reference, (match, name?: string, fallback?: string) =>
    match === "$${" ? "${" : resolve(match, name, fallback),
  );
}

/** In all texts of the value, except the names of fields. */
export function replaceVariables(value: unknown, variables: Variables) {
  const problems: Problem[] = [];
  const incomplete: Path[] = [];
  const filled: Filled[] = [];
  /** The length of the filled texts, which is bounded, because a string has a maximum length. */
  let length = 0;
  let tooLargeAt: Path | undefined;

  function replaceText(text: string, path: Path): string {
    if (tooLargeAt !== undefined) return text;
    length += text.length;
    const values = new Map<string, Filled>();
    let isIncomplete = false;
    const report = (within: string, words: Omit<Problem, "path">) => {
      if (problems.length > maxDiagnostics) return;
      isIncomplete = true;
      problems.push({ ...words, path, within });
    };
    const resolve = (match: string, name?: string, fallback?: string) => {
      if (tooLargeAt !== undefined) return "";
      if (name === undefined) {
        report(match, invalidReference);
        return match;
      }
      variables.used.add(name);
      const value = variables.values.get(name);
      // As in a shell, the default also replaces an empty value.
      if (fallback !== undefined && (value === undefined || value === "")) return fallback;
      if (value !== undefined) {
        length += value.length;
        if (length > maxBodySize) tooLargeAt = path;
        values.set(match, { path, match, name, value });
        // A name has one line, and a control character of a value must not refuse it.
        const isBroken = path.join() === "name" && controlIn(value) !== undefined;
        return isBroken ? value.replace(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim() : value;
      }
      if (variables.isUnread || variables.declared?.has(name)) isIncomplete = true;
      else report(match, unknownVariable(name, variables));
      return match;
    };
    const plain = replaceReferences(text, resolve);
    filled.push(...values.values());
    if (isIncomplete) incomplete.push(path);
    return plain;
  }

  const replaced = mapTexts(value, (text, path) => (text.includes("${") ? replaceText(text, path) : text));
  return { value: replaced, problems, incomplete, filled, tooLargeAt };
}

/** Replaces each text of the value, except the names of fields. The mappings of the result have no prototype. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: Path) => string,
  path: Path = [],
): unknown {
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) return value.map((entry, index) => mapTexts(entry, change, [...path, index]));
  if (!isMapping(value)) return value;
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, field] of Object.entries(value)) fields[name] = mapTexts(field, change, [...path, name]);
  return fields;
}

export function textsIn(value: unknown): readonly PublicText[] {
  const texts: PublicText[] = [];
  mapTexts(value, (text, path) => {
    texts.push({ path, text });
    return text;
  });
  return texts;
}

/** Fills a text of a rule. An empty value counts as missing. `missing`: the names without a value and a default. */
export function fillText(text: string, given: Pick<VariableValues, "get"> = new Map()) {
  const missing = new Set<string>();
  const filled = replaceReferences(text, (match, name, fallback) => {
    if (name === undefined) return match;
    const value = given.get(name) || fallback;
    if (value === undefined) missing.add(name);
    return value ?? match;
  });
  return { text: filled, missing: [...missing] };
}

/** Escapes the strings of the value, so that replacing variables restores them. */
export function escapeVariables(value: unknown): unknown {
  return mapTexts(value, (text) => text.replaceAll("${", () => "$${"));
}

const invalidReference = {
  code: "bad-variable",
  message: 'this "${" does not start a variable',
  hint: "write ${name} or ${name:-default}; for the characters themselves write $${",
} as const;

function unknownVariable(name: string, { declared, values }: Variables) {
  const suggested = nearest(name, [...(declared ?? values.keys())]);
  if (declared !== undefined) {
    const message = `the template does not declare the variable ${name}`;
    const hint = withSuggestion(`add "${name}:" under variables`, suggested);
    return { code: "undeclared-variable", message, hint } as const;
  }
  const set = `set it with --var ${name}=…, or give it a default: \${${name}:-…}`;
  const hint = withSuggestion(`${set}; a template has it under variables`, suggested);
  return { code: "unset-variable", message: `the variable ${name} is not set`, hint } as const;
}

export type VariableFile = ReturnType<typeof readVariables>;

/** In bytes, of an alert's body. */
export const maxInputSize = 16 * 1024 * 1024;

export function readVariables(source: Source) {
  const { bytes } = source;
  const isTooLarge = bytes.length > maxInputSize;
  const body = isTooLarge ? undefined : parseBody(decodeUtf8(bytes) ?? "");
  if (body !== undefined) return { values: new Map(valuesIn(body)), diagnostics: [] };
  const { start, documents, diagnostics } = parseSource(source);
  const refuse = (code: Problem["code"], message: DiagnosticMessage) => ({
    values: new Map<string, string>(),
    diagnostics: [errorAt(code, message, start)],
  });
  if (isTooLarge) return refuse("file-too-large", tooLarge);
  const [document] = documents;
  const value = document?.value;
  const hasNames = isMapping(value) && Object.keys(value).some((name) => variableName.test(name));
  if (diagnostics.length === 0 && !hasNames) return refuse("no-input", unreadInput(bytes));
  const cut = document ? cutTexts(document, textsIn(value)) : [];
  const found = [...diagnostics, ...furtherDocument(documents, "a file of variables"), ...cut];
  return { values: new Map(valuesIn(value, document?.written)), diagnostics: found };
}

/** The plain texts that a "#" cuts short. A real comment has a space after it, or is indented no more than its field. */
export function cutTexts({ locate }: SourceDocument, texts: readonly PublicText[]) {
  return texts.flatMap(({ path }) => {
    const location = locate(path, "comment");
    const { start, end } = location;
    if (start.column === end.column || start.column <= locate(path, "key").start.column) return [];
    const message = `${path.at(-1)} ends before the "#": the rest of the line is a comment`;
    const hint = 'put the whole text in quotes: "…"';
    return errorAt("cut-text", { message, hint }, location, "warning");
  });
}

/** The mapping in a text of JSON, with each number as its spelling, because 1.10 is not 1.1; else undefined. */
function parseBody(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  let isString = false;
  const quoted = text.replace(/\\.|"|-?\d[-+.\deE]*/gs, (part) => {
    if (part === '"') isString = !isString;
    return isString || /^["\\]/.test(part) ? part : `"${part}"`;
  });
  return parseJson(quoted);
}

/** The most characters of a name before its last step: a long one above many values would be repeated for each. */
const longestStem = 256;

/** The values in a part of the input by their names, such as `alerts.0.status`. `spelled`: a number of YAML as the file has it. */
function* valuesIn(
  part: unknown,
  spelled?: (path: Path) => string,
  path: Path = [],
  read = new Set<unknown>(),
): Generator<readonly [name: string, value: string]> {
  if (typeof part === "string") yield [path.join("."), part];
  if (typeof part === "number" || typeof part === "boolean")
    yield [path.join("."), spelled?.(path) ?? String(part)];
  // A body inside of a text, as AWS SNS sends it in `Message`. The aliases of YAML can repeat a long one, which is read once.
  const inner = typeof part === "string" && !read.has(part) ? parseBody(part) : part;
  if (spelled !== undefined) read.add(part);
  const spelledInside = typeof part === "string" ? undefined : spelled;
  if (typeof inner !== "object" || inner === null || path.join(".").length > longestStem) return;
  // The last of two wins: a field "a.b" is meant before a field "b" of "a".
  const hasDot = ([name]: readonly [string, unknown]) => name.includes(".");
  const fields = Object.entries(inner);
  for (const [name, field] of [...fields.filter((each) => !hasDot(each)), ...fields.filter(hasDot)])
    yield* valuesIn(field, spelledInside, [...path, name], read);
}

function unreadInput(bytes: Uint8Array) {
  const start = quote(new TextDecoder().decode(bytes));
  const shown = bytes.length === 0 ? "" : `, ${bytes.length} bytes that begin with ${start}`;
  return {
    message: `the input is no JSON or YAML with variables${shown}`,
    hint: 'write each variable on a line of its own, as in "region: eu"; to see what a sender gives, put tee body.json | in front of this command',
  };
}

const tooLarge = {
  message: "the input is larger than 16 MiB, the limit of this tool",
  hint: "let the sender group fewer alerts",
};
