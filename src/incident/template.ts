// The pure rules for the values of a template's variables.

import type { CompilePattern } from "../rules/patterns.ts";
import { codePointLength } from "../text/lengths.ts";
import { ownValue } from "../untrusted-data.ts";
import type { TemplateVariable } from "./template-rules.ts";
import { defaultMaxLength } from "./values.ts";

export type TemplateVariables = ReadonlyMap<string, TemplateVariable>;

/** Whether the first document of a file makes the file a template. */
export function isTemplate(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "variables");
}

/** Whether its input is an alert, which no person corrects. */
export function isAlertRule({
  dedupKey,
  when,
}: {
  readonly dedupKey: string | undefined;
  readonly when: ReadonlyMap<string, readonly string[]>;
}): boolean {
  return when.size > 0 || dedupKey !== undefined;
}

export function isRequired({ default: fallback, otherwise, required }: TemplateVariable): boolean {
  return otherwise === undefined && (required ?? fallback === undefined);
}

/** The text of the variable for a value of the input; undefined where `otherwise`, or without it an error, follows. */
export function writtenFor({ otherwise, values }: TemplateVariable, value: string): string | undefined {
  if (otherwise !== undefined && value.trim() === "") return undefined;
  return values === undefined ? value : ownValue(values, value);
}

/** The texts that the variable can write. Undefined, as the list or as an entry, stands for texts that are not known. */
export function writtenTexts({
  default: fallback = "",
  enum: allowed,
  otherwise,
  required = true,
  values,
}: TemplateVariable): readonly (string | undefined)[] | undefined {
  const known = values === undefined ? allowed : Object.values(values);
  if (otherwise === undefined) return required ? known : [...(known ?? [undefined]), fallback];
  return [...new Set([...(known ?? [undefined]), isConstant(otherwise) ? otherwise : undefined])];
}

export function isConstant(text: string): boolean {
  return !text.includes("${");
}

/** Undefined where every name of `when` has a wanted value. An absent name has "". A `*` at the end stands for any text. */
export function findMismatch(
  when: ReadonlyMap<string, readonly string[]>,
  get: (name: string) => string | undefined,
) {
  for (const [name, wanted] of when) {
    const value = get(name);
    const fits = (text: string) =>
      text.endsWith("*") ? value?.startsWith(text.slice(0, -1)) : text === (value ?? "");
    if (!wanted.some(fits)) return { name, value, wanted };
  }
  return undefined;
}

/** The error in a value, as a phrase that follows the name of the variable; undefined for a valid value. */
export function valueError(
  variable: TemplateVariable,
  value: string,
  compilePattern: CompilePattern,
): string | undefined {
  const { enum: allowed, pattern, truncate = false } = variable;
  if (allowed !== undefined && !allowed.includes(value)) return `must be one of ${allowed.join(", ")}`;
  const longest = maxLengthOf(variable);
  const length = codePointLength(value);
  if (!truncate && length > longest) return `has ${length} characters: shorten it to at most ${longest}`;
  if (pattern !== undefined && compilePattern(pattern)?.(value) === false)
    return `must match the pattern ${pattern}`;
  return undefined;
}

export function maxLengthOf({ maxLength = defaultMaxLength }: TemplateVariable): number {
  return maxLength;
}

/** The text with at most `length` code points; a shortened text ends in an ellipsis. */
export function truncate(text: string, length: number): string {
  if (codePointLength(text) <= length) return text;
  return `${[...text.slice(0, 2 * length)]
    .slice(0, length - 1)
    .join("")
    .trimEnd()}…`;
}

/**
 * Shortens values so that the text that they are in is `excess` code points shorter, the longest first; each value
 * keeps at least one. `counts`: how often the text has each value.
 */
export function shorten(
  values: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number>,
  excess: number,
): ReadonlyMap<string, string> {
  const lengths = new Map([...values].map(([name, value]) => [name, codePointLength(value)]));
  for (let rest = excess; rest > 0; ) {
    const [name, length] = [...lengths].reduce((longest, entry) => (entry[1] > longest[1] ? entry : longest));
    if (length <= 1) break;
    const count = counts.get(name) ?? 1;
    const shorter = Math.max(1, length - Math.ceil(rest / count));
    lengths.set(name, shorter);
    rest -= (length - shorter) * count;
  }
  return new Map([...values].map(([name, value]) => [name, truncate(value, lengths.get(name) ?? 1)]));
}
