// -o junit: files as test cases, in JUnit's XML as Jenkins allows it. A file with diagnostics fails.
import { type Diagnostic, diagnosticText } from "../../diagnostic.ts";
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";

export function renderJunit(files: readonly string[], diagnostics: readonly Diagnostic[]): SafeText {
  // The catalog and the files of variables have diagnostics as well.
  const failed = new Set(diagnostics.map(({ location }) => location.file));
  const cases = [...new Set([...files, ...failed])].map((file) => {
    const [first, ...others] = diagnostics.filter(({ location }) => location.file === file);
    const open = safe`    <testcase name="${escapeXml(file)}" classname="incident validate"`;
    if (first === undefined) return safe`${open}/>`;
    return safe`${open}>\n      ${renderFailed(first, others)}\n    </testcase>`;
  });
  const counts = safe`tests="${cases.length}" failures="${failed.size}" errors="0"`;
  return joinSafe([
    safe`<?xml version="1.0" encoding="UTF-8"?>`,
    safe`<testsuites name="incident validate" ${counts}>`,
    safe`  <testsuite name="incident validate" ${counts} skipped="0">`,
    ...cases,
    safe`  </testsuite>`,
    safe`</testsuites>\n`,
  ]);
}

function renderFailed(first: Diagnostic, others: readonly Diagnostic[]): SafeText {
  const lines = [first, ...others].map((each) => escapeXml(diagnosticText(each)));
  const summary = `${first.message}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
  return safe`<failure type="${first.code}" message="${escapeXml(summary)}">${joinSafe(lines)}</failure>`;
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Escapes text for one line of XML, which allows neither most control characters nor U+FFFE and U+FFFF. */
function escapeXml(text: string): SafeText {
  const escaped = escapeLine(text)
    .replace(/[\uFFFE\uFFFF]/g, "\uFFFD")
    .replace(/[&<>"]/g, (character) => entities.get(character) ?? character);
  return assumeSafe(escaped);
}
