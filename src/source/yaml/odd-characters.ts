// Characters that look like a part of YAML, and that YAML reads as text: each with its replacement.
import type { DiagnosticMessage } from "../../diagnostic.ts";
import { findLookAlike } from "../../text/look-alikes.ts";
import type { Span } from "../positions.ts";

/** For a class of a regular expression. */
export const oddSpaces = String.raw`\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff`;

const oddStart = new RegExp(`-?([${oddSpaces}]+)`, "y");
const maxIndentation = 200;

/** The error of such spaces where the plain text at `from` begins, in the indentation or after a dash. */
export function findOddStart(text: string, from: number) {
  oddStart.lastIndex = from;
  const [start = "", odd = ""] = oddStart.exec(text) ?? [];
  // Only the text right before it: a long line can have many of them.
  const before = text.slice(Math.max(0, from - maxIndentation), from);
  if (odd === "" || !/(?:^|\n) *(?:- +)*$/.test(before)) return undefined;
  const to = from + start.length;
  const span: Span = [to - odd.length, to];
  return { code: "yaml-syntax" as const, span, explain: () => looksLike(odd) };
}

export function looksLike(at: string): DiagnosticMessage {
  if (at.startsWith("\t"))
    return { message: "a tab is used as indentation", hint: "use spaces: YAML does not allow tabs there" };
  const found = findLookAlike(at);
  if (found?.name.includes("invisible")) return { message: `this is ${found.name}`, hint: "remove it" };
  const plain = found?.plain === " " ? "a space" : `"${found?.plain || "- "}"`;
  const hint = at.length > 1 ? `write ${plain} in place of each` : `write ${plain}`;
  return { message: `this is ${found?.name}, and not ${plain}`, hint };
}
