// The indentation that a line should have, judged by the lines above it.

interface Place {
  readonly column: number;
  readonly name: string;
  readonly line: number;
}

/** The most lines above that are looked at. */
const maxLines = 200;

/** The correction of the indentation of line `index`, from 0. Undefined where no line above has a place for it. */
export function indentationHint(lines: readonly string[], index: number): string | undefined {
  const line = lines[index] ?? "";
  const indentation = spacesBefore(line);
  const places = placesAbove(lines, index, line.startsWith("-", indentation));
  const distance = ({ column }: Place) => Math.abs(column - indentation);
  const [nearest] = places.toSorted((a, b) => distance(a) - distance(b));
  if (nearest === undefined || nearest.column === indentation) return undefined;
  const { column, name } = nearest;
  const spaces = column === 0 ? "without spaces" : `with ${column} ${column === 1 ? "space" : "spaces"}`;
  return `start line ${index + 1} ${spaces}, under "${name}" of line ${nearest.line + 1}`;
}

/** The columns where a field, or an entry of a list, can start: those of the mappings and lists that are still open. */
function placesAbove(lines: readonly string[], index: number, isEntry: boolean): readonly Place[] {
  const places: Place[] = [];
  let open = Number.POSITIVE_INFINITY;
  for (let line = index - 1; line >= Math.max(0, index - maxLines) && open > 0; line -= 1) {
    const [, before = "", dashes = "", name] =
      /^( *)((?:- +)*)["']?([\p{L}_]+)["']?:(?: |$)/u.exec(lines[line] ?? "") ?? [];
    if (name === undefined) continue;
    for (const [column, isDash] of [
      [before.length + dashes.length, false],
      [before.length, true],
    ] as const) {
      if (column >= open || (isDash && dashes === "")) continue;
      open = column;
      if (isDash === isEntry) places.push({ column, name: isDash ? `- ${name}` : name, line });
    }
  }
  return places;
}

function spacesBefore(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
