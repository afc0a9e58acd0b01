// Writes YAML: a value as text that is safe to print, and values into a file.
import * as yaml from "yaml";
import { Failure } from "../../failure.ts";
import { assumeSafe, invisible, type SafeText } from "../../platform/terminal/safe-text.ts";
import { fieldOf } from "../../untrusted-data.ts";
import { parseDocuments } from "./read.ts";

/** Characters that are invisible or that change the direction of text, and the start of a command to a pipeline's log. */
const unsafe = () => new RegExp(`(?![\\t\\n])(?:${invisible().source})|#(?=#\\w*\\[)`, "gu");

/** A line that GitHub Actions obeys: `::add-mask::`. */
const workflowCommand = /^[^\S\n]*::/m;

/** The value as YAML. Every string parses to the same string, and none can break out of its field. */
export function renderYaml(value: unknown): SafeText {
  const document = new yaml.Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, node) {
      const { value } = node;
      if (typeof value !== "string") return;
      const isOdd = value.search(unsafe()) !== -1 || workflowCommand.test(value);
      if (isOdd || value.trim() !== value) node.type = "QUOTE_DOUBLE";
    },
  });
  // Now only double-quoted strings contain such a character, and there the escape is equivalent.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  const escaped = text.replace(unsafe(), (character) => {
    const digits = (character.codePointAt(0) ?? 0).toString(16);
    return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
  return assumeSafe(escaped);
}

const options = { version: "1.2", schema: "core", logLevel: "silent" } as const;

/** A value to set; `undefined` removes it. */
export interface YamlEdit {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Changes values of a valid `text`, and keeps everything else. Throws a `Failure` if the result does not hold the values. */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  const document = yaml.parseDocument(text, options);
  for (const { path, value } of edits) {
    if (value !== undefined) document.setIn(path, value);
    else if (document.hasIn(path)) document.deleteIn(path);
  }
  const edited = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  // Read back, as the next command does.
  const { diagnostics, documents } = parseDocuments(edited, "");
  const isHeld = ({ path, value }: YamlEdit) =>
    JSON.stringify(path.reduce(fieldOf, documents[0]?.value)) === JSON.stringify(value);
  if (documents.length === 1 && diagnostics.length === 0 && edits.every(isHeld)) return edited;
  throw new Failure("usage", "a new value cannot be written as YAML", { hint: "nothing was changed" });
}
