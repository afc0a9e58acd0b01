import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Diagnostic, DiagnosticCode } from "../../src/diagnostic.ts";
import { checkSources } from "../../src/source/definitions.ts";
import { maxFileSize } from "../../src/source/read-source.ts";

const valid = new URL("../../fixtures/", import.meta.url);
const invalid = new URL("../../fixtures/invalid/", import.meta.url);

/** Every code, and whether a fixture can have it. */
const codes = {
  "file-too-large": false,
  "not-utf8": true,
  "yaml-syntax": true,
  "yaml-version": true,
  "too-deep": true,
  "too-many-aliases": true,
  "duplicate-key": true,
  "unknown-tag": true,
  "no-definition": true,
  "wrong-type": true,
  "unknown-field": true,
  "missing-field": true,
  "unknown-severity": true,
  "unknown-status": true,
  // Only settings have a field with this error.
  "unknown-value": false,
  "name-too-long": true,
  "blank-text": true,
  "empty-list": true,
  "not-a-guid": true,
  "not-a-date": true,
  "not-a-date-time": true,
  "not-a-whole-number": true,
  "unknown-service": true,
  "unset-variable": true,
  "bad-variable": true,
  // Templates, see test/source/templates.test.ts.
  "undeclared-variable": false,
  "unused-variable": false,
  "bad-pattern": false,
  "bad-default": false,
  "bad-dedup-key": false,
  "no-input": false,
  // The policy, see test/source/policy.test.ts.
  "policy-notify": false,
  "policy-service": false,
  "policy-text": false,
  "policy-first-status": false,
  leak: false,
  "not-a-fault": false,
  placeholder: true,
  // Warnings.
  "cut-text": false,
  "repeated-service": false,
  "backward-status": false,
  "future-date": false,
  "typographic-quotes": false,
  "left-placeholder": false,
  "repeated-definition": false,
  // Only apply requires ids.
  "missing-id": false,
  "duplicate-id": false,
  // Only a service says it.
  refused: false,
  // Only the contract of a service has these rules.
  contract: false,
} satisfies Record<DiagnosticCode, boolean>;

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

  it("exists for every diagnostic code of a file", () => {
    const shown = new Set(names.flatMap(expectedOf).map((line) => line.split(" ")[0]));
    const needed = Object.entries(codes).filter(([, canBeShown]) => canBeShown);
    expect([...shown].sort()).toEqual(needed.map(([code]) => code).sort());
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
    expect(definitions.map(({ document, documents }) => `${document}/${documents}`)).toEqual(
      Array.from({ length: count }, (_, index) => `${index + 1}/${count}`),
    );
    expect(new Set(definitions.map(({ definition }) => definition.id)).size).toBe(count);
  });
});
