// When a person can be asked, and how a command gets a confirmation: a script must never hang on a question.

import { cancellation, Failure } from "../../failure.ts";
import type { Io, Prompts, System } from "../../platform/context.ts";
import { joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import type { GlobalFlags } from "../define-command.ts";

export interface TerminalContext {
  readonly io: { readonly [K in keyof Io]: Pick<Io[K], "isTerminal"> };
  readonly system: Pick<System, "env">;
}

export interface ConfirmContext extends TerminalContext {
  readonly io: TerminalContext["io"] & { readonly stderr: Pick<Io["stderr"], "columns"> };
  readonly prompts: Pick<Prompts, "ask">;
  readonly system: Pick<System, "env" | "signal">;
}

/** Whether stdin, stdout and stderr are all terminals, and neither --no-input nor CI is set. */
export function canAsk({ io, system }: TerminalContext, global: GlobalFlags): boolean {
  const { stdin, stdout, stderr } = io;
  return stdin.isTerminal && stdout.isTerminal && stderr.isTerminal && !global.noInput && !system.env.CI;
}

/** Whether questions can also be drawn, with lists and a cursor. */
export function canPrompt(context: TerminalContext, global: GlobalFlags): boolean {
  return canAsk(context, global) && context.system.env.TERM !== "dumb";
}

/**
 * Gets a yes: from --yes, else from the person. Throws a `Failure`: "interrupted" when the person declines,
 * "usage" where no person can be asked.
 */
export async function confirm(context: ConfirmContext, global: GlobalFlags, question: string): Promise<void> {
  if (global.yes) return;
  if (!canAsk(context, global)) {
    throw new Failure("usage", `this needs a confirmation: ${question}`, {
      hint: "confirm with --yes: without a terminal, no question can be asked",
    });
  }
  const { signal } = context.system;
  const answer = await context.prompts.ask(safe`${await wrapQuestion(context, `${question} [y/N]`)} `);
  if (answer !== undefined && isYes(answer)) return;
  if (signal.aborted) throw cancellation(signal, "nothing was changed and nothing was sent");
  throw new Failure("interrupted", "declined", { hint: "nothing was changed and nothing was sent" });
}

/** A question, wrapped between words, so that the terminal cuts no id. */
export async function wrapQuestion({ io }: Pick<ConfirmContext, "io">, question: string): Promise<SafeText> {
  const { measureText } = await import("../../view/terminal/measure.ts");
  const { wrapSafe } = await import("../../view/terminal/wrap.ts");
  return joinSafe(wrapSafe(escapeLine(question), { width: io.stderr.columns - 1, measure: measureText }));
}

export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}
