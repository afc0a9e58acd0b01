// Draws fixes: each line before and after.
import type { Style } from "./terminal/style.ts";

interface ShownFix {
  readonly file: string;
  readonly line: number;
  readonly before?: string;
  readonly after: readonly string[];
}

export function renderFixes(style: Style, fixes: readonly ShownFix[]): string {
  return fixes
    .flatMap(({ file, line: number, before, after }) => [
      `${style.color.bold(`${style.line(file)}:${number}`)}: ${style.color.green("fixed")}`,
      ...(before === undefined ? [] : [style.color.red(`  - ${style.line(before)}`)]),
      ...after.map((line) => style.color.green(`  + ${style.line(line)}`)),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
