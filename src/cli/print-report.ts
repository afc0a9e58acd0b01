// Prints a Report: the result to stdout in the chosen format, then the failure, if there is one, to stderr.
import { Failure } from "../failure.ts";
import { type Drawing, type Ending, idsOf, type Kind, type Live, type Report } from "../kit/report.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { advise, argv } from "../text/advice.ts";
import { cutText } from "../text/lengths.ts";
import { codeOf, messageOf } from "../thrown-value.ts";
import { disarmLog, escapeJson, escapeLine } from "../view/terminal/escape.ts";
import { createStyleFor, type PrintOptions } from "./output-style.ts";
import { printFailure } from "./print-failure.ts";

type PrintContext = Pick<Context, "io" | "system"> & Pick<Reporter, "warn">;

/** Returns the exit code. */
export async function printReport(
  context: PrintContext,
  options: PrintOptions,
  report: Report,
): Promise<number> {
  const { format } = options;
  const ending = report.is === "live" ? await printLive(context, options, report.live) : report;
  try {
    if (report.is !== "live") await printResults(context, options, report);
  } catch (error) {
    if (ending.failure === undefined) throw error;
    // The report's own failure is worse, and decides the exit code.
    await printFailure(context, options, error);
  }
  if (ending.failure === undefined) return ending.exitCode ?? 0;
  if (report.failureInData && (format === "json" || format === "github")) return ending.failure.exitCode;
  return await printFailure(context, options, ending.failure);
}

/** Prints each piece when it arrives. */
async function printLive(context: PrintContext, { global }: PrintOptions, live: Live): Promise<Ending> {
  const pieces = live(() => createStyleFor(context.system, context.io.stdout, global));
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    if (!(await printResult(context, next.value))) return {};
  }
}

async function printResults(context: PrintContext, options: PrintOptions, report: Report): Promise<void> {
  const ids = idsOf(report);
  const text = await drawOrNameIds(context, options, report, ids);
  const isPrinted = text === "" || (await printResult(context, text, ids));
  if (options.format === "id") await checkIds(context, options, report, ids);
  if (isPrinted) await report.onPrinted?.();
}

/** The failure of a result that cannot be drawn. It still names the incident. */
async function drawOrNameIds(
  context: PrintContext,
  options: PrintOptions,
  report: Report,
  ids: readonly string[],
): Promise<SafeText> {
  try {
    return await drawReport(context, options, report, context.io.stdout);
  } catch (error) {
    if (ids.length === 0) throw error;
    context.warn(`the result could not be drawn (${messageOf(error)}); this is its id`);
    if (options.format !== "json") return safeLines(ids.map(escapeLine));
    const data = ids.map((id) => ({ id }));
    return safe`${escapeJson(JSON.stringify(data.length === 1 ? data[0] : data))}\n`;
  }
}

async function drawReport(
  { system, warn }: PrintContext,
  { format, global }: PrintOptions,
  { is, ...result }: Report,
  output: Context["io"]["stdout"],
): Promise<SafeText> {
  if (is === undefined) return safe``;
  const { formats } = await import("../kit/formats.ts");
  const { draw } = await formats[format].load();
  const drawKind = (draw as { readonly [K in Kind]?: (result: object, drawing: Drawing) => SafeText })[is];
  if (drawKind === undefined) throw new Error(`-o ${format} does not draw ${is}`);
  const text = await drawKind(result, { system, warn, style: () => createStyleFor(system, output, global) });
  return format === "github" ? text : disarmLog(text);
}

/** Shows the page and throws a `Failure` if an id is no visible word, because a script takes each line for an id. */
async function checkIds(
  context: PrintContext,
  options: PrintOptions,
  report: Report,
  ids: readonly string[],
): Promise<void> {
  const { isWord } = await import("../kit/formats/id.ts");
  const unprintable = ids.filter((id) => !isWord(id));
  if (unprintable.length === 0) return;
  const { stderr } = context.io;
  await stderr.write(await drawReport(context, { ...options, format: "table" }, report, stderr));
  const shown = unprintable.map((id) => `"${cutText(id, longestId)}"`).join(", ");
  throw new Failure("rejected", `the service gave an id that is not one visible word: ${shown}`, {
    hint: "the incident exists, as shown above; read it with -o json, and report the id to the service",
  });
}

const longestId = 200;

/**
 * Returns false if the reader has closed the pipe. Any other error is a failure, because the result is lost; it names the
 * ids of the result.
 */
export async function printResult(
  { io: { stdout } }: Pick<Context, "io">,
  text: SafeText,
  ids: readonly string[] = [],
): Promise<boolean> {
  try {
    await stdout.write(text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return false;
    const of = ids.length === 0 ? "" : ` of ${cutText(ids.join(", "), longestId)}`;
    throw new Failure("internal", `the result${of} could not be written to stdout: ${messageOf(error)}`, {
      hint: advise`make room or write it elsewhere; ${argv`incident journal list`} has what was sent from here, and it is not sent again`,
      cause: error,
    });
  }
}
