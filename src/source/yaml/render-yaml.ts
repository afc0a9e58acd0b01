// Writes a value as YAML text that is safe to print: every string parses to the same string.
import * as yaml from "yaml";
import { assumeSafe, type SafeText } from "../../platform/terminal/safe-text.ts";
import { renderExact } from "../../text/exact-json.ts";

/** The characters that YAML calls unprintable, and a lone carriage return, which the parser reads as text. */
export const unprintable = /[^\P{Cc}\t\n\r]|\r(?!\n)/u;

/** Characters that are invisible or that change the direction of text, and the start of a command to a pipeline's log. */
export const unsafe =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|#(?=#\w*\[)/gu;

/** A line that GitHub Actions obeys: `::add-mask::`. */
const workflowCommand = /^[^\S\n]*::/m;

/** The value as YAML. Every string parses to the same string, and none can break out of its field. */
export function renderYaml(value: unknown): SafeText {
  return assumeSafe(renderExact(value, renderPlain));
}

function renderPlain(value: unknown): string {
  const document = new yaml.Document(value, { version: "1.2", schema: "core", aliasDuplicateObjects: false });
  yaml.visit(document, {
    Scalar(_, node) {
      const { value } = node;
      if (typeof value !== "string") return;
      if (value.search(unsafe) !== -1 || workflowCommand.test(value)) node.type = "QUOTE_DOUBLE";
    },
  });
  // Now only double-quoted strings contain such a character, and there the escape is equivalent.
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
  return text.replace(unsafe, escapeCharacter);
}

export function escapeCharacter(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
