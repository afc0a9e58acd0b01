// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isError } from "../../src/diagnostic.ts";
import { Failure } from "../../src/failure.ts";
import { checkSources } from "../../src/source/definitions.ts";
import { renderFailure } from "../../src/view/failure.ts";
import { createStyle, noColors } from "../../src/view/terminal/style.ts";
import { serviceId } from "../harness/builders.ts";
import { isThorough } from "../harness/cases.ts";
import { findUnsafe } from "../harness/safe-output.ts";
import { definitions, mutation, notations } from "./arbitraries.ts";

const rest = `services:
  - {id: ${serviceId}, name: Checkout}
incidentUpdates:
  - description: We are looking into it.
`;

function check(text: string | Uint8Array, file = "x.yaml") {
  return checkSources([{ file, bytes: typeof text === "string" ? new TextEncoder().encode(text) : text }]);
}

function messages(text: string): string[] {
  return check(text).diagnostics.map(({ code, message, hint }) => `${code}: ${message}; ${hint}`);
}

// The common mistakes are in fixtures/invalid/.
describe("one rare mistake gives one diagnostic", () => {
  it.each([
    [
      "a number in the place of a time",
      `name: x\nseverity: MAJOR\n${rest}    publicIncidentUpdateDate: 1763780820\n`,
      "wrong-type: 1763780820 is a number, not text; write ISO 8601, for example 2026-03-01T09:30:00Z",
    ],
    [
      "typographic quotes on both sides",
      `name: x\nseverity: ‘MAJOR’\n${rest}`,
      'unknown-severity: "‘MAJOR’" is not a severity; write MAJOR: the text here has U+2018 (typographic quote)',
    ],
    [
      "no value of a field that may be left out",
      `name: x\nseverity: MAJOR\nduration: null\n${rest}`,
      "wrong-type: duration is empty; remove the line, or write digits only, without a unit and without quotes; the API does not state the unit",
    ],
    [
      "the time of an update under the name of another tool",
      `name: x\nseverity: MAJOR\n${rest}    createdAt: 2026-11-28T12:00:00Z\n`,
      'unknown-field: "createdAt" is not a field here; write one of description, id, publicIncidentUpdateDate, created_at, notifySubscribers, status; did you mean publicIncidentUpdateDate?',
    ],
    [
      "a comma in a text between braces",
      `name: x\nseverity: MAJOR\nservices: [{id: ${serviceId}, name: y}]\nincidentUpdates:\n  - { description: Hello, world }\n`,
      'unknown-field: "world" is not a field here; write one of description, id, publicIncidentUpdateDate, created_at, notifySubscribers, status',
    ],
    [
      "a field after a no-break space",
      `name: x\nseverity: MAJOR\n${rest}\u00a0\u00a0id: ${serviceId}\n`,
      "yaml-syntax: this is U+00A0 (no-break space), and not a space; write a space in place of each one in this file",
    ],
    [
      "a mapping in the place of a text, with a field that the length of a text could be",
      `name:\n  length:\n    a: [b]\nseverity: MAJOR\n${rest}`,
      "wrong-type: name is a mapping, not text; write text here, for example Checkout fails for some customers",
    ],
    [
      "a field that every JavaScript object has",
      `name: x\nseverity: MAJOR\n${rest}constructor: x\n`,
      'unknown-field: "constructor" is not a field here; write one of name, severity, services, incidentUpdates, id, created_at, updated_at, duration',
    ],
    [
      "a long wrong value",
      `name: x\nseverity: ${"🚨".repeat(200)}\n${rest}`,
      `unknown-severity: "${"🚨".repeat(60)}…" is not a severity; write one of CRITICAL, MAJOR, MEDIUM, MINOR`,
    ],
  ])("%s", (_, text, expected) => {
    expect(messages(text)).toEqual([expected]);
  });

  it("rejects the field __proto__", () => {
    expect(messages(`name: x\nseverity: MAJOR\n${rest}__proto__: {x: 1}\n`)).toHaveLength(1);
  });
});

it.each([
  ["0755", "0755 is a number, not text"],
  ["1e3", "1e3 is a number, not text"],
  ["[0755]", "name is a list, not text"],
])("names the number %s as the file spells it", (written, message) => {
  expect(messages(`name: ${written}\nseverity: MAJOR\n${rest}`)).toEqual([expect.stringContaining(message)]);
});

it("reports a hundred diagnostics of a file, and that there are others", () => {
  const text = `name: x\nseverity: MAJOR\nservices: [${"1, ".repeat(500)}]\n${rest.slice(rest.indexOf("incident"))}`;
  const { diagnostics } = check(text);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.at(-1)?.message).toBe("more problems in this file are not shown");
});

it("returns a valid definition although another document of its file has errors", () => {
  const { definitions, diagnostics } = check(`name: [\n---\nname: x\nseverity: MAJOR\n${rest}`);
  expect(definitions.map(({ place }) => place.start.line)).toEqual([3]);
  expect(diagnostics.map(({ code }) => code)).toEqual(["yaml-syntax"]);
});

describe("reads the same definition from every notation", () => {
  it.each(Object.entries(notations))("in %s", (_, spell) => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const checked = check(spell(definition));
        expect(checked.diagnostics.filter(isError)).toEqual([]);
        expect(checked.definitions.map((located) => located.definition)).toEqual([definition]);
      }),
      { numRuns: isThorough ? 40 : 12 },
    );
  });
});

const style = createStyle({ columns: 80, color: noColors, localOffset: () => 0 });

it("never throws, and returns a definition or a diagnostic that controls no terminal, for any mutation", () => {
  fc.assert(
    fc.property(mutation, (bytes) => {
      const { definitions: found, diagnostics } = check(bytes);
      expect(found.length + diagnostics.length).toBeGreaterThan(0);
      const failure = new Failure("invalid", "problems", { hint: "correct them", diagnostics });
      expect(findUnsafe(renderFailure(style, failure), false)).toBeUndefined();
      for (const { location } of diagnostics) {
        expect(location.start.line).toBeGreaterThan(0);
        expect(location.end.line * 1e7 + location.end.column).toBeGreaterThanOrEqual(
          location.start.line * 1e7 + location.start.column,
        );
      }
    }),
    { seed: 20260301, numRuns: Number(process.env.FUZZ_RUNS ?? (isThorough ? 100 : 40)) },
  );
});
