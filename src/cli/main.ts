// The entry point: argv and a Context in, an exit code out. The only place that catches every error.
import type { RunOptions } from "../kit/command.ts";
import type { Context } from "../platform/context.ts";
import { withTimeLimit } from "../platform/deadline.ts";
import { assumeSafe } from "../platform/terminal/safe-text.ts";
import type { Invocation } from "./parse.ts";
import { createRunContext, printFailure, printReport, printText } from "./print.ts";

/** Runs one command line (without node and script). Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let options: RunOptions | undefined;
  try {
    const invocation = withoutParser(argv) ?? (await (await import("./parse.ts")).parse(argv));
    if ("text" in invocation) {
      await printText(context, assumeSafe(await invocation.text(Math.min(80, context.io.stdout.columns))));
      return 0;
    }
    const { command, input } = invocation;
    ({ options } = invocation);
    const { deadline } = options.global;
    const limited = deadline === undefined ? context : withTimeLimit(context, deadline, "--deadline");
    const ignoresContract = input.flags.ignoreContract === true;
    const runContext = await createRunContext({ ...limited, ...options }, ignoresContract);
    const { tellUnknownVariables } = await import("../workspace/settings.ts");
    for (const message of tellUnknownVariables(context.system.env)) runContext.warn(message);
    return await printReport(runContext, await command.run(runContext, input));
  } catch (error) {
    return await printFailure({ ...context, ...(options ?? guessOptions(argv)) }, error);
  }
}

/** The most frequent questions, for which loading the parser would take longer than the answer. */
function withoutParser([only, ...others]: readonly string[]): Invocation | undefined {
  if (others.length > 0) return undefined;
  if (only !== undefined && only !== "--help") return undefined;
  return { text: async (columns) => (await import("./help.ts")).renderOverview(columns) };
}

/** The guess at how to print a failure, which holds until argv is parsed. */
function guessOptions(argv: readonly string[]): RunOptions {
  const isJson = /(?:^| )(?:-o ?|--output[ =])json(?: |$)/.test(argv.join(" "));
  return { format: isJson ? "json" : "table", global: { debug: argv.includes("--debug") } };
}
