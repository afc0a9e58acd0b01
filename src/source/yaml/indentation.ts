// The indentation that a line should have, judged by the lines above it.
import { lineAt } from "../positions.ts";

/** A column where a field, or an entry of a list, can start. */
interface Place {
  readonly column: number;
  readonly name: string;
  readonly line: number;
}

/** The most lines above that are looked at. */
const maxLines = 200;

/** The correction of the line at `start`, or of the next one with content. Errors in the lines that it moves follow from it. */
export function indentationHint(
  text: string,
  start: number,
  isNext: boolean,
): { readonly until: number; readonly hint?: string } {
  const lines = text.split("\n");
  const own = text.slice(0, start).split("\n").length - 1;
  const wrong = isNext ? lines.findIndex((each, at) => at > own && !/^\s*(?:#.*)?$/.test(each)) : own;
  const line = lines[wrong] ?? "";
  const until = endOfBlock(text, lines.slice(0, wrong).join("\n").length + 1);
  const indentation = spacesBefore(line);
  const places = placesAbove(lines, wrong, line.startsWith("-", indentation));
  const distance = ({ column }: Place) => Math.abs(column - indentation);
  // Of two that are as near, a field without a value on its line is rather the outer one: a list follows it.
  const outer = /:\s*(?:#.*)?$/.test(line) ? 1 : -1;
  const [nearest] = places.toSorted((a, b) => distance(a) - distance(b) || outer * (a.column - b.column));
  if (nearest === undefined || nearest.column === indentation) return { until };
  const { column, name } = nearest;
  const spaces = column === 0 ? "without spaces" : `with ${column} ${column === 1 ? "space" : "spaces"}`;
  const below = lines[wrong + 1] ?? "";
  const moved =
    /\S/.test(below) && spacesBefore(below) > indentation ? ", and move the lines below it alike" : "";
  const hint = `start line ${wrong + 1} ${spaces}, under "${name}" of line ${nearest.line + 1}${moved}`;
  return { until, hint };
}

/** The end of the lines that are indented at least like the one at `start`. */
export function endOfBlock(text: string, start: number): number {
  const indentation = spacesBefore(lineAt(text, start));
  let end = text.indexOf("\n", start);
  while (end !== -1) {
    const next = lineAt(text, end + 1);
    const spaces = spacesBefore(next);
    if (indentation === 0 || (spaces < indentation && /^\S/.test(next.slice(spaces)))) return end;
    end = text.indexOf("\n", end + 1);
  }
  return text.length;
}

/** The places of the mappings and lists that are still open. */
function placesAbove(lines: readonly string[], index: number, isEntry: boolean): readonly Place[] {
  const places: Place[] = [];
  let open = Number.POSITIVE_INFINITY;
  for (let line = index - 1; line >= Math.max(0, index - maxLines) && open > 0; line -= 1) {
    const [, before = "", dashes = "", name] =
      /^( *)((?:- +)*)["']?([\p{L}_]+)["']?:(?: |$)/u.exec(lines[line] ?? "") ?? [];
    if (name === undefined) continue;
    for (const isDash of dashes === "" ? [false] : [false, true]) {
      const column = before.length + (isDash ? 0 : dashes.length);
      if (column >= open) continue;
      open = column;
      if (isDash === isEntry) places.push({ column, name: isDash ? `- ${name}` : name, line });
    }
  }
  return places;
}

function spacesBefore(text: string): number {
  return /^ */.exec(text)?.[0].length ?? 0;
}
