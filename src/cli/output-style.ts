// How a run prints: its format, and the style of a page for one output. The modules of the style load when a page is
// drawn.
import type { Input } from "../kit/define-command.ts";
import type { GlobalFlags } from "../kit/global-flags.ts";
import type { Output, System } from "../platform/context.ts";
import type { Style } from "../view/terminal/style.ts";

export type PrintOptions = Pick<Input, "format" | "global">;

export async function createStyleFor(
  system: Pick<System, "clock" | "env" | "localOffset">,
  output: Pick<Output, "columns" | "isTerminal">,
  global: GlobalFlags,
): Promise<Style> {
  const { createStyle, noColors, supportsColor, supportsUnicode } = await import("../view/terminal/style.ts");
  const isColored = supportsColor(system.env, output.isTerminal, global);
  return createStyle({
    columns: output.columns,
    color: isColored ? (await import("../view/terminal/colors.ts")).colors : noColors,
    unicode: supportsUnicode(system.env),
    localOffset: system.localOffset,
    now: system.clock.now(),
    isTerminal: output.isTerminal,
  });
}
