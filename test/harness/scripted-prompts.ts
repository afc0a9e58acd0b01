// A person at the terminal of the harness, with prepared answers.
import type { Failure } from "../../src/failure.ts";
import type { Choice, PromptSession } from "../../src/platform/terminal/prompts.ts";

/**
 * An answer is a text, the label of a choice, or several labels with commas between.
 */
export function createScriptedPrompts(
  answers: string[],
  see: (text: string) => void,
  cancelled: Failure,
): PromptSession {
  const pick = <T>(choices: readonly Choice<T>[], label: string): T => {
    const choice = choices.find((candidate) => candidate.label.startsWith(label));
    if (choice === undefined)
      throw new Error(`no choice ${label} among ${choices.map((each) => each.label)}`);
    return choice.value;
  };
  const next = (message: string, choices: readonly Choice<unknown>[] = []) => {
    see(
      `? ${message}\n${choices.map(({ explanation, label }) => `  - ${label}${explanation === undefined ? "" : `: ${explanation}`}\n`).join("")}`,
    );
    const answer = answers.shift();
    see(`> ${answer ?? "^C"}\n`);
    if (answer === undefined) throw cancelled;
    return answer;
  };
  return {
    text: async ({ message, fallback, check }) => {
      for (;;) {
        const answer = next(fallback === undefined ? message : `${message} [${fallback}]`);
        const problem = check(answer);
        if (problem === undefined) return answer;
        see(`! ${problem}\n`);
      }
    },
    choose: async ({ message, choices, initial }) => {
      const answer = next(message, choices);
      return answer === "" && choices[0] ? (initial ?? choices[0].value) : pick(choices, answer);
    },
    chooseSeveral: async ({ message, choices }) =>
      next(message, choices)
        .split(", ")
        .map((label) => pick(choices, label)),
  };
}
