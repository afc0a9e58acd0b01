// `incident explain`: the meaning of a diagnostic code, with a wrong and a right example.
import { Failure } from "../../failure.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Run } from "../define-command.ts";

export const run: Run = async (_, { operands: [code] }) => {
  const { explanations, isDiagnosticCode } = await import("../../incident/explanations.ts");
  if (code === undefined) {
    const codes = Object.entries(explanations).map(([name, explanation]) => ({ code: name, ...explanation }));
    return {
      data: codes,
      page: async (style) => (await import("../../view/explanation.ts")).renderCodes(style, codes),
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
    page: async (style) => (await import("../../view/explanation.ts")).renderExplanation(style, explanation),
  };
};
