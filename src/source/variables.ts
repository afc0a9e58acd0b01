// Puts values in the place of `${name}` in a document's texts. It works on the parsed value, never on the text
// of the file, so that no value can change a document's structure.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is what people write in definitions.
import type { Diagnostic, Locate, Path } from "../diagnostic.ts";
import { variablesSchema } from "../incident/catalog-schema.ts";
import { nearest } from "../incident/rules.ts";
import { checkValue } from "./check.ts";
import { readText } from "./decode.ts";
import { parseDocuments } from "./documents.ts";
import type { Source } from "./files.ts";
import { withGuess } from "./messages.ts";
import type { Wording } from "./text-errors.ts";

/** The variables of one run. */
export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  /** The names that anything asked for; grows while documents are read. */
  readonly used: Set<string>;
}

export interface Replaced {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts that are not known in full. */
  readonly unknown: readonly Path[];
}

/** A variable's name. */
export const variableName = /^[A-Za-z_][\w.-]*$/;

/** `$${` for a literal `${`, a variable with or without its default, or the start of something that is neither. */
const reference = /\$\$\{|\$\{([A-Za-z_][\w.-]*?)(?::-([^}]*))?\}|\$\{/g;

/** The value with its variables replaced; what is not text, and the names of fields, stay as they are. */
export function replaceVariables(value: unknown, variables: Variables, locate: Locate): Replaced {
  const diagnostics: Diagnostic[] = [];
  const unknown: Path[] = [];

  function replace(part: unknown, path: Path): unknown {
    if (typeof part === "string") return part.includes("${") ? replaceText(part, path) : part;
    if (Array.isArray(part)) return part.map((entry, index) => replace(entry, [...path, index]));
    if (typeof part !== "object" || part === null) return part;
    const fields: Record<string, unknown> = Object.create(null);
    for (const [name, field] of Object.entries(part)) fields[name] = replace(field, [...path, name]);
    return fields;
  }

  function replaceText(text: string, path: Path): string {
    const told = new Set<string>();
    const tell = (code: Diagnostic["code"], within: string, wording: Wording) => {
      if (told.has(within)) return;
      if (told.size === 0) unknown.push(path);
      told.add(within);
      diagnostics.push({ code, level: "error", ...wording, location: locate(path, "value", within) });
    };
    return text.replace(reference, (written: string, name?: string, fallback?: string) => {
      if (written === "$${") return "${";
      if (name === undefined) {
        tell("bad-variable", written, notAVariable);
        return written;
      }
      variables.used.add(name);
      const given = variables.values.get(name);
      // As in a shell, a default stands for an empty value as well.
      if (fallback !== undefined && (given === undefined || given === "")) return fallback;
      if (given !== undefined) return given;
      tell("unset-variable", written, unset(name, [...variables.values.keys()]));
      return written;
    });
  }

  return { value: replace(value, []), diagnostics, unknown };
}

/** Reads a file of variables: one mapping of names to texts. */
export function readVariables(source: Source): {
  readonly values: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const read = readText(source);
  if ("refused" in read) return { values: {}, diagnostics: [read.refused] };
  const { documents, diagnostics } = parseDocuments(read.text, source.file);
  const [document] = documents;
  if (diagnostics.length > 0 || document === undefined) return { values: {}, diagnostics };
  const checked = checkValue(variablesSchema, document.value, document.locate);
  return { values: checked.value ?? {}, diagnostics: checked.diagnostics };
}

/** The value with its texts written so that replacing variables gives them as they are. */
export function escapeVariables(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map(escapeVariables);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, escapeVariables(field)]));
}

const notAVariable: Wording = {
  message: 'this "${" starts no variable',
  hint: "write ${name} or ${name:-default}; for the characters themselves write $${",
};

function unset(name: string, known: readonly string[]): Wording {
  return {
    message: `the variable ${name} is not set`,
    hint: withGuess(
      `set it with --var ${name}=…, or give it a default: \${${name}:-…}`,
      nearest(name, known),
    ),
  };
}
