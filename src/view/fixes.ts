// Draws fixes: each line before and after.
import { type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";

interface ShownFix {
  readonly file: string;
  readonly line: number;
  readonly before?: string;
  readonly after: readonly string[];
}

export function renderFixes(style: Style, fixes: readonly ShownFix[]): SafeText {
  const lines = fixes.flatMap(({ file, line: number, before, after }) => [
    safe`${style.color.bold(safe`${style.line(file)}:${number}`)}: ${style.color.green("fixed")}`,
    ...(before === undefined ? [] : [style.color.red(safe`  - ${style.line(before)}`)]),
    ...after.map((line) => style.color.green(safe`  + ${style.line(line)}`)),
  ]);
  return safeLines(lines);
}
