// A settings file: one YAML document, judged by a schema, with the places of its values. A key may stand anywhere
// in it, also where it does not belong: nothing that is said of the file repeats what is written there.
import type * as z from "zod/mini";
import type { Diagnostic, DiagnosticCode, Locate } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { checkValue } from "./check.ts";
import { parseDocuments } from "./documents.ts";

export interface SettingsDocument {
  /** As it was written, not yet judged. */
  readonly value: unknown;
  readonly locate: Locate;
}

/** The only document of `text`; undefined where there is none. Throws a `Failure` "usage" with diagnostics. */
export function parseSettings(text: string, file: string): SettingsDocument | undefined {
  const { documents, diagnostics } = parseDocuments(text, file);
  if (diagnostics.length > 0) throw unusable(file, diagnostics);
  if (documents.length > 1) {
    throw new Failure("usage", `${file} holds several documents`, {
      hint: "keep one: remove the lines with ---; nothing was sent",
    });
  }
  return documents[0];
}

/** The document's value as the schema gives it. Throws a `Failure` "usage" with diagnostics. */
export function checkSettings<T>({ value, locate }: SettingsDocument, schema: z.ZodMiniType<T>): T {
  const checked = checkValue(schema, value, locate);
  if (checked.value === undefined) throw unusable(locate([]).file, checked.diagnostics);
  return checked.value;
}

function unusable(file: string, diagnostics: readonly Diagnostic[]): Failure {
  return new Failure("usage", `the settings in ${file} cannot be used`, {
    hint: "correct what is named above; nothing was sent",
    diagnostics: diagnostics.map(withoutText),
  });
}

/** What is said of a value where the usual sentence would quote it. */
const unquoted: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  "wrong-type": "this value is of another kind than this field's",
  "unknown-field": "this is not a field here",
  "unknown-value": "this is not a value of this field",
  "blank-text": "this value is blank",
  "not-a-guid": "this is not a GUID",
  "duplicate-key": "this field is written twice",
  "unknown-tag": "this tag does not apply here",
};

/** These sentences never hold anything of the file. */
const fixed: readonly DiagnosticCode[] = [
  "missing-field",
  "empty-list",
  "yaml-version",
  "too-deep",
  "too-many-aliases",
];

function withoutText(diagnostic: Diagnostic): Diagnostic {
  const { code, location } = diagnostic;
  const bare = { ...diagnostic, location: { ...location, source: "" } };
  const message = unquoted[code];
  if (message !== undefined) return { ...bare, message };
  // The parser's own findings quote nothing, but what is said of an alias names it.
  const isAlias = [...location.source][location.start.column - 1] === "*";
  if (fixed.includes(code) || (code === "yaml-syntax" && !isAlias)) return bare;
  return { ...bare, message: "this cannot stand here", hint: "write the value out, in quotes if it is text" };
}
