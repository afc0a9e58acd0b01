// Draws the settings: a table of the values and their origins, each followed by the values that it overrides.

import { type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

export interface ShownSetting {
  readonly value: string | null;
  readonly origin: string | null;
}

export interface SettingRow extends ShownSetting {
  readonly name: string;
  readonly overridden: readonly ShownSetting[];
}

/** Shortens paths below `home` to `~`. Leaves out an overridden value that is the same. */
export function renderSettings(style: Style, settings: readonly SettingRow[], home: string): SafeText {
  const show = (text: string | null) => style.line((text ?? "").replaceAll(`${home}/`, "~/"));
  const rows = settings.flatMap(({ name, value, origin, overridden }) => [
    [style.line(name), value === null ? style.color.dim("not set") : show(value), show(origin)],
    ...overridden
      .filter((other) => other.value !== value)
      .map((other) => [
        safe``,
        style.color.dim(safe`instead of ${show(other.value)}`),
        style.color.dim(show(other.origin)),
      ]),
  ]);
  return renderTable(style, ["SETTING", "VALUE", "FROM"], rows);
}
