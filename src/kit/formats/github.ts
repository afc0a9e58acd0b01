// -o github: diagnostics as workflow commands of GitHub Actions, which annotate the lines of a pull request.
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Drawing, Results } from "../report.ts";

export function renderProblems(
  { diagnostics, warnings }: Results["problems"],
  { system }: Pick<Drawing, "system">,
): SafeText {
  const annotations = [...diagnostics, ...warnings].map((each) => renderAnnotation(system, each));
  return joinSafe(annotations, "");
}

function renderAnnotation(
  system: Drawing["system"],
  { code, level, message, hint, location }: Diagnostic,
): SafeText {
  const { file, start, end } = location;
  const fields = {
    file: nameInRepository(system, file),
    line: start.line,
    endLine: end.line,
    // GitHub supports columns only within one line.
    ...(start.line === end.line && { col: start.column, endColumn: Math.max(start.column, end.column - 1) }),
    title: code,
  };
  const properties = Object.entries(fields).map(
    ([name, value]) => safe`${escapeLine(name)}=${escapeProperty(String(value))}`,
  );
  const data = escapeData(`${escapeLine(message)}\n${escapeLine(hint)}`);
  return safe`::${level} ${joinSafe(properties, ",")}::${data}\n`;
}

/** Escapes a text. GitHub decodes the encoded line ends, so the name of a file stays the same. */
function escapeData(text: string): SafeText {
  const visible = text.replace(/[^\r\n]+/g, escapeLine);
  return assumeSafe(visible.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function escapeProperty(text: string): SafeText {
  return assumeSafe(escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C"));
}

/** GitHub resolves names from the root of the repository, not from the working directory. */
function nameInRepository({ cwd, env }: Drawing["system"], file: string): string {
  const name = env.GITHUB_WORKSPACE ? relative(env.GITHUB_WORKSPACE, resolve(cwd, file)) : file;
  return name.startsWith("..") || file.startsWith("<") ? file : name;
}
