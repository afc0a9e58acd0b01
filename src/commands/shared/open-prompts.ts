// Opens the questions at a terminal, in the colours and symbols that it can show.

import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Choice, Context, PromptSession } from "../../platform/context.ts";
import type { SafeText } from "../../platform/terminal/safe-text.ts";
import { escapeLine } from "../../view/terminal/escape.ts";

export async function openPrompts(context: Context, global: GlobalFlags): Promise<PromptSession> {
  const { supportsColor, supportsUnicode } = await import("../../view/terminal/style.ts");
  const { env } = context.system;
  const color = supportsColor(env, context.io.stderr.isTerminal, global);
  return withEscaping(await context.prompts.open({ color, unicode: supportsUnicode(env) }));
}

/** Escapes the texts of questions, such as the names of the catalog. */
function withEscaping(session: PromptSession<SafeText>): PromptSession {
  const escapeText = (text: string | undefined) => (text === undefined ? undefined : escapeLine(text));
  const escapeChoice = <T>({ explanation, label, ...choice }: Choice<T>): Choice<T, SafeText> => ({
    ...choice,
    label: escapeLine(label),
    ...(explanation !== undefined && { explanation: escapeLine(explanation) }),
  });
  const escapeList = <T>({ choices, message }: { choices: readonly Choice<T>[]; message: string }) => ({
    message: escapeLine(message),
    choices: choices.map(escapeChoice),
  });
  return {
    text: ({ check, fallback, message, placeholder, ...question }) =>
      session.text({
        ...question,
        message: escapeLine(message),
        placeholder: escapeText(placeholder),
        fallback: escapeText(fallback),
        check: (typed) => escapeText(check(typed)),
      }),
    choose: (question) => session.choose({ ...question, ...escapeList(question) }),
    chooseSeveral: (question) => session.chooseSeveral({ ...question, ...escapeList(question) }),
  };
}
