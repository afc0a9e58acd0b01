// A person at the harness's terminal: answers that are there before the questions.
import type { Choice, PromptSession } from "../../src/platform/context.ts";

/** Takes answers as a person would give them: a text, the label of a choice, or several with commas between. */
export function createScriptedPrompts(answers: string[], see: (text: string) => void): PromptSession {
  const pick = <T>(choices: readonly Choice<T>[], label: string): T => {
    const choice = choices.find((candidate) => candidate.label.startsWith(label));
    if (choice === undefined) throw new Error(`none of ${choices.map((each) => each.label)} is ${label}`);
    return choice.value;
  };
  const next = (message: string, choices: readonly Choice<unknown>[] = []) => {
    see(`? ${message}\n${choices.map(({ label }) => `  - ${label}\n`).join("")}`);
    const answer = answers.shift();
    see(`> ${answer ?? "^C"}\n`);
    return answer;
  };
  return {
    text: async ({ message, initial = "", check }) => {
      for (;;) {
        const answer = next(message);
        if (answer === undefined) return undefined;
        // A person who only presses Enter takes what stands there.
        const text = answer === "" ? initial : answer;
        const problem = check(text);
        if (problem === undefined) return text;
        see(`! ${problem}\n`);
      }
    },
    choose: async ({ message, choices, initial }) => {
      const answer = next(message, choices);
      if (answer === "") return initial ?? choices[0]?.value;
      return answer === undefined ? undefined : pick(choices, answer);
    },
    chooseSeveral: async ({ message, choices }) =>
      next(message, choices)
        ?.split(", ")
        .map((label) => pick(choices, label)),
  };
}
