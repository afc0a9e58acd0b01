import { describe, expect, expectTypeOf, it } from "vitest";
import { specs } from "../../src/cli/registry.ts";
import type { spec as create } from "../../src/commands/create/spec.ts";
import { defineCommand, type FlagsOf, type Run } from "../../src/commands/define-command.ts";

const spec = defineCommand({
  name: "example",
  summary: "an example",
  flags: {
    dryRun: { usage: "--dry-run", kind: "switch", summary: "…" },
    out: { usage: "--out <file>", kind: "text", summary: "…" },
    file: { usage: "--file <path>", kind: "list", summary: "…" },
    interval: { usage: "--interval <duration>", kind: "duration", summary: "…" },
    port: { usage: "--port <number>", kind: "count", summary: "…" },
  },
  outputs: [],
  examples: [],
});

describe("defineCommand", () => {
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
      // @ts-expect-error: there is no such flag.
      data: flags.force,
    });
    expect(run).toBeTypeOf("function");
  });
});

describe("the specs", () => {
  it("have different names", () => {
    const names = specs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
