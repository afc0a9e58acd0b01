// `incident get --watch`: a page that is redrawn in place on a terminal, or a line for each change elsewhere.
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Format } from "../../kit/formats.ts";
import type { Live, Report } from "../../kit/report.ts";
import {
  disarmLog,
  escapeJson,
  escapeLine,
  joinSafe,
  type SafeText,
  safe,
} from "../../platform/terminal/safe-text.ts";
import { localTime } from "../../text/date-times.ts";
import type { Style } from "../../view/terminal/style.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import { linked } from "../shared/incident-list.ts";
import { endOf, type Following, poll, type Seen, statusOf } from "./follow.ts";

/** Ends when the condition is reached or its timeout expires; without a condition, on Ctrl-C. */
export function watch(context: RunContext, following: Following, format: Format): Report<"live"> {
  const { stdout } = context.io;
  const hasScreen = stdout.isTerminal && context.system.env.TERM !== "dumb" && format === "table";
  const live: Live = hasScreen
    ? (style) => drawPages(context, following, style)
    : () => writeLines(context, following, format);
  return { is: "live", live };
}

// The alternate screen, without a cursor and without automatic line breaks.
const enter = safe`\u001b[?1049h\u001b[?25l\u001b[?7l`;
const leave = safe`\u001b[?7h\u001b[?25h\u001b[?1049l`;
const home = safe`\u001b[H`;
const restOfLine = safe`\u001b[K`;
const restOfScreen = safe`\u001b[J`;

async function* drawPages(
  context: RunContext,
  following: Following,
  createStyle: () => Promise<Style>,
): ReturnType<Live> {
  const { renderIncident } = await import("../../view/incident.ts");
  const { draw } = await import("../../kit/formats/page.ts");
  const { client, interval, system } = following;
  let last: Seen | undefined;
  const firstUpdates = new Set<string>();
  try {
    // Redraw once a second, to update the times and to follow the size of the window.
    for await (const seen of poll(following, 1000)) {
      if (last === undefined) {
        for (const update of seen.incidents.flatMap(updatesOf)) firstUpdates.add(keyOf(update));
        yield enter;
      }
      last = seen;
      const style = await createStyle();
      const isNew = (update: UpdateFacts) => !firstUpdates.has(keyOf(update));
      const { facts } = linked(seen.incidents, client.settings.webUrl);
      const pages = facts.map((each) => renderIncident(style, each, isNew));
      const footer = style.indent(renderFooter(style, seen, system.clock.now() - seen.at, interval), 2);
      const lines = disarmLog(joinSafe(pages)).trimEnd().split("\n");
      yield compose(lines, footer.split("\n"), context.io.stdout.rows);
    }
  } catch (error) {
    if (last !== undefined) yield leave;
    throw error;
  }
  yield leave;
  // Repeats the page, which the alternate screen has hidden.
  const result = linked(last?.incidents ?? [], client.settings.webUrl);
  yield disarmLog(await draw.incidents(result, { ...context, style: createStyle }));
  return endOf(following, last);
}

function renderFooter(style: Style, { failure }: Seen, age: number, interval: number): SafeText {
  const ago = formatElapsed(age);
  return failure === undefined
    ? style.color.dim(safe`seen ${ago} ago; every ${formatElapsed(interval)}; Ctrl-C ends`)
    : style.color.yellow(safe`! last seen ${ago} ago, trying again: ${style.line(failure.message)}`);
}

/** One screen: the whole footer, and the part of the page that fits above it. */
function compose(page: readonly SafeText[], footer: readonly SafeText[], rows: number): SafeText {
  const room = Math.max(1, rows - footer.length - 1);
  const shown = page.length > room ? [...page.slice(0, room - 1), safe`(more below)`] : page;
  // Clear each line before it is written: after a line that fills the window, clearing would erase its last letter.
  const lines = [...shown, safe``, ...footer].map((line) => safe`${restOfLine}${line}`);
  return safe`${home}${joinSafe(lines, "\r\n")}${restOfScreen}`;
}

async function* writeLines(context: RunContext, following: Following, format: Format): ReturnType<Live> {
  let last: Seen | undefined;
  for await (const seen of poll(following)) {
    if (seen.failure !== undefined && last?.failure === undefined)
      context.warn(`${seen.failure.message}; still watching`);
    const at = escapeLine(localTime(new Date(seen.at).toISOString(), context.system.localOffset, "seconds"));
    for (const [index, incident] of seen.incidents.entries()) {
      for (const line of changesOf(last?.incidents[index], incident)) {
        yield format === "json"
          ? safe`${escapeJson(JSON.stringify(incident))}\n`
          : disarmLog(safe`${at}  ${escapeLine(incident.id)}  ${line}\n`);
      }
    }
    last = seen;
  }
  return endOf(following, last);
}

/** A line for each new update; else one for any other change, and one for the first result. */
function changesOf(previous: Incident | undefined, incident: Incident): SafeText[] {
  if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(incident)) return [];
  const known = new Set(previous === undefined ? [] : updatesOf(previous).map(keyOf));
  const newUpdates =
    previous === undefined ? [] : updatesOf(incident).filter((each) => !known.has(keyOf(each)));
  const name = escapeLine(incidentFacts(incident).name ?? "(no name)");
  if (newUpdates.length === 0) return [safe`${escapeLine(statusOf(incident))}  ${name}`];
  return newUpdates.map(({ description, status }) => {
    const text = escapeLine((description ?? "").replace(/\s+/g, " ").trim());
    return safe`${escapeLine(status ?? statusOf(incident))}  ${name}: ${text}`;
  });
}

function updatesOf(incident: Incident): readonly UpdateFacts[] {
  return incidentFacts(incident).updates;
}

function keyOf(update: UpdateFacts): string {
  return JSON.stringify(update);
}
