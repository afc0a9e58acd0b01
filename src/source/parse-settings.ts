// Checks a settings file: one YAML document, which follows rules. The file may hold an API key in any place, so
// no diagnostic repeats a value of the file.
import type { Diagnostic, DiagnosticCode } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { Rules } from "../rules/rule-schema.ts";
import { checkValue } from "./check.ts";
import type { ParsedText, SourceDocument } from "./documents.ts";

export type SettingsDocument = Pick<SourceDocument, "locate" | "value">;

/** The only document of a file; undefined for an empty one. Throws a `Failure` "usage" with diagnostics. */
export function onlyDocument(
  { diagnostics, documents }: ParsedText,
  file: string,
): SettingsDocument | undefined {
  if (diagnostics.length > 0) throw unusableSettings(file, diagnostics);
  if (documents.length > 1) {
    throw new Failure("usage", `${file} holds several documents`, {
      hint: "keep one: remove the lines with ---; nothing was sent",
    });
  }
  return documents[0];
}

/**
 * The valid value of the document. Throws a `Failure` "usage" with diagnostics, and with `example`, lines of YAML
 * that show the form of the file.
 */
export function checkSettings<T>({ value, locate }: SettingsDocument, rules: Rules<T>, example?: string): T {
  const checked = checkValue(rules, value, locate, "the file");
  if (checked.value === undefined) throw unusableSettings(locate([]).file, checked.diagnostics, example);
  return checked.value;
}

function unusableSettings(file: string, diagnostics: readonly Diagnostic[], example?: string): Failure {
  return new Failure("usage", `the settings in ${file} cannot be used`, {
    hint: "correct the problems above; nothing was sent",
    example,
    diagnostics: diagnostics.map(withoutValue),
  });
}

/** The messages without a value; undefined for a code whose message never quotes the file. */
const messagesWithoutValue: Readonly<Partial<Record<DiagnosticCode, string | undefined>>> = {
  "wrong-type": "this value has the wrong type for its field",
  "unknown-field": "this is not a field here",
  "unknown-value": "this is not a value of this field",
  "blank-text": "this value is blank",
  "not-a-guid": "this is not a GUID",
  "duplicate-key": "this field is written twice",
  "unknown-tag": "this tag does not apply here",
  "missing-field": undefined,
  "empty-list": undefined,
  "yaml-version": undefined,
  "too-deep": undefined,
  "too-many-aliases": undefined,
  "file-too-large": undefined,
  "not-utf8": undefined,
};

function withoutValue(diagnostic: Diagnostic): Diagnostic {
  const { code, location } = diagnostic;
  const withoutSource = { ...diagnostic, location: { ...location, source: "" } };
  if (code in messagesWithoutValue)
    return { ...withoutSource, message: messagesWithoutValue[code] ?? diagnostic.message };
  // The parser's own messages quote nothing, except the name of an alias.
  const isAlias = [...location.source][location.start.column - 1] === "*";
  if (code === "yaml-syntax" && !isAlias) return withoutSource;
  return {
    ...withoutSource,
    message: "this is not allowed here",
    hint: "write the value out, in quotes if it is text",
  };
}
