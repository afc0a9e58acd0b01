// Files as test cases of JUnit's XML, which every CI system shows: one that has diagnostics has failed.
import type { Diagnostic } from "../../diagnostic.ts";
import { escapeLine } from "../terminal/escape.ts";

export function renderJunit(files: readonly string[], diagnostics: readonly Diagnostic[]): string {
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const { file } = diagnostic.location;
    byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
  }
  // The catalog and files of variables are no definitions, but what is wrong with them has to stand somewhere.
  const names = [...new Set([...files, ...byFile.keys()])];
  const cases = names.map((file) => renderCase(file, byFile.get(file) ?? []));
  const counts = `tests="${names.length}" failures="${byFile.size}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="incident validate" ${counts}>`,
    `  <testsuite name="incident validate" ${counts} errors="0" skipped="0">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

function renderCase(file: string, diagnostics: readonly Diagnostic[]): string {
  const name = escapeXml(file);
  const open = `    <testcase name="${name}" classname="incident validate" file="${name}"`;
  const [first] = diagnostics;
  if (first === undefined) return `${open}/>`;
  const lines = diagnostics.map(({ code, message, hint, location: { start } }) =>
    escapeXml(`${file}:${start.line}:${start.column}: ${message} [${code}]; ${hint}`),
  );
  const others = diagnostics.length === 1 ? "" : ` (and ${diagnostics.length - 1} more)`;
  return [
    `${open}>`,
    `      <failure type="${first.code}" message="${escapeXml(first.message + others)}">${lines.join("\n")}</failure>`,
    "    </testcase>",
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text of one line for XML, in which most control characters cannot stand at all, nor U+FFFE and U+FFFF. */
function escapeXml(text: string): string {
  return escapeLine(text)
    .replace(/[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
