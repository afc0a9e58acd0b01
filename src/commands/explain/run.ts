// `incident explain`: the meaning of a diagnostic code, with a wrong and a right example.

import type { Explanation } from "../../explanations.ts";
import { Failure } from "../../failure.ts";
import type { Run } from "../../kit/define-command.ts";
import { joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Style } from "../../view/terminal/style.ts";
import { renderTable } from "../../view/terminal/table.ts";
import type { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (_, { operands: [code] }) => {
  const { explanations, isDiagnosticCode } = await import("../../explanations.ts");
  if (code === undefined) {
    const codes = Object.entries(explanations).map(([name, explanation]) => ({ code: name, ...explanation }));
    return {
      data: codes,
      page: (style) => renderCodes(style, codes),
    };
  }
  if (!isDiagnosticCode(code)) {
    const { nearest, withSuggestion } = await import("../../text/suggest.ts");
    const meant = nearest(code, Object.keys(explanations));
    throw new Failure("usage", `there is no code "${code}"`, {
      hint: advise`${argv`incident explain`} lists them all${withSuggestion("", meant)}`,
    });
  }
  const explanation = { code, ...explanations[code] };
  return {
    data: explanation,
    page: (style) => renderExplanation(style, explanation),
  };
};

type ExplainedCode = Explanation & { readonly code: string };

/** The maximum length of a line in an example; longer lines are cut. */
const maxLineLength = 72;

const source = ' ("spec" is the specification of the API)';

function renderExplanation(style: Style, explained: ExplainedCode): SafeText {
  const example = (label: "wrong" | "right", text: string) => [
    safe``,
    safe`  ${style.color.bold(label)}`,
    ...text.split("\n").map((line) => safe`    ${style.line(cut(line))}`),
  ];
  const lines = [
    style.indent(safe`${style.color.bold(style.line(explained.code))}: ${style.line(explained.title)}`, 2),
    safe``,
    style.block(explained.meaning, 2),
    ...example("wrong", explained.wrong),
    ...example("right", explained.right),
    safe``,
    style.block(`based on: ${explained.basis}${/\bspec \d/.test(explained.basis) ? source : ""}`, 2),
  ];
  return safe`${joinSafe(lines)}\n`;
}

function renderCodes(style: Style, codes: readonly ExplainedCode[]): SafeText {
  const rows = codes.map(({ code, title }) => [style.line(code), style.line(title)]);
  return renderTable(style, ["CODE", "MEANING"], rows);
}

function cut(line: string): string {
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line;
}
