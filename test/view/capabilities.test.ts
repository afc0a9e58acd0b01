import { describe, expect, it } from "vitest";
import { supportsColor } from "../../src/view/terminal/style.ts";

describe("color", () => {
  it.each([
    ["a terminal", {}, true, {}, true],
    ["a pipe", {}, false, {}, false],
    ["TERM=dumb", { TERM: "dumb" }, true, {}, false],
    ["NO_COLOR", { NO_COLOR: "1" }, true, {}, false],
    ["an empty NO_COLOR", { NO_COLOR: "" }, true, {}, true],
    ["FORCE_COLOR on a pipe", { FORCE_COLOR: "1" }, false, {}, true],
    ["FORCE_COLOR=0 on a terminal", { FORCE_COLOR: "0" }, true, {}, false],
    ["NO_COLOR before FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, {}, false],
    ["--color before NO_COLOR", { NO_COLOR: "1" }, false, { color: true }, true],
    ["--no-color before FORCE_COLOR", { FORCE_COLOR: "1" }, true, { noColor: true }, false],
  ])("depends on %s", (_, env, isTerminal, flags, expected) => {
    expect(supportsColor(env, isTerminal, flags)).toBe(expected);
  });
});
