import { describe, expect, it } from "vitest";
import type { Output } from "../../../src/platform/context.ts";
import { escapeLine, joinSafe, type SafeText, safe } from "../../../src/platform/terminal/safe-text.ts";
import { createStyle, noColors } from "../../../src/view/terminal/style.ts";

const hostile: string = "\u001b[2J";

describe("a safe text", () => {
  it("has safe texts, numbers and words of closed unions as its parts", () => {
    const level: "error" | "warning" = Math.random() < 2 ? "error" : "warning";
    expect(safe`${level}: ${escapeLine(hostile)} ${2}`).toBe("error: \\u{1b}[2J 2");
  });

  it("has no other string as its part: each of these lines would be a compile error", () => {
    const style = createStyle({ columns: 80, isTerminal: false }, noColors, () => 0);
    const started: `a${string}` = `a${hostile}`;
    const forgotten: readonly string[] = [
      // @ts-expect-error
      safe`${hostile}`,
      // @ts-expect-error
      safe`${started}`,
      // @ts-expect-error
      safe`${`${escapeLine(hostile)}${hostile}`}`,
      // @ts-expect-error
      joinSafe([hostile]),
      // @ts-expect-error
      style.color.red(hostile),
      // @ts-expect-error
      style.pad(hostile, 2),
    ];
    // The guard is the type alone.
    expect(forgotten.every((text) => text.includes("\u001b"))).toBe(true);
  });

  it("is the only text that a stream takes", async () => {
    const written: SafeText[] = [];
    const output: Pick<Output, "write"> = { write: async (text) => void written.push(text) };
    // @ts-expect-error
    await output.write(hostile);
    await output.write(escapeLine(hostile));
    expect(written).toEqual([hostile, "\\u{1b}[2J"]);
  });
});
