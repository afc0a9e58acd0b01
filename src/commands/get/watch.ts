// `incident get --watch`: a page that is redrawn in place on a terminal, or a line for each change elsewhere.
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Format } from "../../kit/formats.ts";
import type { Live } from "../../kit/report.ts";
import type { Output, Reporter } from "../../platform/context.ts";
import { joinSafe, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { toSeconds } from "../../text/date-times.ts";
import { stringifyExact } from "../../text/exact-json.ts";
import { disarmLog, escapeJson, escapeLine } from "../../view/terminal/escape.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import { incidentsReport, linkedFacts } from "../shared/incident-report.ts";
import { type PollOptions, type PollResult, poll } from "./poll.ts";
import { endOf, statusOf } from "./wait-for.ts";

/** Ends when the condition is reached or its timeout expires; without a condition, on Ctrl-C. */
export function watch(context: RunContext, options: PollOptions, format: Format): { readonly live: Live } {
  const { env } = context.system;
  const { stdout } = context.io;
  const hasScreen = stdout.isTerminal && env.TERM !== "dumb" && format === "table";
  const live: Live = hasScreen
    ? (style) => drawPages(stdout, options, style)
    : () => writeLines(context, options, format);
  return { live };
}

// The alternate screen, without a cursor and without automatic line breaks.
const enter = safe`\u001b[?1049h\u001b[?25l\u001b[?7l`;
const leave = safe`\u001b[?7h\u001b[?25h\u001b[?1049l`;
const home = safe`\u001b[H`;
const restOfLine = safe`\u001b[K`;
const restOfScreen = safe`\u001b[J`;

async function* drawPages(
  stdout: Pick<Output, "rows">,
  options: PollOptions,
  createStyle: Parameters<Live>[0],
): ReturnType<Live> {
  const { renderIncident } = await import("../../view/incident.ts");
  const { clock } = options.system;
  let last: PollResult | undefined;
  const firstUpdates = new Set<string>();
  try {
    // Redraw once a second, to update the times and to follow the size of the window.
    for await (const result of poll({ ...options, tick: 1000 })) {
      if (last === undefined) {
        for (const update of result.incidents.flatMap(updatesOf)) firstUpdates.add(keyOf(update));
        yield enter;
      }
      last = result;
      const style = await createStyle();
      const isNew = (update: UpdateFacts) => !firstUpdates.has(keyOf(update));
      const facts = linkedFacts(result.incidents, options.client.settings.webUrl);
      const pages = facts.map((each) => renderIncident(style, each, isNew));
      const ago = formatElapsed(clock.now() - result.at);
      const footer =
        result.failure === undefined
          ? style.color.dim(safe`seen ${ago} ago; every ${formatElapsed(options.interval)}; Ctrl-C ends`)
          : style.color.yellow(
              safe`! last seen ${ago} ago, trying again: ${style.line(result.failure.message)}`,
            );
      yield compose(
        disarmLog(joinSafe(pages)).trimEnd().split("\n"),
        style.indent(footer, 2).split("\n"),
        stdout.rows,
      );
    }
  } catch (error) {
    if (last !== undefined) yield leave;
    throw error;
  }
  yield leave;
  // Repeats the page, which the alternate screen has hidden.
  const { page } = incidentsReport(last?.incidents ?? [], options.client.settings.webUrl);
  return { ...endOf(options, last), ...(page && { page }) };
}

/** One screen: the whole footer, and the part of the page that fits above it. */
function compose(page: readonly SafeText[], footer: readonly SafeText[], rows: number): SafeText {
  const room = Math.max(1, rows - footer.length - 1);
  const shown = page.length > room ? [...page.slice(0, room - 1), safe`(more below)`] : page;
  // Clear each line before it is written: after a line that fills the window, clearing would erase its last letter.
  const lines = [...shown, safe``, ...footer].map((line) => safe`${restOfLine}${line}`);
  return safe`${home}${joinSafe(lines, "\r\n")}${restOfScreen}`;
}

async function* writeLines(
  { warn }: Pick<Reporter, "warn">,
  options: PollOptions,
  format: Format,
): ReturnType<Live> {
  let last: PollResult | undefined;
  for await (const result of poll(options)) {
    if (result.failure !== undefined && last?.failure === undefined) {
      warn(`${result.failure.message}; still watching`);
    }
    const at = escapeLine(toSeconds(new Date(result.at).toISOString()));
    for (const [index, incident] of result.incidents.entries()) {
      for (const line of changesOf(last?.incidents[index], incident)) {
        yield format === "json"
          ? safe`${escapeJson(stringifyExact(incident))}\n`
          : disarmLog(safe`${at}  ${escapeLine(incident.id)}  ${line}\n`);
      }
    }
    last = result;
  }
  return endOf(options, last);
}

/** A line for each new update; else one for any other change, and one for the first result. */
function changesOf(previous: Incident | undefined, incident: Incident): SafeText[] {
  if (previous !== undefined && stringifyExact(previous) === stringifyExact(incident)) return [];
  const seen = new Set(previous === undefined ? [] : updatesOf(previous).map(keyOf));
  const newUpdates =
    previous === undefined ? [] : updatesOf(incident).filter((update) => !seen.has(keyOf(update)));
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
