import { describe, expect, it } from "vitest";
import { explanations } from "../../src/incident/explanations.ts";
import { checkSources } from "../../src/source/definitions.ts";
import { incident } from "../harness/incident.ts";

/** A definition, a field at a time; an example takes the place of those that it writes. */
const base = {
  name: "name: Checkout fails",
  severity: "severity: MAJOR",
  services: "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
  incidentUpdates: "incidentUpdates: [{ description: We are looking into it. }]",
};

function completed(example: string): string {
  const missing = Object.entries(base).filter(([name]) => !new RegExp(`^${name}:`, "m").test(example));
  return [example, ...missing.map(([, line]) => line), ""].join("\n");
}

function codesOf(text: string): string[] {
  const { diagnostics } = checkSources([{ file: "x.yaml", bytes: new TextEncoder().encode(text) }]);
  return diagnostics.map(({ code }) => code);
}

/** Not found in the text of one definition: in bytes, in other files, and in what only `apply` asks for. */
const told = [
  ...["file-too-large", "not-utf8", "no-definition"],
  ...["unknown-value", "not-a-fault", "missing-id", "duplicate-id"],
];
const shown = Object.entries(explanations).filter(([code]) => !told.includes(code));

describe("an explanation", () => {
  it.each(shown)(
    "of %s has a wrong example that is refused with it, and a right one",
    (code, { wrong, right }) => {
      expect(new Set(codesOf(completed(wrong)))).toEqual(new Set([code]));
      expect(codesOf(completed(right))).toEqual([]);
    },
  );

  it.each(Object.entries(explanations))("of %s is made of sentences", (_, { title, meaning, basis }) => {
    expect(title).toMatch(/^[a-z].*[^.]$/);
    expect(meaning).toMatch(/^\S.*\.$/);
    expect(basis).toMatch(
      /^(?:spec \d|YAML 1\.2$|a choice of this tool$|an assumption: |JSON is sent|a service is)/,
    );
  });
});

describe("incident explain", () => {
  it("says what a code means, with a wrong and a right example and what it rests on", async () => {
    const { exitCode, stdout } = await incident("explain unknown-severity");
    expect(exitCode).toBe(0);
    for (const text of ["unknown-severity", "severity: major", "severity: MAJOR", "spec 2.4"]) {
      expect(stdout).toContain(text);
    }
  });

  it("lists every code", async () => {
    const { stdout } = await incident("explain");
    for (const code of Object.keys(explanations)) expect(stdout).toContain(code);
    expect(JSON.parse((await incident("explain -o json")).stdout)).toHaveLength(
      Object.keys(explanations).length,
    );
  });

  it("names the code that was meant", async () => {
    const { exitCode, stderr } = await incident("explain unknwn-severity");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("did you mean unknown-severity?");
  });
});
