// The words for what the reading of a YAML text finds, beside the mistakes in its syntax.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { lineAt, lineStart, type Span } from "../positions.ts";

/** The deepest nesting of lists and mappings. */
export const maxDepth = 100;

/** The most documents of a text. As many definitions do not fit into a file of 1 MiB. */
export const maxDocuments = 20_000;

/** The most tokens of a text. No definition of 1 MiB has as many, and a file of commas would take 650 MB. */
export const maxTokens = 450_000;

/** The most values that the aliases of a document may repeat in total. An alias bomb exceeds it by far. */
export const maxAliasedValues = 10_000;

export const tooManyParts: DiagnosticMessage = {
  message: `this file has more than ${maxTokens} YAML tokens, or more than ${maxDocuments} documents`,
  hint: "check for repeated lines; else split the file",
};

export const tooDeep: DiagnosticMessage = {
  message: `lists and mappings are nested more than ${maxDepth} deep`,
  hint: "a definition needs four levels: check the brackets and the indentation",
};

export const oneVersion: DiagnosticMessage = {
  message: "this asks for another version of YAML than 1.2",
  hint: "remove the line: files are always read as YAML 1.2",
};

export const tooManyAliases: DiagnosticMessage = {
  message: `the aliases here expand to more than ${maxAliasedValues} values`,
  hint: "write the values out, or repeat them less often",
};

export function tagMessage(text: string, from: number, to: number): DiagnosticMessage {
  const tag = text.slice(from, Math.min(to, from + 60));
  return { message: `the tag ${tag} does not apply here`, hint: markHint(text, from) };
}

export function unknownAnchor(name: string): DiagnosticMessage {
  return {
    message: `no anchor before this is named "&${name}"`,
    hint: `name a value with &${name} first; if it is meant as text, put the whole text in quotes`,
  };
}

export function ownAnchor(name: string): DiagnosticMessage {
  return { message: `the value named "&${name}" contains itself`, hint: "write the value out instead" };
}

export function duplicateKey(
  name: string,
  line: number,
  { beginsDocument, isList }: { readonly beginsDocument: boolean; readonly isList: boolean },
): DiagnosticMessage {
  const separate = beginsDocument ? 'if another document begins here, write "---" above it; else ' : "";
  const join = isList ? `move its entries to the list of line ${line}, or ` : "";
  return {
    message: `"${name}" is written twice: first on line ${line}`,
    hint: `${separate}${join}keep one of the two`,
  };
}

/** The replacement of a tag or an anchor that a text seems to begin with. */
export function markHint(text: string, from: number): string {
  const before = text.slice(lineStart(text, from), from);
  const mark = text.charAt(from);
  const rest = lineAt(text, from).slice(before.length).replace(/ #.*$/, "").trimEnd();
  const isWhole = /^[^[{"']*$/.test(before) && rest.length < 200 && /\s[^"'\s]/.test(rest);
  return isWhole
    ? `remove it; if the text begins with "${mark}", write ${JSON.stringify(rest)}`
    : `remove it, or put the text in quotes if it is meant to start with "${mark}"`;
}

/** The characters that YAML calls unprintable, and a lone carriage return, which the parser reads as text. */
const unprintable = /[^\P{Cc}\t\n\r]|\r(?!\n)/u;

/** A mistake that the parser does not see, or for which it reports many errors. */
export function mistakeInText(text: string): (DiagnosticMessage & { readonly span: Span }) | undefined {
  const control = unprintable.exec(text);
  if (control !== null) return { ...controlWords(control[0]), span: [control.index, control.index + 1] };
  const conflict = /^<{7} .*/m.exec(text);
  if (conflict === null || !/^>{7} /m.test(text)) return undefined;
  return {
    message: "this is a merge conflict that was not resolved",
    hint: "keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>",
    span: [conflict.index, conflict.index + conflict[0].length],
  };
}

function controlWords(character: string): DiagnosticMessage {
  if (character === "\r")
    return {
      message: "a carriage return stands alone here",
      hint: "end lines with LF or CRLF, as editors do",
    };
  const digits = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return {
    message: `the control character U+${digits.toUpperCase()} cannot stand in YAML`,
    hint: `remove it; only a description can have it, written as \\u${digits} in double quotes`,
  };
}
