// -o github: diagnostics as workflow commands of GitHub Actions, which annotate the lines of a pull request.
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import type { System } from "../../platform/context.ts";
import { assumeSafe, escapeLine, joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";

type Place = Pick<System, "cwd" | "env">;

export function renderProblems(system: Place, diagnostics: readonly Diagnostic[]): SafeText {
  const annotations = diagnostics.map((each) => renderAnnotation(system, each));
  return joinSafe(annotations, "");
}

function renderAnnotation(system: Place, { code, level, message, hint, location }: Diagnostic): SafeText {
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
function nameInRepository({ cwd, env }: Place, file: string): string {
  const name = env.GITHUB_WORKSPACE ? relative(env.GITHUB_WORKSPACE, resolve(cwd, file)) : file;
  return name.startsWith("..") || file.startsWith("<") ? file : name;
}
