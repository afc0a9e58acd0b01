// Parses a YAML text with positions: the parser of the whole language, with every error of the text. It takes several
// times as long to load and to run as plain-yaml.ts.
import type { Diagnostic } from "../../diagnostic.ts";
import { createLocateSpan, createOrigins, type Origins } from "../positions.ts";
import { type TextError, toDiagnostics } from "../text-errors.ts";
import { createSpanOf, readNodes } from "./nodes.ts";
import { composeText } from "./parser.ts";

export interface SourceDocument extends Origins {
  /** Its fields are own properties, with or without a prototype; an integer outside the safe range is a bigint. */
  readonly value: unknown;
  /** The number of the document in its file, from 1; empty documents do not count. */
  readonly index: number;
}

export interface ParsedText {
  /** The readable documents; none for an empty text. */
  readonly documents: readonly SourceDocument[];
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses every document of `text`, the content of `file`. Never throws. */
export function composeDocuments(text: string, file: string): ParsedText {
  const locateSpan = createLocateSpan(text, file);
  const composed = composeText(text);
  const documents: SourceDocument[] = [];
  const errors: (readonly TextError[])[] = [composed.errors];
  for (const [position, { contents, errors: parserErrors }] of composed.documents.entries()) {
    errors.push(parserErrors);
    if (parserErrors.some(isFatal)) continue;
    const { value, errors: nodeErrors, targets } = readNodes(contents, locateSpan);
    errors.push(nodeErrors);
    if (nodeErrors.some(isFatal)) continue;
    const origins = createOrigins(createSpanOf(contents, targets), locateSpan, text);
    documents.push({ value, ...origins, index: position + 1 });
  }
  return {
    documents,
    count: composed.documents.length,
    diagnostics: toDiagnostics(errors.flat(), text, locateSpan),
  };
}

/** Whether the error makes the value unreliable, so that further checks would mislead. */
function isFatal({ code }: TextError): boolean {
  return code === "yaml-syntax" || code === "too-many-aliases";
}
