// The bounds of a YAML text, which are checked before the parser composes it, and the messages for text that is not read.
import type { DiagnosticMessage } from "../../diagnostic.ts";

/** The deepest nesting of lists and mappings. Composing much deeper text aborts the process. */
export const maxDepth = 100;

/** The most lexemes of a text. Definitions in the tersest style fill a file of 1 MiB with fewer. */
export const maxLexemes = 450_000;

/** The most documents of a text. As many definitions do not fit into a file of 1 MiB. */
export const maxDocuments = 20_000;

export const depthMessage: DiagnosticMessage = {
  message: `lists and mappings are nested more than ${maxDepth} deep`,
  hint: "a definition needs four levels: check the brackets and the indentation",
};

export const lexemesMessage: DiagnosticMessage = {
  message: `this file has more than ${maxLexemes} YAML tokens, such as names, values and punctuation`,
  hint: "check for a repeated line; else split the file: several documents can stand in several files",
};

export const documentsMessage: DiagnosticMessage = {
  message: `this file has more than ${maxDocuments} documents`,
  hint: 'check for repeated lines with "---"; else split the file',
};

export const versionMessage: DiagnosticMessage = {
  message: "this asks for another version of YAML than 1.2",
  hint: "remove the line: files are always read as YAML 1.2",
};

export const conflictMessage: DiagnosticMessage = {
  message: "this is a merge conflict that was not resolved",
  hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
};

export function tagMessage(tag: string): DiagnosticMessage {
  return {
    message: `the tag ${tag.slice(0, 60)} does not apply here`,
    hint: `remove it, or put the text in quotes if it is meant to start with "!"`,
  };
}

export function controlMessage(character: string): DiagnosticMessage {
  if (character === "\r") {
    return {
      message: "a carriage return stands alone here",
      hint: "end lines with LF or CRLF, as editors do",
    };
  }
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return {
    message: `the control character U+${digits.toUpperCase()} cannot stand in YAML`,
    hint: `remove it; if it is meant, write \\u${digits} in double quotes`,
  };
}

/** The parser creates an `Error` for each mistake in a text; recording their stacks takes most of the time. */
export function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
