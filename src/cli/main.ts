// argv and a Context in, an exit code out. The only place that prints results, catches everything and maps it
// to an exit code.
import type { Format, GlobalFlags, Report } from "../commands/define-command.ts";
import { Failure } from "../failure.ts";
import type { Transport } from "../http/transport.ts";
import type { Context, Output } from "../platform/context.ts";
import { version } from "../version.ts";
import type { Style } from "../view/terminal/style.ts";
import { createReporter } from "./reporter.ts";

/** How the results and the failures of this run are printed; the defaults hold until argv has been read. */
interface OutputStyle {
  readonly format: Format;
  readonly global: GlobalFlags;
}

/** Runs one command line (without node and script). Never throws. */
export async function main(argv: readonly string[], context: Context): Promise<number> {
  let outputStyle: OutputStyle = {
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
      const { complete } = await import("./completion/complete.ts");
      return await print(context, await complete(context, argv.slice(argv.indexOf("--") + 1)));
    }
    if (argv[0] === "help" && argv.length === 2) {
      const { renderTopic } = await import("./help/topics.ts");
      const topic = renderTopic(argv[1] ?? "", context.stdout.columns);
      if (topic !== undefined) return await print(context, topic);
    }
    const { readCommandLine } = await import("./parse-argv.ts");
    const invocation = readCommandLine(argv, context.stdout.columns);
    if (invocation.kind === "print") return await print(context, invocation.text);
    outputStyle = { format: invocation.input.format, global: invocation.input.global };
    const { run } = await invocation.row.load();
    const begun = await run(
      {
        ...context,
        ...createReporter(context, outputStyle.global, outputStyle.format),
        openTransport: () => withLoading(context.openTransport(), outputStyle),
        show: async (draw) =>
          context.stderr.write(await draw(await createStyleFor(context, context.stderr, outputStyle))),
      },
      invocation.input,
    );
    const report = begun.live === undefined ? begun : await printLive(context, outputStyle, begun.live);
    try {
      await printReport(context, outputStyle, report);
    } catch (error) {
      if (report.failure === undefined) throw error;
      // What went wrong with the work is worse than that its result could not be printed.
      await fail(context, outputStyle, error);
    }
    if (report.failure === undefined) return report.exitCode ?? 0;
    if (report.failureInData && (outputStyle.format === "json" || outputStyle.format === "github"))
      return report.failure.exitCode;
    return await fail(context, outputStyle, report.failure);
  } catch (error) {
    return await fail(context, outputStyle, error);
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
async function printLive(
  context: Context,
  outputStyle: OutputStyle,
  live: NonNullable<Report["live"]>,
): Promise<Report> {
  const pieces = live(() => createStyleFor(context, context.stdout, outputStyle));
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    if (!(await printResult(context, next.value))) return {};
  }
}

async function printReport(context: Context, outputStyle: OutputStyle, report: Report): Promise<void> {
  const text = await renderReport(context, outputStyle, report);
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

async function renderReport(context: Context, outputStyle: OutputStyle, report: Report): Promise<string> {
  switch (outputStyle.format) {
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
        : await report.page(await createStyleFor(context, context.stdout, outputStyle));
    default:
      return (await report.views?.[outputStyle.format]?.()) ?? "";
  }
}

/** The style that a page is drawn on is loaded while the service is at work. */
function withLoading(transport: Transport, { format }: OutputStyle): Transport {
  if (format !== "table" && format !== "text") return transport;
  // Should it fail, the page cannot be drawn either, and that is told.
  const whileWaiting = () => void loadStyle().catch(() => undefined);
  return (request, control) => transport(request, { ...control, whileWaiting });
}

async function loadStyle() {
  return {
    ...(await import("../view/terminal/style.ts")),
    ...(await import("../view/terminal/capabilities.ts")),
  };
}

async function createStyleFor(context: Context, output: Output, outputStyle: OutputStyle): Promise<Style> {
  const { createStyle, supportsColor, supportsUnicode } = await loadStyle();
  return createStyle({
    columns: output.columns,
    color: supportsColor(context.env, output.isTerminal, outputStyle.global),
    unicode: supportsUnicode(context.env),
    localOffset: context.localOffset,
    now: context.clock.now(),
    isTerminal: output.isTerminal,
  });
}

async function fail(context: Context, outputStyle: OutputStyle, error: unknown): Promise<number> {
  const failure = error instanceof Failure ? error : internalFailure(error);
  try {
    if (outputStyle.format === "json") await context.stderr.write(`${JSON.stringify(errorLine(failure))}\n`);
    else {
      const { renderFailure } = await import("../view/failure.ts");
      await context.stderr.write(
        renderFailure(await createStyleFor(context, context.stderr, outputStyle), failure),
      );
    }
    const stack = failure.cause instanceof Error ? failure.cause.stack : failure.stack;
    if (outputStyle.global.debug && failure.kind === "internal") await context.stderr.write(`${stack}\n`);
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
