// Opens the questions at a terminal, in the colours and symbols that it can show.
import type { Choice, Context, PromptSession } from "../../platform/context.ts";
import { supportsColor, supportsUnicode } from "../../view/terminal/capabilities.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import type { GlobalFlags } from "../define-command.ts";

export async function openPrompts(context: Context, global: GlobalFlags): Promise<PromptSession> {
  const { env } = context.system;
  const color = supportsColor(env, context.io.stderr.isTerminal, global);
  return withEscaping(await context.prompts.open({ color, unicode: supportsUnicode(env) }));
}

/** Escapes the texts of questions: names of the catalog are untrusted and must not control the terminal. */
function withEscaping({ choose, chooseSeveral, text }: PromptSession): PromptSession {
  const withEscapedText = <Q extends { readonly message: string }>(question: Q): Q => ({
    ...question,
    message: escapeLine(question.message),
  });
  const withEscapedChoices = <
    Q extends { readonly message: string; readonly choices: readonly Choice<string>[] },
  >(
    question: Q,
  ): Q => ({
    ...withEscapedText(question),
    choices: question.choices.map((choice) => ({ ...choice, label: escapeLine(choice.label) })),
  });
  return {
    text: (question) => text(withEscapedText(question)),
    choose: (question) => choose(withEscapedChoices(question)),
    chooseSeveral: (question) => chooseSeveral(withEscapedChoices(question)),
  };
}
