import { describe, expect, it } from "vitest";
import { exclusiveFlags, type FlagSpec, longNameIn } from "../../src/kit/flags.ts";
import { parseDuration } from "../../src/text/date-times.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

describe("the command line", () => {
  it.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["30m", 1_800_000],
    ["1.5s", 1500],
    ["7", 7000],
    ["1d", 86_400_000],
  ])("reads the duration %s as %i ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(["journal -o json list", "-o json journal list", "journal --timeout 9s -o json list"])(
    "takes a flag of every command anywhere: %s",
    async (line) => {
      const { exitCode, stderr, stdout } = await incident(line);
      expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: "", stdout: "[]\n" });
    },
  );

  it.each(
    specs.flatMap((spec) =>
      exclusiveFlags
        .map((pair) => pair.flatMap((name) => spec.flags[name] ?? []))
        .filter((flags) => flags.length === 2)
        .map((flags) => ({ command: spec.name, flags: flags as readonly FlagSpec[] })),
    ),
  )(
    "refuses exclusive flags of $command: $flags.0.usage beside $flags.1.usage",
    async ({ command, flags }) => {
      const words = flags.map((flag) => `${longNameIn(flag.usage)}${flag.kind === "switch" ? "" : " x"}`);
      for (const given of [words, words.toReversed()]) {
        const { exitCode, stdout, stderr, requests } = await incident(`${command} ${given.join(" ")}`);
        expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
        const [one, other] = flags.map(({ usage }) => usage);
        expect(stderr).toContain(
          `error: option '${one}' cannot be used with option '${other}'\n  next: see `,
        );
      }
    },
  );

  it("has no command whose flags --x and --no-x can be used together", () => {
    const possible = specs.flatMap(({ name, flags }) =>
      Object.entries(flags).flatMap(([negative, { usage }]) => {
        const positive = Object.keys(flags).find(
          (each) => flags[each]?.usage === usage.replace("--no-", "--"),
        );
        const isExclusive = exclusiveFlags.some((pair) => pair[0] === positive && pair[1] === negative);
        return !usage.startsWith("--no-") || positive === undefined || isExclusive
          ? []
          : [`${name} ${usage}`];
      }),
    );
    expect(possible).toEqual([]);
  });

  it.each(["-yh", "-hq", "-h"])("shows the help, and sends nothing, for short flags as %s", async (flags) => {
    const { exitCode, requests, stdout } = await incident(
      `resolve 7c9e6679-7425-40de-944b-e07fc1f90ae7 ${flags}`,
    );
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(stdout).toMatch(/^Usage: incident resolve /);
  });
});
