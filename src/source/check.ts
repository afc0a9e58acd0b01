// Checks a parsed YAML value by a schema, and finds the place of each problem in the text. Diagnostics of a settings file repeat few
// values, because an API key can be anywhere in it.
import { arranged, type Diagnostic, keyOf, type Path, type Problem } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { normalName } from "../incident/values.ts";
import { isFreeText, type Zod } from "../rules/kinds.ts";
import { meantField, parseValue, requiredOf, type Violation, wordsFor } from "../rules/messages.ts";
import { cutText } from "../text/lengths.ts";
import { findLookAlike, plainText } from "../text/look-alikes.ts";
import { fieldOf } from "../untrusted-data.ts";
import { furtherDocument, type ParsedText, type SourceDocument } from "./yaml/read.ts";

/**
 * The valid value with its fields in the order of the schema, or a problem for each violation. `rootName`: the name of the value in
 * messages. `paths`: those of the problems, and of the fields that they suggest.
 */
export function checkValue<T>(schema: Zod<T>, value: unknown, rootName = "the document") {
  const { value: valid, violations } = parseValue(schema, value);
  const missing = violations.filter(({ rule }) => rule === "missing").map(({ path }) => keyOf(path));
  const explanations = violations.map((violation) => ({ violation, ...explain(violation, value, missing) }));
  const explained = explanations.flatMap(({ explains }) => (explains === undefined ? [] : [explains]));
  const keys = new Set(explained.map(keyOf));
  const problems = explanations.flatMap(({ violation, ...own }): readonly Problem[] => {
    const { path, rule, value } = violation;
    const isExplained = [path, path.slice(0, -1)].some((each) => keys.has(keyOf(each)));
    if (rule === "missing" && isExplained) return [];
    const words = wordsFor(violation, rootName);
    const hint = own.hint ?? lookAlikeHint(violation) ?? words.hint;
    return [{ ...words, hint, path, value, ...(rule === "unknown" && { part: "key" }) }];
  });
  return { value: valid, problems, paths: [...violations.map(({ path }) => path), ...explained] };
}

/** A hint for a violation. A missing field at the path that it `explains`, or directly below it, is not reported. */
function explain({ path, rule, schema }: Violation, root: unknown, missing: readonly string[]) {
  const [index, name = path[0]] = path.slice(-2);
  const namesAt = (at: Path) => Object.keys(Object(at.reduce(fieldOf, root)));
  if (rule === "missing" && typeof index === "number") {
    // A superfluous dash splits an entry: the missing field begins the next one.
    const next = [...path.slice(0, -2), index + 1];
    const hint = `if the next entry continues this one, write two spaces for its "- "; else add ${name} here`;
    return namesAt(next)[0] === name ? { explains: next, hint } : undefined;
  }
  if (rule !== "unknown") return undefined;
  const parent = path.slice(0, -1);
  if (name === "<<")
    return { explains: parent, hint: "write the fields themselves: YAML 1.2 has no merge keys" };
  const plain = plainText(String(name));
  const [, before] = /^(\w+):\S/.exec(plain) ?? [];
  const meant = meantField(before ?? plain.trim(), schema);
  const hint = before && { hint: "write a space after the colon" };
  if (meant !== undefined) return { explains: [...parent, meant.list ?? meant.field], ...hint };
  if (path.length > 1 && missing.includes(keyOf([plain])))
    return { explains: [plain], hint: "it belongs at the top level: write it there, without indentation" };
  const fields = requiredOf(schema);
  if (typeof index !== "number" || fields.length === 0 || namesAt(parent).length > 1) return undefined;
  // A colon in a text without quotes makes a field of its beginning.
  const isText = fields.length === 1 && plain.includes(" ");
  if (isText) return { explains: parent, hint: `write ${fields[0]}: and the whole text in quotes` };
  return { explains: parent };
}

export function diagnose({ locate, written }: SourceDocument, problem: Problem): Diagnostic {
  const { code, level = "error", part, path, value, within, ...words } = problem;
  const location = locate(path, part, within);
  if (value === null && code === "wrong-type" && /: +#[^\s#]/.test(location.source)) {
    const message = `${path.at(-1)} is empty: "#" begins a comment`;
    return { code, level, message, hint: 'put the whole text in quotes: "…"', location };
  }
  const spelled = typeof value === "number" ? written(path) : "";
  const isNumber = Number(spelled) === value && words.message.startsWith(String(value));
  const message = isNumber ? words.message.replace(String(value), spelled) : words.message;
  return { code, level, ...words, message, location };
}

/** The value of an enumeration that differs in letter case only. */
export function correctionOf({ rule, schema, value }: Violation): string | undefined {
  return rule === "enum" ? normalName(String(value), schema.values) : undefined;
}

function lookAlikeHint(violation: Violation): string | undefined {
  const { path, rule, schema, value } = violation;
  const isTruth = schema.type === "boolean" && /true|false/.test(String(value));
  const isExact = rule === "form" ? !isFreeText(schema.form) : rule === "enum" || isTruth;
  const text = String(rule === "unknown" ? path.at(-1) : isExact ? value : "");
  if (rule === "unknown" && /^[“”„‘’‚«»]/.test(text))
    return "write straight quotes in place of the typographic ones in this file";
  if (isExact && /^\S+# /.test(text)) return 'write a space before the "#" of a comment, outside of quotes';
  const odd = findLookAlike(text);
  if (odd === undefined || correctionOf(violation) !== undefined) return undefined;
  return `write ${cutText(plainText(text).trim(), 61)}, without ${odd.name}`;
}

/**
 * The only document of a settings file, undefined for an empty one, with its valid value and all problems. Only the values of the
 * `shown` fields are repeated, because these can hold no key.
 */
export function readSettings<T>(
  { diagnostics, documents }: ParsedText,
  schema: Zod<T>,
  shown: readonly string[] = [],
) {
  const [document] = documents;
  const told = [...diagnostics, ...furtherDocument(documents, "a settings file")].map(withoutValue);
  if (document === undefined) return { document, value: undefined, diagnostics: told };
  const { problems, value } = checkValue(schema, document.value, "the file");
  const own = problems.map((problem) => {
    const diagnostic = diagnose(document, problem);
    return shown.includes(String(problem.path[0])) ? diagnostic : withoutValue(diagnostic);
  });
  return { document, value, diagnostics: arranged([...told, ...own]) };
}

/** `around`: the hint for going on without the file. */
export function unusableSettings(file: string, diagnostics: readonly Diagnostic[], around = ""): Failure {
  return new Failure("usage", `the settings in ${file} cannot be used`, {
    hint: `correct the problems above${around}; nothing was sent`,
    diagnostics,
  });
}

/** Without the source line, and without the value at the beginning of the message. */
function withoutValue(diagnostic: Diagnostic): Diagnostic {
  const { code, location } = diagnostic;
  const withoutSource = { ...diagnostic, location: { ...location, source: "" } };
  // The name of a tag, an anchor or an alias may be a value without quotes.
  if (/[!&*]/.test([...location.source][location.start.column - 1] ?? "")) {
    const hint = "write the value out, in quotes if it is text";
    return { ...withoutSource, message: "this is not allowed here", hint };
  }
  const message = diagnostic.message.replace(/^(?:".*"|\S+)(?= (?:is|has) )/s, "this");
  const hint = diagnostic.hint
    .replace(/; if another document .*/, "")
    .replace(/^write .*(?=, without U\+)/s, "write it");
  return { ...withoutSource, ...(code !== "missing-field" && { message }), hint };
}
