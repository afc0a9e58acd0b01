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

const style = createStyle({ columns: 80, isTerminal: false }, noColors, () => 0);

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
