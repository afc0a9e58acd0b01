// When a person may be asked, and how a confirmation is got: a script must never hang on a question.

import { cancellation, Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import type { GlobalFlags } from "../define-command.ts";

/** Only where stdin, stdout and stderr are all terminals, and neither --no-input nor CI says otherwise. */
export function canAsk({ env, stdin, stdout, stderr }: Context, global: GlobalFlags): boolean {
  return stdin.isTerminal && stdout.isTerminal && stderr.isTerminal && !global.noInput && !env.CI;
}

/** Whether questions can also be drawn, with lists and a cursor. */
export function canPrompt(context: Context, global: GlobalFlags): boolean {
  return canAsk(context, global) && context.env.TERM !== "dumb";
}

/**
 * Gets a yes: from --yes, else from the person. Throws a `Failure`: "interrupted" when the person declines,
 * "usage" where nobody can be asked.
 */
export async function confirm(context: Context, global: GlobalFlags, question: string): Promise<void> {
  if (global.yes) return;
  if (!canAsk(context, global)) {
    throw new Failure("usage", `this wants a confirmation: ${question}`, {
      hint: "give it with --yes, since nobody can be asked here",
    });
  }
  const answer = await context.ask(`${escapeLine(question)} [y/N] `);
  if (answer !== undefined && isYes(answer)) return;
  if (context.signal.aborted) throw cancellation(context.signal, "nothing was changed and nothing was sent");
  throw new Failure("interrupted", "declined", { hint: "nothing was changed and nothing was sent" });
}

export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
