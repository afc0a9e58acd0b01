// Checks a settings file: one YAML document, which follows rules. The file may hold an API key in any place, so
// no diagnostic repeats a value of the file.
import { type Diagnostic, type DiagnosticCode, type DiagnosticMessage, errorAt } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { Schema } from "../rules/kinds.ts";
import { checkValue } from "./check.ts";
import type { ParsedText } from "./yaml/read.ts";

/** The only document of a file, undefined for an empty one, with its valid value, and all problems, without a value of it. */
export function readSettings<T>({ diagnostics, documents }: ParsedText, schema: Schema<T>) {
  const [document, second] = documents;
  const checked = document && checkValue(schema, document.value, document.locate, "the file");
  const further = second === undefined ? [] : [errorAt("yaml-syntax", secondDocument, second.locate([]))];
  const problems = [...diagnostics, ...(checked?.diagnostics ?? []), ...further];
  return { document, value: checked?.value, diagnostics: problems.map(withoutValue) };
}

const secondDocument = {
  message: "a settings file is one document, and here a second one starts",
  hint: "remove the line with ---",
};

/** `around`: the way on without the file. */
export function unusableSettings(file: string, diagnostics: readonly Diagnostic[], around = ""): Failure {
  return new Failure("usage", `the settings in ${file} cannot be used`, {
    hint: `correct the problems above${around}; nothing was sent`,
    diagnostics,
  });
}

/** The parts of a message that could quote the file, in words without a value; none for a message that never does. */
const withoutValues: Readonly<Partial<Record<DiagnosticCode, Partial<DiagnosticMessage>>>> = {
  "wrong-type": { message: "this value has the wrong type for its field" },
  "unknown-field": { message: "this is not a field here" },
  "unknown-value": { message: "this is not a value of this field" },
  "unknown-severity": { message: "this is not a severity" },
  "blank-text": { message: "this value is blank" },
  "not-a-guid": { message: "this is not a GUID", hint: "write 8-4-4-4-12 hexadecimal digits" },
  "not-a-whole-number": { message: "this is not a whole number of at least 1" },
  "duplicate-key": { message: "this field is written twice" },
  "missing-field": {},
  "empty-list": {},
  "too-deep": {},
  "too-many-aliases": {},
  "file-too-large": {},
  "not-utf8": {},
};

/** The diagnostic without a value of the file, and without its source line. */
function withoutValue(diagnostic: Diagnostic): Diagnostic {
  const { code, location } = diagnostic;
  const withoutSource = { ...diagnostic, location: { ...location, source: "" } };
  const words = withoutValues[code];
  if (words !== undefined) return { ...withoutSource, ...words };
  // The parser's own messages quote nothing, except the name of an alias.
  const isAlias = [...location.source][location.start.column - 1] === "*";
  if (code === "yaml-syntax" && !isAlias) return withoutSource;
  return {
    ...withoutSource,
    message: "this is not allowed here",
    hint: "write the value out, in quotes if it is text",
  };
}
