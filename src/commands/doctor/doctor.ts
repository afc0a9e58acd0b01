// `incident doctor`: checks everything that a create depends on, one line each, and sends only reads.
import { Failure, type FailureKind } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Paint, Style } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import { createAttempt, type Finding } from "./attempt.ts";
import { checkMachine } from "./machine.ts";
import { checkService } from "./service.ts";

export const spec = defineCommand({
  name: "doctor",
  flags: {},
  result: "page",
  examples: {
    "incident doctor": "one line for each check, with its fix",
    "incident doctor -o json": "for a script; exits 0 only if every check passes",
  },
});

const formatVersion = 1;

/** The kinds of failure that the checks find, the most severe first. */
const bySeverity: readonly FailureKind[] = ["uncertain", "credentials", "rejected", "usage", "unavailable"];

export const run: Run<typeof spec> = async (context, { global }) => {
  const findings: Finding[] = [];
  const attempt = createAttempt(findings);
  await checkMachine(context, global, attempt);
  await checkService(context, global, attempt);
  const failure = createFailure(findings);
  return {
    is: "page",
    data: {
      formatVersion,
      healthy: failure === undefined,
      checks: findings.map(({ hint, ...finding }) => ({ ...finding, ...(hint && { hint: String(hint) }) })),
    },
    page: (style) => renderFindings(style, findings),
    ...(failure !== undefined && { failure, failureInData: true }),
  };
};

function createFailure(findings: readonly Finding[]): Failure | undefined {
  const kinds = findings.flatMap(({ kind }) => (kind === undefined ? [] : [kind]));
  const worst = bySeverity.find((kind) => kinds.includes(kind)) ?? kinds[0];
  if (worst === undefined) return undefined;
  const message = kinds.length === 1 ? "1 check failed" : `${kinds.length} checks failed`;
  return new Failure(worst, message, {
    hint: advise`fix the checks marked wrong, from the top, then run ${argv`incident doctor`} again`,
  });
}

function renderFindings(style: Style, findings: readonly Finding[]): SafeText {
  const { color } = style;
  const colorOf = {
    ok: color.green,
    note: color.yellow,
    wrong: color.red.bold,
    skipped: color.dim,
  } as const satisfies Record<Finding["status"], Paint>;
  const rows = findings.map(({ check, status, message, hint }) => [
    colorOf[status](status),
    style.line(check),
    safe`${style.line(message)}${hint === undefined ? "" : safe`; ${color.bold(style.line(String(hint)))}`}`,
  ]);
  return renderTable(style, ["RESULT", "CHECK", "FINDING"], rows);
}
