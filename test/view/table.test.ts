// Tables in narrow terminals.
import { expect, it } from "vitest";
import { assumeSafe } from "../../src/platform/terminal/safe-text.ts";
import { createStyle, noColors } from "../../src/view/terminal/style.ts";
import { renderTable } from "../../src/view/terminal/table.ts";

const draw = (columns: number, isTerminal = true) =>
  renderTable(
    createStyle({ columns, isTerminal }, noColors, () => 0),
    ["ID", "STATUS", "SINCE", "NAME"],
    [
      ["5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01", "RESOLVED", "2026-11-20 07:31 +01:00", "Search is slow"],
      ["3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b", "", "2026-11-20 07:35 +01:00", "Checkout"],
    ].map((row) => row.map(assumeSafe)),
  );

it("goes on in further lines, in which the columns align", () => {
  expect(draw(40)).toBe(`ID
  STATUS    SINCE
  NAME
5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01
  RESOLVED  2026-11-20 07:31 +01:00
  Search is slow
3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b
            2026-11-20 07:35 +01:00
  Checkout
`);
});

it.each([
  [80, true, 80],
  [40, false, 89],
])("at %i columns, terminal: %s, has lines of at most %i cells", (columns, isTerminal, most) => {
  const lines = draw(columns, isTerminal).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(most);
  expect(lines).toHaveLength(isTerminal ? 6 : 4);
});
