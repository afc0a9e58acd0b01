// Renders diagnostics as SARIF 2.1.0, the format of code scanning services.
import { isAbsolute } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { explanations } from "../../explanations.ts";
import type { Failure } from "../../failure.ts";
import { type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { version } from "../../version.ts";
import { escapeJson } from "../terminal/escape.ts";

/** The package URL of the tool, since the project has no page of its own. */
const informationUri = "pkg:npm/incident-cli";

/**
 * One run with every violated rule. `nameOf` returns the path of a file from the root of the repository. A `failure`
 * without diagnostics, such as a missing file, is a notification of a run that did not succeed.
 */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  nameOf: (file: string) => string,
  failure?: Failure,
): SafeText {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const rules = codes.map((code) => {
    const { title, meaning, wrong, right, basis } = explanations[code];
    const help = `${meaning}\n\nWrong:\n\n${indent(wrong)}\n\nRight:\n\n${indent(right)}\n\nRests on: ${basis}.`;
    return {
      id: code,
      shortDescription: { text: title },
      fullDescription: { text: meaning },
      help: { text: help, markdown: help },
      defaultConfiguration: { level: "error" },
    };
  });
  const results = diagnostics.map(({ code, level, message, hint, location: { file, start, end } }) => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: `${message}; ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(nameOf(file)) },
          region: {
            startLine: start.line,
            startColumn: start.column,
            endLine: end.line,
            endColumn: end.column,
          },
        },
      },
    ],
  }));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "incident", version, informationUri, rules } },
        invocations: [invocationOf(failure)],
        columnKind: "unicodeCodePoints",
        results,
      },
    ],
  };
  return safe`${escapeJson(JSON.stringify(log, null, 2))}\n`;
}

function invocationOf(failure: Failure | undefined) {
  if (failure === undefined) return { executionSuccessful: true };
  const message = { text: `${failure.message}; ${failure.hint}` };
  return {
    executionSuccessful: false,
    exitCode: failure.exitCode,
    toolExecutionNotifications: [{ level: "error", message }],
  };
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}

/** The URI of a file, relative for a relative name. */
function uriOf(file: string): string {
  if (file === "<stdin>") return "stdin";
  const path = file.split("/").map(encodeURIComponent).join("/");
  return isAbsolute(file) ? `file://${path}` : path;
}
