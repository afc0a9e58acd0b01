// `incident doctor`: checks everything that a create depends on, one line each, and sends only reads.
import { Failure, type FailureKind } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
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
  const kinds = findings.flatMap(({ kind }) => kind ?? []);
  const worst = bySeverity.find((kind) => kinds.includes(kind)) ?? kinds[0];
  return {
    is: "page",
    data: {
      formatVersion,
      healthy: worst === undefined,
      checks: findings.map(({ hint, ...finding }) => ({ ...finding, ...(hint && { hint: String(hint) }) })),
    },
    page: (style) =>
      renderTable(
        style,
        ["RESULT", "CHECK", "FINDING"],
        findings.map((each) => rowOf(style, each)),
      ),
    ...(worst !== undefined && {
      failure: new Failure(worst, `${countOf(kinds.length, "check")} failed`, {
        hint: advise`fix the checks marked wrong, from the top, then run ${argv`incident doctor`} again`,
      }),
      failureInData: true,
    }),
  };
};

function rowOf(style: Style, { check, hint, message, status }: Finding) {
  const { color, line } = style;
  const colorOf = {
    ok: color.green,
    note: color.yellow,
    wrong: color.red.bold,
  } as const satisfies Record<Finding["status"], Paint>;
  const next = hint === undefined ? "" : safe`; ${color.bold(line(String(hint)))}`;
  return [colorOf[status](status), line(check), safe`${line(message)}${next}`];
}
