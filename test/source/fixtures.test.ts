import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.ts";
import { checkSources } from "../../src/source/definitions.ts";
import { maxFileSize } from "../../src/source/read-source.ts";

const valid = new URL("../../fixtures/", import.meta.url);
const invalid = new URL("../../fixtures/invalid/", import.meta.url);

const names = readdirSync(invalid).filter((name) => name.endsWith(".yaml"));

/** The lines `# expect: code range` at the start of a fixture, or in the file beside a fixture without comments. */
function expectedOf(name: string): string[] {
  const text = readFileSync(new URL(name, invalid), "utf8").replace(/^\uFEFF/, "");
  const written = [...text.matchAll(/^# expect: (.*\S)/gm)].map((match) => match[1] ?? "");
  if (written.length > 0) return written;
  return readFileSync(new URL(name.replace(/yaml$/, "expect"), invalid), "utf8")
    .trim()
    .split("\n");
}

function check(folder: URL, name: string) {
  return checkSources([{ file: name, bytes: readFileSync(new URL(name, folder)) }]);
}

function summary({ code, location: { start, end } }: Diagnostic): string {
  return `${code} ${start.line}:${start.column}-${end.line}:${end.column}`;
}

describe("an invalid fixture", () => {
  it.each(names)("%s gives exactly the expected diagnostics", (name) => {
    expect(check(invalid, name).diagnostics.map(summary)).toEqual(expectedOf(name));
  });

  it.each(names)("%s has messages that start in lower case and end without a full stop", (name) => {
    for (const { message, hint } of check(invalid, name).diagnostics) {
      expect(message).toMatch(/^[^A-Z].*[^.]$/s);
      expect(hint.replace(/for example .*/s, "")).toMatch(/^[a-z].*[^.]$/s);
    }
  });
});

it("rejects a file larger than 1 MiB, and reads one of exactly 1 MiB", () => {
  const large = new Uint8Array(maxFileSize + 1).fill(0x20);
  const refused = checkSources([{ file: "large.yaml", bytes: large }]).diagnostics;
  expect(refused.map(({ code }) => code)).toEqual(["file-too-large"]);
  const read = checkSources([{ file: "large.yaml", bytes: large.subarray(1) }]).diagnostics;
  expect(read.map(({ code }) => code)).toEqual(["no-definition"]);
});

describe("a valid fixture", () => {
  it.each([
    ["api-outage.yaml", 1],
    ["batch.yaml", 3],
    ["database-failover.yaml", 1],
    ["degraded-search.yaml", 1],
    ["payment-provider.yaml", 1],
    ["resolved-login-errors.yaml", 1],
  ])("%s gives %i definitions with unique ids", (name, count) => {
    const { definitions, diagnostics } = check(valid, name);
    expect(diagnostics).toEqual([]);
    expect(definitions).toHaveLength(count);
    expect(new Set(definitions.map(({ definition }) => definition.id)).size).toBe(count);
  });
});
