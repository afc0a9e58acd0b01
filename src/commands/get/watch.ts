// `incident get --watch`: a page that is drawn anew in its place, or, where nobody looks on, a line for each
// change.

import { exitCodes } from "../../failure.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import type { Format, Report } from "../define-command.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { type Poll, type PollOptions, poll } from "./poll.ts";
import type { WaitCondition } from "./wait-condition.ts";
import { notReached, statusOf } from "./wait-for.ts";

type Live = NonNullable<Report["live"]>;

/** With a goal, it ends when that is reached or the time is up; without one, with Ctrl-C. */
export function watch(
  context: Context & Reporter,
  observing: PollOptions,
  goal: WaitCondition | undefined,
  format: Format,
): Report {
  const { clock, env, stdout } = context;
  const timed = goal === undefined ? observing : { ...observing, deadline: clock.now() + goal.timeout };
  const hasScreen = stdout.isTerminal && env.TERM !== "dumb" && format === "table";
  const live: Live = hasScreen
    ? (style) => drawPages(context, timed, goal, style)
    : () => writeLines(context, timed, goal, format);
  return { live };
}

/** What ends a watch, as a report: the page is left where a person can scroll to it. */
function endReport(
  { signal }: Context,
  look: Poll | undefined,
  goal: WaitCondition | undefined,
  page: boolean,
): Report {
  const incidents = look?.incidents ?? [];
  const isReached = goal !== undefined && incidents.every(goal.isReached);
  const report = page ? incidentsReport(incidents) : {};
  if (signal.aborted) {
    return { ...report, exitCode: exitCodes[signal.reason === "SIGTERM" ? "terminated" : "interrupted"] };
  }
  if (goal === undefined || isReached) return report;
  return { ...report, failure: notReached(goal, look, formatElapsed(goal.timeout)) };
}

// A screen of its own, as an editor has one: without a cursor, and without lines that break by themselves.
const enter = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";
const home = "\u001b[H";
const restOfLine = "\u001b[K";
const restOfScreen = "\u001b[J";

async function* drawPages(
  context: Context,
  observing: PollOptions,
  goal: WaitCondition | undefined,
  openPaper: Parameters<Live>[0],
): AsyncGenerator<string, Report> {
  const { renderIncident } = await import("../../view/incident.ts");
  const { clock, stdout } = context;
  let last: Poll | undefined;
  const known = new Set<string>();
  try {
    // Once a second, so that what is said of time stays true, and a new size of the window is taken up.
    for await (const look of poll({ ...observing, tick: 1000 })) {
      if (last === undefined) {
        for (const update of look.incidents.flatMap(updatesOf)) known.add(keyOf(update));
        yield enter;
      }
      last = look;
      const style = await openPaper();
      const isNew = (update: UpdateFacts) => !known.has(keyOf(update));
      const pages = look.incidents.map((incident) => renderIncident(style, incidentFacts(incident), isNew));
      const ago = formatElapsed(clock.now() - look.at);
      const foot =
        look.trouble === undefined
          ? style.color.dim(`seen ${ago} ago; every ${formatElapsed(observing.interval)}; Ctrl-C ends`)
          : style.color.yellow(`! last seen ${ago} ago, trying again: ${style.line(look.trouble.message)}`);
      yield compose(pages.join("\n").trimEnd().split("\n"), style.indent(foot, 2).split("\n"), stdout.rows);
      if (goal !== undefined && look.incidents.every(goal.isReached)) break;
    }
  } catch (error) {
    if (last !== undefined) yield leave;
    throw error;
  }
  yield leave;
  return endReport(context, last, goal, true);
}

/** One screen: as much of the page as there is room for, and the foot whole. */
function compose(page: readonly string[], foot: readonly string[], rows: number): string {
  const room = Math.max(1, rows - foot.length - 1);
  const shown = page.length > room ? [...page.slice(0, room - 1), "(more below)"] : page;
  // What was there goes first: behind a line that fills the window, its last letter would go with it.
  return home + [...shown, "", ...foot].map((line) => restOfLine + line).join("\r\n") + restOfScreen;
}

async function* writeLines(
  context: Context & Reporter,
  observing: PollOptions,
  goal: WaitCondition | undefined,
  format: Format,
): AsyncGenerator<string, Report> {
  let last: Poll | undefined;
  for await (const look of poll(observing)) {
    if (look.trouble !== undefined && last?.trouble === undefined) {
      context.warn(`${look.trouble.message}; still watching`);
    }
    const at = new Date(look.at).toISOString();
    for (const [index, incident] of look.incidents.entries()) {
      for (const line of changesOf(last?.incidents[index], incident)) {
        yield format === "json" ? `${JSON.stringify(incident)}\n` : `${at}  ${incident.id}  ${line}\n`;
      }
    }
    last = look;
    if (goal !== undefined && look.incidents.every(goal.isReached)) break;
  }
  return endReport(context, last, goal, false);
}

/** A line for each new update; else one for any other change, and one for what there is at first. */
function changesOf(before: Incident | undefined, incident: Incident): string[] {
  if (JSON.stringify(before) === JSON.stringify(incident)) return [];
  const known = new Set(before === undefined ? [] : updatesOf(before).map(keyOf));
  const news = before === undefined ? [] : updatesOf(incident).filter((update) => !known.has(keyOf(update)));
  const name = escapeLine(incidentFacts(incident).name ?? "(no name)");
  if (news.length === 0) return [`${escapeLine(statusOf(incident))}  ${name}`];
  return news.map(({ description, status }) => {
    const text = escapeLine((description ?? "").replace(/\s+/g, " ").trim());
    return `${escapeLine(status ?? statusOf(incident))}  ${name}: ${text}`;
  });
}

function updatesOf(incident: Incident): readonly UpdateFacts[] {
  return incidentFacts(incident).updates;
}

function keyOf(update: UpdateFacts): string {
  return JSON.stringify(update);
}
