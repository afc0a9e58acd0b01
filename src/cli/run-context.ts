// The Context of a run: the process's own, with a reporter and a way to show pages to the person.
import type { RunContext } from "../commands/define-command.ts";
import type { Context } from "../platform/context.ts";
import { createStyleFor, type PrintOptions } from "./output-style.ts";
import { createReporter } from "./reporter.ts";

export function createRunContext(context: Context, { format, global }: PrintOptions): RunContext {
  const { io, system } = context;
  return {
    ...context,
    ...createReporter(context, global, format),
    show: async (page) => io.stderr.write(await page(await createStyleFor(system, io.stderr, global))),
  };
}
