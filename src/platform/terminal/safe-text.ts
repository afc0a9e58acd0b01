// Text that may reach a terminal or a log. Streams take only this type, so that printing a text of the service, of a
// file or of the environment without escaping it does not compile.

declare const brand: unique symbol;

interface SafeMethods {
  readonly [brand]: true;
  slice(from: number, to?: number): SafeText;
  split(separator: "\n"): SafeText[];
  trimEnd(): SafeText;
}

/** A text in which only this tool's own colors and sequences move the cursor, or are invisible. */
export type SafeText = SafeMethods & string;

/** A part of a safe text: safe itself, a number, or a word of a closed union, which comes from the source code. */
export type SafePart<T> = T extends SafeText | number
  ? T
  : T extends string
    ? Record<never, never> extends Record<T, unknown>
      ? never
      : T
    : never;

type SafeParts<P extends readonly unknown[]> = { readonly [K in keyof P]: SafePart<P[K]> };

/** A template of safe parts: safe`${style.line(name)}: ${count} files`. */
export function safe<const P extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...parts: SafeParts<P>
): SafeText {
  let text = strings[0] as string;
  for (const [index, part] of parts.entries()) text += String(part) + (strings[index + 1] as string);
  return assumeSafe(text);
}

/** Lines, or with another `separator` the parts of a line. */
export function joinSafe<const S extends string = "\n">(
  texts: readonly SafeText[],
  separator?: SafePart<S>,
): SafeText {
  return assumeSafe(texts.join(separator ?? "\n"));
}

export function safeLines(lines: readonly SafeText[]): SafeText {
  return joinSafe(
    lines.map((line) => safe`${line}\n`),
    "",
  );
}

export function spaces(count: number): SafeText {
  return assumeSafe(" ".repeat(count));
}

/** Declares a text safe: for functions that escape, and texts of this package. test/architecture.test.ts lists them. */
export function assumeSafe(text: string): SafeText {
  return text as SafeText;
}
