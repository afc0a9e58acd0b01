import { describe, expect, it } from "vitest";
import { exclusiveFlags, type FlagSpec, longNameIn } from "../../src/kit/flags.ts";
import { parseDuration } from "../../src/text/date-times.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const guid = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";

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

  it.each(["abc", "1w", "0", "25h", "'1 s'"])("refuses the duration %s", async (text) => {
    const { exitCode, stderr } = await incident(`get x --timeout ${text}`);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Write it with a unit"),
    });
  });

  it.each(["journal -o json list", "-o json journal list", "journal --timeout 9s -o json list"])(
    "takes a flag of every command anywhere: %s",
    async (line) => {
      const { exitCode, stderr, stdout } = await incident(line);
      expect({ exitCode, stderr, stdout }).toEqual({ exitCode: 0, stderr: "", stdout: "[]\n" });
    },
  );

  it.each([
    ["an unknown flag", "get x --jsno", "unknown option '--jsno'"],
    ["an unknown flag of a command in a group", "journal list --jsno", "incident journal list --help"],
    ["a group with a flag alone", "services --yes", "the commands of incident services: list and import"],
    ["a missing value", "create -f", "argument missing"],
    ["an empty file name", "create -f ''", "'-f, --file <path>' argument '' is invalid. It is empty."],
    ["an empty profile", "get x --profile ''", "It is empty."],
    ["an empty duration", "get x --timeout ''", "It is empty."],
    [
      "a flag in the place of a text",
      `update ${guid} --message --notify`,
      "It is a flag; the value of --message is missing.",
    ],
    [
      "a flag with its value there",
      "create --message --status=monitoring",
      "It is a flag; the value of --message is missing.",
    ],
    ["a short flag there", "create --dedup-key -y -f x.yaml", "'-y' is invalid. It is a flag"],
    ["an empty argument", "validate x.yaml ''", "an argument is empty"],
    ["a misspelt format", "get x -o jsn", "did you mean json?"],
    ["a misspelt value", "validate --for aply", "did you mean apply?"],
    ["a text that is given twice", "update x --message One --message=Two", "--message is given twice"],
    ["two values of a choice", "create --severity major --severity minor", "--severity is given twice"],
    ["two formats", "get x -o table -o id", "--output is given twice"],
    ["two durations", "get x --timeout 1s --timeout 2s", "--timeout is given twice"],
  ])("refuses %s with exit 2 and says where to look", async (_, line, text) => {
    const { exitCode, stdout, stderr, requests } = await incident(line);
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(stderr).toContain(text);
    expect(stderr).toContain("next:");
  });

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

  it("prints a usage failure as JSON with -o json", async () => {
    const { exitCode, stderr } = await incident("get x --jsno -o json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", exitCode: 2, retryable: false });
  });
});
