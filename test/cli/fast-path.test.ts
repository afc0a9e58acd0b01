import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guessPrintOptions, parseFastPath } from "../../src/cli/fast-path.ts";
import { topics } from "../../src/cli/help/topic-names.ts";
import { parseArgv } from "../../src/cli/parse-argv.ts";
import { specs } from "../../src/cli/registry.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";

const parser = (argv: readonly string[]) => parseArgv(argv, 80);

describe("the fast path", () => {
  it.each([
    [["--version"], { kind: "version" }],
    [["--help"], { kind: "overview" }],
    ...topics.map((name) => [["help", name], { kind: "topic", name }] as const),
  ] as const)("parses %j as the parser does", (argv, expected) => {
    expect(parseFastPath(argv)).toEqual(expected);
    expect(parser(argv)).toEqual(expected);
  });

  it.each([
    [[]],
    [["-h"]],
    [["help"]],
    [["help", "help"]],
    [["help", "create"]],
    [["help", "crate"]],
    [["help", "exit-codes", "files"]],
    [["--version", "create"]],
    [["create", "--version"]],
    [["--help", "create"]],
    [["create", "--help"]],
    [["completion", "bash"]],
    [["completion", "--words"]],
    [["-q", "--version"]],
  ])("leaves %j to the parser", (argv) => {
    expect(parseFastPath(argv)).toBeUndefined();
  });

  it("takes no command line from the parser for the completion scripts", () => {
    const argv = ["completion", "--words", "--", "get", ""];
    expect(parseFastPath(argv)).toEqual({ kind: "completions", words: ["get", ""] });
    expect(parser(argv)).toMatchObject({ kind: "wrong", problem: "unknown-option", subject: "--words" });
  });

  it("agrees with the parser on every command line that it parses", () => {
    const words = [
      ...topics,
      ...specs.flatMap(({ name }) => name.split(" ")),
      ...Object.values(globalFlags).flatMap(({ usage }) => usage.split(/,? /)),
      ...["help", "--help", "-h", "--version", "--", "-", "", "x"],
    ];
    const argvs = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 3 }),
      fc.tuple(fc.constantFrom("help", "--help", "--version"), fc.constantFrom(...words)),
    );
    fc.assert(
      fc.property(argvs, (argv) => {
        const invocation = parseFastPath(argv);
        if (invocation !== undefined) expect(parser(argv)).toEqual(invocation);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the parser, on the shapes of the fast path among other flags", () => {
  it.each([
    [["-q", "--version"], { kind: "version" }],
    [["--no-color", "--help"], { kind: "overview" }],
    [["--debug", "help"], { kind: "overview" }],
    [["--debug", "help", "exit-codes"], { kind: "topic", name: "exit-codes" }],
    [["help", "crate"], { kind: "topic", name: "crate" }],
    [[], { kind: "overview" }],
  ])("parses %j", (argv, expected) => {
    expect(parser(argv)).toEqual(expected);
  });
});

describe("the guess for failures before parsing", () => {
  const command = ["config", "show"];

  it.each([
    [[]],
    [["-o", "json"]],
    [["-ojson"]],
    [["--output", "json"]],
    [["--output=json"]],
    [["--debug"]],
    [["--debug", "-o", "json"]],
    [["-o", "table"]],
  ])("agrees with the parser on %j", (flags) => {
    for (const argv of [
      [...flags, ...command],
      [...command, ...flags],
    ]) {
      const invocation = parser(argv);
      if (invocation.kind !== "run") throw new Error(`${argv.join(" ")} runs nothing`);
      const { format, global } = invocation.input;
      const guessed = guessPrintOptions(argv);
      expect(guessed.format === "json").toBe(format === "json");
      expect(guessed.global.debug ?? false).toBe(global.debug ?? false);
    }
  });
});
