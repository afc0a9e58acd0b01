import { describe, expect, expectTypeOf, it } from "vitest";
import type { spec as create } from "../../src/commands/create/spec.ts";
import type { CommandSpec, FlagsOf, Run } from "../../src/kit/command.ts";
import { flag } from "../../src/kit/flags.ts";
import { safe } from "../../src/platform/terminal/safe-text.ts";
import { specs } from "../harness/specs.ts";

const spec = {
  flags: {
    dryRun: flag.switch("--dry-run", "…"),
    out: flag.text("--out <file>", "…"),
    file: flag.list("--file <path>", "…"),
    interval: flag.duration("--interval <duration>", "…"),
    port: flag.count("--port <number>", "…"),
  },
  result: "text",
  examples: {},
} as const satisfies CommandSpec;

describe("a spec", () => {
  it("types the flags of a run by their kinds", () => {
    expectTypeOf<FlagsOf<typeof spec>>().toEqualTypeOf<{
      readonly dryRun?: boolean;
      readonly out?: string;
      readonly file?: readonly string[];
      readonly interval?: number;
      readonly port?: number;
    }>();
    expectTypeOf<FlagsOf<typeof create>["file"]>().toEqualTypeOf<readonly string[] | undefined>();
  });

  it("refuses a run that reads a flag which is not in the spec", () => {
    const run: Run<typeof spec> = async (_, { flags }) => ({
      prints: { text: () => safe`` },
      // @ts-expect-error: there is no such flag.
      exitCode: flags.force ? 1 : 0,
    });
    expect(run).toBeTypeOf("function");
  });
});

describe("the specs", () => {
  it("have a name each", () => {
    const names = specs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
