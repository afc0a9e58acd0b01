// Prints a failure to stderr, for a person or as one line of JSON, and gives its exit code.

import { Failure } from "../failure.ts";
import type { GlobalFlags } from "../kit/global-flags.ts";
import type { Context } from "../platform/context.ts";
import { joinSafe, safe } from "../platform/terminal/safe-text.ts";
import { commandText } from "../text/advice.ts";
import { stringifyExact } from "../text/exact-json.ts";
import { messageOf } from "../thrown-value.ts";
import { disarmLog, escapeJson, escapeLines } from "../view/terminal/escape.ts";
import { createStyleFor, type PrintOptions } from "./output-style.ts";

/** Prints the failure and returns its exit code. Never throws. An error that is no `Failure` is a bug of this tool. */
export async function printFailure(
  { io: { stderr }, system }: Pick<Context, "io" | "system">,
  { format, global }: PrintOptions,
  error: unknown,
): Promise<number> {
  const failure = error instanceof Failure ? error : internalFailure(error);
  try {
    if (format === "json")
      await stderr.write(safe`${escapeJson(stringifyExact(await errorLine(failure, global)))}\n`);
    else {
      const { renderFailure } = await import("../view/failure.ts");
      await stderr.write(disarmLog(renderFailure(await createStyleFor(system, stderr, global), failure)));
    }
    const stack = failure.cause instanceof Error ? failure.cause.stack : failure.stack;
    if (global.debug && failure.kind === "internal")
      await stderr.write(disarmLog(safe`${joinSafe(escapeLines(stack ?? ""))}\n`));
  } catch {
    // stderr cannot be written to: only the exit code is left.
  }
  return failure.exitCode;
}

async function errorLine(failure: Failure, global: GlobalFlags) {
  const { kind, exitCode, message, hint, retryable, details } = failure;
  const { example, publicText, unconfirmed } = details;
  const { requestId, ...response } = details.response ?? {};
  const commands = details.commands?.map((each) => ({ ...each, command: commandText(each.command) }));
  const { inSameWorld } = await import("../kit/command-line.ts");
  const next = failure.next.length === 0 ? undefined : failure.next.map((each) => inSameWorld(each, global));
  const { withShortLines } = await import("../view/source-line.ts");
  const diagnostics = details.diagnostics && withShortLines(details.diagnostics);
  return {
    error: {
      ...{ kind, exitCode, message, hint, example, commands, next, retryable },
      ...{ diagnostics, response: details.response && response, requestId, publicText },
      ...unconfirmed,
    },
  };
}

function internalFailure(error: unknown): Failure {
  return new Failure("internal", `this is a bug in incident: ${messageOf(error)}`, {
    hint: "run it again with --debug and report what it prints",
    cause: error,
  });
}
