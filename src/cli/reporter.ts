// Writes the messages of a running command to stderr: infos, warnings, progress and the spinner. It decides which of
// them a person, a script that reads JSON, or a quiet run gets.
import type { RunContext } from "../kit/define-command.ts";
import type { Format } from "../kit/formats.ts";
import type { GlobalFlags } from "../kit/global-flags.ts";
import type { Context, Reporter, Spinner } from "../platform/context.ts";
import { disarmLog, escapeJson, escapeLine, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import { createStyleFor, type PrintOptions } from "./print.ts";

function createReporter(
  { io: { stderr }, prompts, system: { env } }: Pick<Context, "io" | "prompts" | "system">,
  { quiet, debug }: GlobalFlags,
  format: Format,
): Reporter {
  const json = format === "json";
  const canSpin = stderr.isTerminal && env.TERM !== "dumb" && !quiet && !json;
  let spinner: Spinner | undefined;
  let isProgressing = false;
  const write = (text: SafeText) => {
    spinner?.clear();
    if (isProgressing) reporter.progress("");
    void stderr.write(safe`${disarmLog(text)}\n`).catch(() => undefined);
  };
  const stopSpinner = () => {
    spinner?.stop();
    spinner = undefined;
  };
  const reporter: Reporter = {
    info: (text) => {
      if (!quiet && !json) write(escapeLine(text));
    },
    warn: (text) =>
      write(json ? escapeJson(JSON.stringify({ warning: text })) : safe`warning: ${escapeLine(text)}`),
    progress: (text) => {
      isProgressing = text !== "";
      // The progress line replaces the spinner, because it says more.
      if (isProgressing) stopSpinner();
      if (!quiet && !json && stderr.isTerminal)
        void stderr.write(safe`\r\u001b[K${escapeLine(text)}`).catch(() => undefined);
    },
    withSpinner: async (say, work, noted) => {
      const isShown = canSpin && !isProgressing;
      if (!isShown && noted === "noted") reporter.info(say());
      // A wait inside of another one has no line of its own.
      if (!isShown || spinner !== undefined) return work();
      spinner = prompts.spin(() => escapeLine(say()));
      try {
        return await work();
      } finally {
        stopSpinner();
      }
    },
    ...(debug ? { debug: (line: string) => write(escapeLine(line)) } : {}),
  };
  return reporter;
}

/** The Context of a run: the process's own, with a reporter, the workspace and a way to show pages to the person. */
export async function createRunContext(
  context: Context,
  { format, global }: PrintOptions,
  ignoreContract = false,
): Promise<RunContext> {
  const { io, system } = context;
  const { Workspace } = await import("../workspace/workspace.ts");
  const reporter = createReporter(context, global, format);
  return {
    ...context,
    ...reporter,
    workspace: new Workspace({ ...context, ...reporter }, { ...global, ignoreContract }),
    show: async (page) =>
      io.stderr.write(disarmLog(await page(await createStyleFor(system, io.stderr, global)))),
  };
}
