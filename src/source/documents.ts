// A YAML text as documents: each a plain value, and a way to find where any part of it stands. Definitions,
// settings and catalogs all start here.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { createLocate, readNodes } from "./nodes.ts";
import { createPlaces } from "./positions.ts";
import { diagnose, type Problem } from "./text-errors.ts";
import { composeText } from "./yaml.ts";

export interface SourceDocument {
  /** Mappings have no prototype; an integer that a number cannot hold is a bigint. */
  readonly value: unknown;
  readonly locate: Locate;
  /** Its place among the file's documents, from 1; empty ones do not count. */
  readonly index: number;
}

export interface ParsedText {
  /** The documents that can be read; none where a text is empty. */
  readonly documents: readonly SourceDocument[];
  /** How many documents there are, with those that are too broken to be read. */
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads every document of `text`, which stands in `file`. It never throws. */
export function parseDocuments(text: string, file: string): ParsedText {
  const places = createPlaces(text, file);
  const composed = composeText(text);
  const documents: SourceDocument[] = [];
  const problems: (readonly Problem[])[] = [composed.problems];
  for (const [position, { contents, problems: faults }] of composed.documents.entries()) {
    problems.push(faults);
    if (faults.some(isBreaking)) continue;
    const { value, problems: found, targets } = readNodes(contents, places);
    problems.push(found);
    if (found.some(isBreaking)) continue;
    documents.push({ value, locate: createLocate(contents, targets, places, text), index: position + 1 });
  }
  return {
    documents,
    count: composed.documents.length,
    diagnostics: diagnose(problems.flat(), text, places),
  };
}

/** Whether the value is not what the person meant, so that judging it further would only mislead. */
function isBreaking({ code }: Problem): boolean {
  return code === "yaml-syntax" || code === "too-many-aliases";
}
