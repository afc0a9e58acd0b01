// When a person can be asked, and how: a script must never hang on a question.
import { Failure } from "../../failure.ts";
import { type Input, type RunContext, writeCommandLine } from "../../kit/command.ts";
import type { Context } from "../../platform/context.ts";
import { commandText } from "../../text/advice.ts";
import { environmentVariables } from "../../workspace/settings.ts";

/** Whether stdin, stdout and stderr are all terminals that can draw, and neither --no-input nor CI is set. */
export function canAsk({ global, io, system: { env } }: RunContext): boolean {
  const areTerminals = io.stdout.isTerminal && io.stderr.isTerminal && io.stdin.isTerminal;
  return areTerminals && env.TERM !== "dumb" && !global.noInput && !env.CI;
}

/**
 * Gets a yes: from --yes, else from the person. Throws a `Failure`: "interrupted" when the person declines,
 * "usage" with the command line to run where no person can be asked.
 */
export async function confirm(context: RunContext, input: Input, question: string): Promise<void> {
  const { global } = context;
  if (global.yes) return;
  if (!canAsk(context)) {
    const words = writeCommandLine({ ...context, global: { ...global, yes: true } }, input);
    throw new Failure("usage", `this needs a confirmation: ${question}`, {
      hint: "confirm with --yes: without a terminal, no question can be asked",
      commands: [{ command: commandText(words), purpose: "confirm it" }],
    });
  }
  await askYes(context, question, "nothing was changed and nothing was sent");
}

/** Throws a `Failure` "interrupted" after a no, and for a question that was cancelled. */
export async function askYes({ prompts }: Context, question: string, hint: string): Promise<void> {
  const session = await prompts.open(false, hint);
  const answer = await session.text({ message: `${question} [y/N] `, check: () => undefined });
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure("interrupted", "declined", { hint });
}

export async function openPrompts({ global, io, prompts, system }: RunContext, hint: string) {
  const { supportsColor } = await import("../../view/terminal/style.ts");
  return prompts.open(supportsColor(system.env, io.stderr.isTerminal, global), hint);
}

/** Throws a `Failure` "usage" in a rehearsal, of which nothing belongs in `file`. `--yes` writes it knowingly. */
export function refuseInRehearsal({ global, system }: RunContext, file: string): void {
  if (global.yes || !system.env[environmentVariables.sandboxPin]) return;
  throw new Failure("usage", `this runs inside a sandbox, and nothing of it belongs in ${file}`, {
    hint: "nothing was changed; run it outside of the sandbox, or write the file knowingly with --yes",
  });
}
