// Changes values of a YAML file, and reads the result back before anyone writes it: a control character in a name must not
// make a file that no later command can read.
import * as yaml from "yaml";
import { Failure } from "../../failure.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { mapTexts } from "../variables/replace-variables.ts";
import { composeDocuments } from "./compose-documents.ts";
import { escapeCharacter, unsafe } from "./render-yaml.ts";

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
    if (value !== undefined) document.setIn(path, mapTexts(value, mark));
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  yaml.visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && marked.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  const edited = document
    .toString({ lineWidth: 0, flowCollectionPadding: false })
    .replace(new RegExp(marked, "g"), (_, code: string) =>
      escapeCharacter(String.fromCodePoint(Number.parseInt(code, 16))),
    );
  if (!holdsEdits(edited, edits)) {
    throw new Failure("usage", "a new value cannot be written as YAML", { hint: "nothing was changed" });
  }
  return edited;
}

/** In the place of a character that a new value must not write as it is. Each of a file's own texts stays as it is. */
const marked = /\uE000([\da-f]+)\uE001/;

function mark(text: string): string {
  return text.replace(unsafe, (character) => `\uE000${character.codePointAt(0)?.toString(16)}\uE001`);
}

/** Reads the text back, as the next command does. */
function holdsEdits(text: string, edits: readonly YamlEdit[]): boolean {
  const { count, diagnostics, documents } = composeDocuments(text, "");
  if (count !== 1 || diagnostics.length > 0) return false;
  return edits.every(
    ({ path, value }) => JSON.stringify(path.reduce(fieldOf, documents[0]?.value)) === JSON.stringify(value),
  );
}
