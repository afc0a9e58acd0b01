// Prints a Report: the results to stdout in the chosen format, then the failure, if there is one, to stderr.

import { Failure } from "../failure.ts";
import { type AnyReport, type Ending, type Live, partOf } from "../kit/report.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { advise, argv } from "../text/advice.ts";
import { stringifyExact } from "../text/exact-json.ts";
import { cutText } from "../text/lengths.ts";
import { codeOf, messageOf } from "../thrown-value.ts";
import { disarmLog, escapeJson, escapeLine, hasLogCommand } from "../view/terminal/escape.ts";
import { createStyleFor, type PrintOptions } from "./output-style.ts";
import { printFailure } from "./print-failure.ts";

type PrintContext = Pick<Context, "io" | "system"> & Pick<Reporter, "warn">;

/** Returns the exit code. */
export async function printReport(
  context: PrintContext,
  options: PrintOptions,
  report: AnyReport,
): Promise<number> {
  const { format } = options;
  const ending = report.live === undefined ? report : await printLive(context, options, report.live);
  try {
    if (report.live === undefined) await printResults(context, options, report);
  } catch (error) {
    if (ending.failure === undefined) throw error;
    // The report's own failure is worse, and decides the exit code.
    await printFailure(context, options, error);
  }
  if (ending.failure === undefined) return ending.exitCode ?? 0;
  if (report.failureInData && (format === "json" || format === "github")) return ending.failure.exitCode;
  return await printFailure(context, options, ending.failure);
}

/** Prints each piece when it arrives, and then the page, if there is one. */
async function printLive(context: PrintContext, { global }: PrintOptions, live: Live): Promise<Ending> {
  const createStyle = () => createStyleFor(context.system, context.io.stdout, global);
  const pieces = live(createStyle);
  for (;;) {
    const next = await pieces.next();
    if (next.done) {
      const { page, ...ending } = next.value;
      if (page !== undefined) await printResult(context, disarmLog(await page(await createStyle())));
      return ending;
    }
    if (!(await printResult(context, next.value))) return {};
  }
}

async function printResults(context: PrintContext, options: PrintOptions, report: AnyReport): Promise<void> {
  const text = await renderOrNameIds(context, options, report);
  const isPrinted = text === "" || (await printResult(context, text, report.ids));
  if (options.format === "id") await checkIds(context, options, report);
  if (isPrinted) await report.onPrinted?.();
}

/** Shows the page and throws a `Failure` if an id is no visible word, because a script takes each line for an id. */
async function checkIds(context: PrintContext, options: PrintOptions, report: AnyReport): Promise<void> {
  const unprintable = (report.ids ?? []).filter((id) => !isWord(id));
  if (unprintable.length === 0) return;
  const { stderr } = context.io;
  const page = await report.page?.(await createStyleFor(context.system, stderr, options.global));
  if (page !== undefined) await stderr.write(disarmLog(page));
  const ids = unprintable.map((id) => `"${cutText(id, longestId)}"`).join(", ");
  throw new Failure("rejected", `the service gave an id that is not one visible word: ${ids}`, {
    hint: "the incident exists, as shown above; read it with -o json, and report the id to the service",
  });
}

const longestId = 200;

function isWord(id: string): boolean {
  return id !== "" && !/\s/.test(id) && escapeLine(id) === id && !hasLogCommand(id);
}

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

/** The failure of a result that cannot be drawn. It still names the incident. */
async function renderOrNameIds(
  context: PrintContext,
  options: PrintOptions,
  report: AnyReport,
): Promise<SafeText> {
  try {
    return await renderReport(context, options, report);
  } catch (error) {
    const { ids = [] } = report;
    if (ids.length === 0) throw error;
    context.warn(`the result could not be drawn (${messageOf(error)}); this is its id`);
    const { format } = options;
    if (format !== "json") return safeLines(ids.map(escapeLine));
    const data = ids.map((id) => ({ id }));
    return safe`${escapeJson(JSON.stringify(data.length === 1 ? data[0] : data))}\n`;
  }
}

async function renderReport(
  { io, system }: PrintContext,
  { format, global }: PrintOptions,
  report: AnyReport,
): Promise<SafeText> {
  const { data, failure, ids, page } = report;
  switch (format) {
    case "json":
      if (data !== undefined) return safe`${escapeJson(stringifyExact(data, 2))}\n`;
      break;
    case "id":
      if (ids !== undefined) return safeLines(ids.filter(isWord).map(escapeLine));
      break;
    case "table":
    case "text":
      if (page !== undefined) return disarmLog(await page(await createStyleFor(system, io.stdout, global)));
      break;
    default: {
      const text = await report[partOf[format]]?.();
      if (text !== undefined) return format === "github" ? text : disarmLog(text);
    }
  }
  if (failure === undefined) throw new Error(`the report has no part for -o ${format}`);
  return safe``;
}
