// Prints a Report: the results to stdout in the chosen format, then the failure, if there is one, to stderr.

import { Failure } from "../failure.ts";
import type { Report } from "../kit/report.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { cutText } from "../text/lengths.ts";
import { codeOf, messageOf } from "../thrown.ts";
import { disarmLog, escapeJson, escapeLine, hasLogCommand } from "../view/terminal/escape.ts";
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
  const final = report.live === undefined ? report : await printLive(context, options, report.live);
  try {
    await printResults(context, options, final);
  } catch (error) {
    if (final.failure === undefined) throw error;
    // The report's own failure is worse, and decides the exit code.
    await printFailure(context, options, error);
  }
  if (final.failure === undefined) return final.exitCode ?? 0;
  if (final.failureInData && (format === "json" || format === "github")) return final.failure.exitCode;
  return await printFailure(context, options, final.failure);
}

/** Prints each piece when it arrives, and gives the final report. */
async function printLive(
  context: PrintContext,
  { global }: PrintOptions,
  live: NonNullable<Report["live"]>,
): Promise<Report> {
  const pieces = live(() => createStyleFor(context.system, context.io.stdout, global));
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    if (!(await printResult(context, next.value))) return {};
  }
}

async function printResults(context: PrintContext, options: PrintOptions, report: Report): Promise<void> {
  const text = await renderOrNameIds(context, options, report);
  const isPrinted = text === "" || (await printResult(context, text));
  if (options.format === "id") await checkIds(context, options, report);
  if (isPrinted) await report.onPrinted?.();
}

/** Shows the page and throws a `Failure` if an id is no visible word, because a script takes each line for an id. */
async function checkIds(context: PrintContext, options: PrintOptions, report: Report): Promise<void> {
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

/** Returns false if the reader has closed the pipe. Any other error is a failure, because the result is lost. */
export async function printResult({ io: { stdout } }: Pick<Context, "io">, text: SafeText): Promise<boolean> {
  try {
    await stdout.write(text);
    return true;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return false;
    throw new Failure("usage", `the result could not be written to stdout: ${messageOf(error)}`, {
      hint: "make room or write it elsewhere, then run it again; declared incidents are in the journal and are not sent again",
      cause: error,
    });
  }
}

/** The failure of a result that cannot be drawn. It still names the incident. */
async function renderOrNameIds(
  context: PrintContext,
  options: PrintOptions,
  report: Report,
): Promise<SafeText> {
  try {
    return await renderReport(context, options, report);
  } catch (error) {
    const { ids = [] } = report;
    if (ids.length === 0) throw error;
    context.warn(`the result could not be drawn (${messageOf(error)}); this is its id`);
    const { format } = options;
    if (format !== "json" && format !== "yaml") return safeLines(ids.map(escapeLine));
    const data = ids.map((id) => ({ id }));
    return safe`${escapeJson(JSON.stringify(data.length === 1 ? data[0] : data))}\n`;
  }
}

async function renderReport(
  { io, system }: PrintContext,
  { format, global }: PrintOptions,
  report: Report,
): Promise<SafeText> {
  switch (format) {
    case "json":
      return report.data === undefined ? safe`` : safe`${escapeJson(JSON.stringify(report.data, null, 2))}\n`;
    case "yaml": {
      if (report.data === undefined) return safe``;
      const { renderYaml } = await import("../source/yaml/render-yaml.ts");
      return renderYaml(report.data);
    }
    case "id":
      return safeLines((report.ids ?? []).filter(isWord).map(escapeLine));
    case "table":
    case "text":
      return report.page === undefined
        ? safe``
        : disarmLog(await report.page(await createStyleFor(system, io.stdout, global)));
    case "github":
      return (await report.views?.github?.()) ?? safe``;
    default:
      return disarmLog((await report.views?.[format]?.()) ?? safe``);
  }
}
