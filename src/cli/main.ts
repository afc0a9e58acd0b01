// argv and a Context in, an exit code out. The only place that prints results, catches everything and maps it
// to an exit code.
import type { Format, GlobalFlags, Report } from "../commands/define-command.ts";
import { Failure } from "../failure.ts";
import type { Exchange } from "../http/transport.ts";
import type { Context, Output } from "../platform/context.ts";
import { version } from "../version.ts";
import type { Paper } from "../view/terminal/style.ts";
import { createTelling } from "./reporter.ts";

/** How the results and the failures of this run are printed; the defaults hold until argv has been read. */
interface Style {
  readonly format: Format;
  readonly global: GlobalFlags;
}

/** Runs one command line (without node and script). Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let style: Style = {
    format: asksForJson(argv) ? "json" : "table",
    global: { debug: argv.includes("--debug") },
  };
  try {
    if (argv.length === 1 && argv[0] === "--version") return await print(context, `${version}\n`);
    if (argv.length === 1 && argv[0] === "--help") {
      const { renderOverview } = await import("./help/overview.ts");
      return await print(context, renderOverview(context.stdout.columns));
    }
    if (argv[0] === "completion" && argv[1] === "--words") {
      const { completeWords } = await import("./completion/complete.ts");
      return await print(context, await completeWords(context, argv.slice(argv.indexOf("--") + 1)));
    }
    if (argv[0] === "help" && argv.length === 2) {
      const { renderTopic } = await import("./help/topics.ts");
      const topic = renderTopic(argv[1] ?? "", context.stdout.columns);
      if (topic !== undefined) return await print(context, topic);
    }
    const { readCommandLine } = await import("./parse-argv.ts");
    const invocation = readCommandLine(argv, context.stdout.columns);
    if (invocation.kind === "print") return await print(context, invocation.text);
    style = { format: invocation.input.format, global: invocation.input.global };
    const { run } = await invocation.row.load();
    const begun = await run(
      {
        ...context,
        ...createTelling(context, style.global, style.format),
        openExchange: () => withLoading(context.openExchange(), style),
        show: async (draw) =>
          context.stderr.write(await draw(await paperFor(context, context.stderr, style))),
      },
      invocation.input,
    );
    const report = begun.live === undefined ? begun : await printLive(context, style, begun.live);
    try {
      await printReport(context, style, report);
    } catch (error) {
      if (report.failure === undefined) throw error;
      // What went wrong with the work is worse than that its result could not be printed.
      await fail(context, style, error);
    }
    if (report.failure === undefined) return report.exitCode ?? 0;
    if (report.failureInData && (style.format === "json" || style.format === "github"))
      return report.failure.exitCode;
    return await fail(context, style, report.failure);
  } catch (error) {
    return await fail(context, style, error);
  }
}

async function print(context: Context, text: string): Promise<number> {
  await printResult(context, text);
  return 0;
}

/** For failures before argv could be read; the real reading is program.ts's. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (argument, at) =>
      argument === "-ojson" ||
      argument === "--output=json" ||
      (argument === "json" && (argv[at - 1] === "-o" || argv[at - 1] === "--output")),
  );
}

/** Prints what comes as it comes, and gives the report of the end. */
async function printLive(context: Context, style: Style, live: NonNullable<Report["live"]>): Promise<Report> {
  const pieces = live(() => paperFor(context, context.stdout, style));
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    if (!(await printResult(context, next.value))) return {};
  }
}

async function printReport(context: Context, style: Style, report: Report): Promise<void> {
  const text = await renderReport(context, style, report);
  if (text === "" || (await printResult(context, text))) report.onPrinted?.();
}

/** Whether it arrived. Whoever closes the pipe has read enough; a result that is lost otherwise is a failure. */
async function printResult(context: Context, text: string): Promise<boolean> {
  try {
    await context.stdout.write(text);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return false;
    const detail = error instanceof Error ? error.message : String(error);
    throw new Failure("usage", `the result could not be written to stdout: ${detail}`, {
      hint: "make room or write it elsewhere, then run it again; what was declared is in the journal and is not sent again",
      cause: error,
    });
  }
}

async function renderReport(context: Context, style: Style, report: Report): Promise<string> {
  switch (style.format) {
    case "json":
      return report.data === undefined ? "" : `${JSON.stringify(report.data, null, 2)}\n`;
    case "yaml": {
      if (report.data === undefined) return "";
      const { renderYaml } = await import("../source/yaml.ts");
      return renderYaml(report.data);
    }
    case "id":
      return (report.ids ?? []).map((id) => `${id}\n`).join("");
    case "table":
    case "text":
      return report.page === undefined
        ? ""
        : await report.page(await paperFor(context, context.stdout, style));
    default:
      return (await report.views?.[style.format]?.()) ?? "";
  }
}

/** The paper that a page is drawn on is loaded while the service is at work. */
function withLoading(exchange: Exchange, { format }: Style): Exchange {
  if (format !== "table" && format !== "text") return exchange;
  // Should it fail, the page cannot be drawn either, and that is told.
  const whileWaiting = () => void loadPaper().catch(() => undefined);
  return (request, control) => exchange(request, { ...control, whileWaiting });
}

async function loadPaper() {
  return {
    ...(await import("../view/terminal/style.ts")),
    ...(await import("../view/terminal/capabilities.ts")),
  };
}

async function paperFor(context: Context, output: Output, style: Style): Promise<Paper> {
  const { colourOf, createPaper, unicodeOf } = await loadPaper();
  return createPaper({
    columns: output.columns,
    colour: colourOf(context.env, output.isTerminal, style.global),
    unicode: unicodeOf(context.env),
    localOffset: context.localOffset,
    now: context.clock.now(),
    isTerminal: output.isTerminal,
  });
}

async function fail(context: Context, style: Style, error: unknown): Promise<number> {
  const failure = error instanceof Failure ? error : internalFailure(error);
  try {
    if (style.format === "json") await context.stderr.write(`${JSON.stringify(errorLine(failure))}\n`);
    else {
      const { renderFailure } = await import("../view/failure.ts");
      await context.stderr.write(renderFailure(await paperFor(context, context.stderr, style), failure));
    }
    const stack = failure.cause instanceof Error ? failure.cause.stack : failure.stack;
    if (style.global.debug && failure.kind === "internal") await context.stderr.write(`${stack}\n`);
  } catch {
    // stderr is gone: the exit code is all that is left to say it with.
  }
  return failure.exitCode;
}

function errorLine(failure: Failure) {
  const { kind, exitCode, message, hint, commands, retryable, diagnostics, response, publicText } = failure;
  return { error: { kind, exitCode, message, hint, commands, retryable, diagnostics, response, publicText } };
}

function internalFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return new Failure("internal", `this is a fault of incident itself: ${message}`, {
    hint: "run it again with --debug and report what it prints",
    cause: error,
  });
}
