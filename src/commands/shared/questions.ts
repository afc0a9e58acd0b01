// When a person can be asked, and how: a script must never hang on a question. In a rehearsal, the files of the project and
// of the user change with --yes alone.
import { cancellation, Failure } from "../../failure.ts";
import type { CommandSpec, Input } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Context, PromptSession, System } from "../../platform/context.ts";
import { escapeLine, joinSafe, safe } from "../../platform/terminal/safe-text.ts";
import { environmentVariables } from "../../workspace/settings.ts";

/** Whether stdin, stdout and stderr are all terminals, and neither --no-input nor CI is set. */
export function canAsk({ io, system }: Context, global: GlobalFlags): boolean {
  const { stdin, stdout, stderr } = io;
  return stdin.isTerminal && stdout.isTerminal && stderr.isTerminal && !global.noInput && !system.env.CI;
}

/** Whether questions can also be drawn, with lists and a cursor. */
export function canPrompt(context: Context, global: GlobalFlags): boolean {
  return canAsk(context, global) && context.system.env.TERM !== "dumb";
}

/**
 * Gets a yes: from --yes, else from the person. Throws a `Failure`: "interrupted" when the person declines,
 * "usage" with the command line to run where no person can be asked.
 */
export async function confirm(
  context: Context,
  spec: CommandSpec,
  input: Pick<Input, "flags" | "format" | "global" | "operands">,
  question: string,
): Promise<void> {
  const { global } = input;
  if (global.yes) return;
  if (!canAsk(context, global)) {
    const { writeCommandLine } = await import("../../kit/command-line.ts");
    throw new Failure("usage", `this needs a confirmation: ${question}`, {
      hint: "confirm with --yes: without a terminal, no question can be asked",
      commands: [
        {
          command: writeCommandLine(spec, { ...input, global: { ...global, yes: true } }),
          purpose: "confirm it",
        },
      ],
    });
  }
  if (!(await askYes(context, `${question} [y/N]`))) throw declined(context);
}

/** The question is wrapped between words, so that the terminal cuts no id. */
export async function askYes({ io, prompts }: Context, question: string): Promise<boolean> {
  const { wrapSafe } = await import("../../view/terminal/wrap.ts");
  const lines = wrapSafe(escapeLine(question), { width: io.stderr.columns - 1 });
  const answer = await prompts.ask(safe`${joinSafe(lines)} `);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

export function declined(
  { system: { signal } }: Context,
  hint = "nothing was changed and nothing was sent",
): Failure {
  return signal.aborted ? cancellation(signal, hint) : new Failure("interrupted", "declined", { hint });
}

/** Opens the questions at a terminal, in the colours and symbols that it can show. */
export async function openPrompts(context: Context, global: GlobalFlags): Promise<PromptSession> {
  const { supportsColor, supportsUnicode } = await import("../../view/terminal/style.ts");
  const { env } = context.system;
  const color = supportsColor(env, context.io.stderr.isTerminal, global);
  return context.prompts.open({ color, unicode: supportsUnicode(env) });
}

/** The base URL of the sandbox in a rehearsal; undefined outside of one. */
export function sandboxPin({ env }: Pick<System, "env">): string | undefined {
  return env[environmentVariables.sandboxPin] || undefined;
}

interface RehearsalWrite {
  /** The entries of the sandbox that the file would get. */
  readonly data: string;
  readonly file: string;
  /** Another way, as a clause. */
  readonly instead?: string;
  /** Where it does no harm to write the file. */
  readonly harmless?: string;
}

/** For a `login` or `logout` in a rehearsal: a profile may hold the key of a real service. */
export const credentialsOfSandbox = {
  data: "the settings of a sandbox",
  instead: "the sandbox needs no profile: its settings are in the environment",
  harmless: "with another settings file (XDG_CONFIG_HOME)",
};

/** Throws a `Failure` "usage" in a rehearsal. `--yes` writes the file knowingly. */
export function refuseInRehearsal(
  { system }: { readonly system: Pick<System, "env"> },
  { yes }: GlobalFlags,
  { data, file, instead, harmless = "in a copy of the project" }: RehearsalWrite,
): void {
  if (yes || sandboxPin(system) === undefined) return;
  const ways = [...(instead === undefined ? [] : [instead]), "to write it knowingly, add --yes"];
  throw new Failure(
    "usage",
    `this runs inside a sandbox (${environmentVariables.sandboxPin} is set), and ${data} do not belong in ${file}`,
    { hint: `nothing was changed; ${ways.join("; ")}, such as ${harmless}` },
  );
}
