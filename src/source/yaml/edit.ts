// Changes values of a YAML file, and reads the result back before anyone writes it: a control character in a name must not
// make a file that no later command can read.
import * as yaml from "yaml";
import { Failure } from "../../failure.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { composeDocuments } from "./compose-documents.ts";
import { escapeCharacter, unprintable } from "./render-yaml.ts";

const options = { version: "1.2", schema: "core", logLevel: "silent" } as const;

/** A value to set; `undefined` removes it. */
export interface YamlEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Changes some values of a mapping and keeps its comments and everything else. `text` must be valid. Throws a `Failure`
 * if the result does not hold the values.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = yaml.parseDocument(text, options);
  for (const { path, value } of edits) {
    if (value !== undefined) document.setIn(path, value);
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  yaml.visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && unprintable.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  // Valid text has no such character, so only the double-quoted strings of the edits contain one.
  const edited = document
    .toString({ lineWidth: 0, flowCollectionPadding: false })
    .replace(new RegExp(unprintable, "gu"), escapeCharacter);
  if (!holdsEdits(edited, edits)) {
    throw new Failure("usage", "a new value cannot be written as YAML", { hint: "nothing was changed" });
  }
  return edited;
}

/** Reads the text back, as the next command does. */
function holdsEdits(text: string, edits: readonly YamlEdit[]): boolean {
  const { count, diagnostics, documents } = composeDocuments(text, "");
  if (count !== 1 || diagnostics.length > 0) return false;
  return edits.every(
    ({ path, value }) => JSON.stringify(path.reduce(fieldOf, documents[0]?.value)) === JSON.stringify(value),
  );
}
