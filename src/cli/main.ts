// The entry point: argv and a Context in, an exit code out. The only place that catches every error.
import { TimeLimit } from "../failure.ts";
import type { Context } from "../platform/context.ts";
import { assumeSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { version } from "../version.ts";
import { findUnknownVariables } from "../workspace/environment-variables.ts";
import type { TextInvocation } from "./fast-path.ts";
import { guessPrintOptions, parseFastPath } from "./fast-path.ts";
import type { PrintOptions } from "./output-style.ts";
import { printFailure } from "./print-failure.ts";
import { printReport, printResult } from "./print-report.ts";
import { createRunContext } from "./reporter.ts";

/** Runs one command line (without node and script). Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  const { columns } = context.io.stdout;
  let options: PrintOptions = guessPrintOptions(argv);
  try {
    const invocation = parseFastPath(argv) ?? (await import("./parse-argv.ts")).parseArgv(argv, columns);
    if (invocation.kind === "wrong") {
      const { withSignpost } = await import("./signposts/with-signpost.ts");
      throw withSignpost(argv, invocation);
    }
    if (invocation.kind !== "run") {
      await printResult(context, await renderText(invocation, context, columns));
      return 0;
    }
    const { command, input } = invocation;
    options = input;
    const limited = await limitTime(context, input.global.deadline);
    const { run } = await command.load();
    const runContext = await createRunContext(limited, options, input.flags.ignoreContract === true);
    for (const name of findUnknownVariables(context.system.env)) {
      const { describeUnknownVariable } = await import("../workspace/unknown-variables.ts");
      runContext.warn(describeUnknownVariable(name));
    }
    return await printReport(runContext, options, await run(runContext, input));
  } catch (error) {
    return await printFailure(context, options, error);
  }
}

async function limitTime(context: Context, deadline: number | undefined): Promise<Context> {
  if (deadline === undefined) return context;
  const { formatElapsed } = await import("../view/terminal/time.ts");
  const { withTimeLimit } = await import("../platform/time-limit.ts");
  const reason = new TimeLimit("--deadline", formatElapsed(deadline));
  const { context: limited, expiry } = withTimeLimit(context, deadline, reason);
  const isOver = context.system.startDeadline(deadline);
  const overdue = () => (isOver() ? reason : undefined);
  return { ...limited, system: { ...limited.system, deadline: expiry, overdue } };
}

async function renderText(invocation: TextInvocation, context: Context, columns: number): Promise<SafeText> {
  switch (invocation.kind) {
    case "version":
      return safe`${assumeSafe(version)}\n`;
    case "overview": {
      const { renderOverview } = await import("./help/overview.ts");
      return assumeSafe(renderOverview(columns));
    }
    case "topic": {
      const { renderTopic } = await import("./help/topics.ts");
      return assumeSafe(await renderTopic(invocation.name, columns));
    }
    case "completions": {
      const { complete } = await import("./completion/complete.ts");
      return await complete(context, invocation.words);
    }
    case "help": {
      const { renderHelp } = await import("./help/command-help.ts");
      return assumeSafe(await renderHelp(invocation.usage, invocation.spec, columns));
    }
  }
}
