// Prints a run: messages to stderr, its result to stdout in the format of -o, then its failure to stderr as text or JSON.
import { asFailure, codeOf, Failure, messageOf } from "../failure.ts";
import type { RunContext, RunOptions } from "../kit/command.ts";
import type { Conclusion, Draw, Format, Live, Printed, Report } from "../kit/report.ts";
import type { Context, Output, Reporter, Spinner } from "../platform/context.ts";
import {
  disarmLog,
  escapeJson,
  escapeLine,
  escapeLines,
  joinSafe,
  type SafeText,
  safe,
} from "../platform/terminal/safe-text.ts";
import { cutText } from "../text/lengths.ts";
import type { Style } from "../view/terminal/style.ts";

type Printing = Pick<Context, "io" | "system"> & RunOptions;

/** The style of a page for one output. Its modules load when a page is drawn. */
async function createStyleFor({ global, system }: Printing, output: Output): Promise<Style> {
  const { createStyle, noColors, supportsColor } = await import("../view/terminal/style.ts");
  const isColored = supportsColor(system.env, output.isTerminal, global);
  const colors = isColored ? (await import("../view/terminal/chalk.ts")).colors : noColors;
  return createStyle(output, colors, system.localOffset);
}

/** Returns the exit code. */
export async function printReport(context: Printing, report: Report): Promise<number> {
  const { format } = context;
  const conclusion = report.live ? await printLive(context, report.live) : report;
  try {
    if (report.live === undefined) await printResult(context, report);
  } catch (error) {
    if (conclusion.failure === undefined) throw error;
    // The report's own failure is worse, and decides the exit code.
    await printFailure(context, error);
  }
  if (conclusion.failure === undefined) return conclusion.exitCode ?? 0;
  if (report.failureInData && (format === "json" || format === "github")) return conclusion.failure.exitCode;
  return await printFailure(context, conclusion.failure);
}

async function printLive(context: Printing, live: Live): Promise<Conclusion> {
  const pieces = live();
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    if (!(await printText(context, next.value))) return {};
  }
}

async function printResult(
  context: Printing,
  { ids: named = [], onPrinted, prints }: Conclusion & Printed<never>,
): Promise<void> {
  const { format, io } = context;
  const ids = named.map(({ id }) => id);
  const draw = async () => {
    const drawn = (prints as { readonly [F in Format]?: Draw })[format];
    if (drawn === undefined) throw new Error(`nothing draws -o ${format}`);
    const text = await drawn(() => createStyleFor(context, io.stdout));
    return format === "github" ? text : disarmLog(text);
  };
  const text = await draw().catch((error: unknown) => {
    throw error instanceof Failure ? error : lostResult(ids, "drawn", error);
  });
  if (text === "" || (await printText(context, text, ids))) await onPrinted?.();
}

/** False if the reader has closed the pipe. Throws a `Failure` with the `ids` for any other error: the result is lost. */
export async function printText(
  { io: { stdout } }: Pick<Context, "io">,
  text: SafeText,
  ids: readonly string[] = [],
): Promise<boolean> {
  try {
    await stdout.write(text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return false;
    throw lostResult(ids, "written to stdout", error);
  }
}

function lostResult(ids: readonly string[], step: string, error: unknown): Failure {
  const of = ids.length === 0 ? "" : ` of ${cutText(ids.join(", "), 200)}`;
  return new Failure("internal", `the result${of} could not be ${step}: ${messageOf(error)}`, {
    hint: "make room or write it elsewhere; incident journal list has what was sent from here, and it is not sent again",
    cause: error,
  });
}

/** Prints the failure and returns its exit code. Never throws. An error that is no `Failure` is a bug of this tool. */
export async function printFailure(context: Printing, error: unknown): Promise<number> {
  const { format, global, io } = context;
  const { stderr } = io;
  const failure = asFailure(error);
  try {
    if (format === "json")
      await stderr.write(safe`${escapeJson(JSON.stringify(await errorLine(failure)))}\n`);
    else {
      const { renderFailure } = await import("../view/failure.ts");
      await stderr.write(disarmLog(renderFailure(await createStyleFor(context, stderr), failure)));
    }
    const stack = failure.cause instanceof Error ? failure.cause.stack : failure.stack;
    if (global.debug && failure.kind === "internal")
      await stderr.write(disarmLog(safe`${joinSafe(escapeLines(stack ?? ""))}\n`));
  } catch {
    // stderr cannot be written to: only the exit code is left.
  }
  return failure.exitCode;
}

async function errorLine(failure: Failure) {
  const { kind, exitCode, message, hint, retryable, details } = failure;
  const { commands, example, response, unconfirmed } = details;
  const { withShortLines } = await import("../view/source-line.ts");
  const diagnostics = details.diagnostics && withShortLines(details.diagnostics);
  const told = { kind, exitCode, message, hint, example, commands, retryable, diagnostics, response };
  return { error: { ...told, ...unconfirmed } };
}

/** Writes messages and the spinner to stderr; a person, a script that reads JSON, and a quiet run get others. */
function createReporter({ format, global, io, prompts, system }: Context & RunOptions): Reporter {
  const { debug, quiet } = global;
  const { stderr } = io;
  const json = format === "json";
  const canSpin = stderr.isTerminal && system.env.TERM !== "dumb" && !quiet && !json;
  let spinner: Spinner | undefined;
  const write = (text: SafeText) => {
    spinner?.clear();
    void stderr.write(safe`${disarmLog(text)}\n`).catch(() => undefined);
  };
  const reporter: Reporter = {
    info: (text) => {
      if (!quiet && !json) write(escapeLine(text));
    },
    warn: (text) =>
      write(json ? escapeJson(JSON.stringify({ warning: text })) : safe`warning: ${escapeLine(text)}`),
    withSpinner: async (say, work, noted) => {
      if (!canSpin && noted === "noted") reporter.info(say());
      // A wait inside of another one has no line of its own.
      if (!canSpin || spinner !== undefined) return work();
      spinner = prompts.spin(() => escapeLine(say()));
      try {
        return await work();
      } finally {
        spinner.stop();
        spinner = undefined;
      }
    },
    ...(debug ? { debug: (line: string) => write(escapeLine(line)) } : {}),
  };
  return reporter;
}

/** The Context of a run: the process's own, with a reporter, the workspace and a way to show pages to the person. */
export async function createRunContext(
  context: Context & RunOptions,
  ignoreContract: boolean,
): Promise<RunContext> {
  const { global, io } = context;
  const { Workspace } = await import("../workspace/workspace.ts");
  const reporter = createReporter(context);
  return {
    ...context,
    ...reporter,
    workspace: new Workspace({ ...context, ...reporter }, { ...global, ignoreContract }),
    show: async (page) => io.stderr.write(disarmLog(await page(await createStyleFor(context, io.stderr)))),
  };
}
