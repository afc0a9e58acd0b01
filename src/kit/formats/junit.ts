// -o junit: renders files as test cases in JUnit's XML format, with the attributes that the schema of Jenkins allows. A file with
// diagnostics fails.
import type { Diagnostic } from "../../diagnostic.ts";
import type { Failure } from "../../failure.ts";
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Results } from "../report.ts";

export const draw = {
  // The failure of a file with problems is that of its test case.
  problems: ({ diagnostics, failure, files }: Results["problems"]) =>
    renderJunit(files, diagnostics, diagnostics.length > 0 ? undefined : failure),
};

/** A `failure` without diagnostics, such as a missing file, is one more test case with an error. */
function renderJunit(
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
  failure: Failure | undefined,
): SafeText {
  // The catalog and the files of variables have diagnostics as well.
  const failed = new Set(diagnostics.map(({ location }) => location.file));
  const cases = [...new Set([...files, ...failed])].map((file) =>
    renderCase(
      file,
      diagnostics.filter(({ location }) => location.file === file),
    ),
  );
  if (failure !== undefined) cases.push(renderError(failure));
  const errors = failure === undefined ? 0 : 1;
  const counts = safe`tests="${cases.length}" failures="${failed.size}" errors="${errors}"`;
  return joinSafe([
    safe`<?xml version="1.0" encoding="UTF-8"?>`,
    safe`<testsuites name="incident validate" ${counts}>`,
    safe`  <testsuite name="incident validate" ${counts} skipped="0">`,
    ...cases,
    safe`  </testsuite>`,
    safe`</testsuites>\n`,
  ]);
}

function renderError({ kind, message, hint }: Failure): SafeText {
  const text = escapeXml(message);
  return joinSafe([
    safe`    <testcase name="reading the files" classname="incident validate">`,
    safe`      <error type="${kind}" message="${text}">${text}; ${escapeXml(hint)}</error>`,
    safe`    </testcase>`,
  ]);
}

function renderCase(file: string, diagnostics: readonly Diagnostic[]): SafeText {
  const name = escapeXml(file);
  const open = safe`    <testcase name="${name}" classname="incident validate"`;
  const [first] = diagnostics;
  if (first === undefined) return safe`${open}/>`;
  const lines = diagnostics.map(({ code, message, hint, location: { start } }) =>
    escapeXml(`${file}:${start.line}:${start.column}: ${message} [${code}]; ${hint}`),
  );
  const others = diagnostics.length === 1 ? "" : ` (and ${diagnostics.length - 1} more)`;
  return joinSafe([
    safe`${open}>`,
    safe`      <failure type="${first.code}" message="${escapeXml(first.message + others)}">${joinSafe(lines)}</failure>`,
    safe`    </testcase>`,
  ]);
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
