// How a person sees what was mended: each line before and after.
import type { Paper } from "./terminal/style.ts";

interface ShownFix {
  readonly file: string;
  readonly line: number;
  readonly before?: string;
  readonly after: readonly string[];
}

export function renderFixes(paper: Paper, fixes: readonly ShownFix[]): string {
  return fixes
    .flatMap(({ file, line: number, before, after }) => [
      `${paper.ink.bold(`${paper.line(file)}:${number}`)}: ${paper.ink.green("fixed")}`,
      ...(before === undefined ? [] : [paper.ink.red(`  - ${paper.line(before)}`)]),
      ...after.map((line) => paper.ink.green(`  + ${paper.line(line)}`)),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
