import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { incidentId, serviceId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const files = {
  "incidents/outage.yaml": `name: Checkout fails
severity: MAJRO
services:
  - { name: 決済サービス, id: ${serviceId}, colour: 👩‍💻 }
incidentUpdates:
  - description: ""
`,
};

const failures: readonly (readonly [what: string, line: string, code: number])[] = [
  ["what is wrong in a file", "create -f incidents/outage.yaml", 3],
  ["a command line that cannot be", `get ${incidentId} --wait-timeout 10s`, 2],
  ["an incident that is not there", `get ${incidentId}`, 5],
];

const looks: readonly (readonly [what: string, env: Readonly<Record<string, string>>])[] = [
  ["as it is", {}],
  ["with NO_COLOR", { NO_COLOR: "1" }],
  ["with TERM=dumb", { TERM: "dumb" }],
  ["in LANG=C", { LANG: "C" }],
];

/** Ids, paths and the frame of a source line are not broken. */
const longestWord = 44;

describe.each([40, 80, 200])("a failure at %i columns", (columns) => {
  describe.each(looks)("%s", (look, env) => {
    it.each(failures)("keeps its shape: %s", async (_, line, code) => {
      const terminal = { stderr: true, columns };
      const { exitCode, stderr } = await incident(line, { files, env, terminal });
      expect(exitCode).toBe(code);
      const lines = stderr.trimEnd().split("\n");
      for (const each of lines) expect(stringWidth(each)).toBeLessThanOrEqual(Math.max(columns, longestWord));
      // Every line that goes on is indented, so that the next thing to read can be found.
      const heads = lines.filter((each) => /^\S/.test(stripVTControlCharacters(each)));
      for (const head of heads) expect(stripVTControlCharacters(head)).toMatch(/^error:|:\d+:\d+:/);
      if (look !== "as it is" && look !== "in LANG=C") expect(stderr).not.toContain("\u001b[");
    });
  });
});

describe("a failure that is not read by a person", () => {
  it("keeps each sentence on its line", async () => {
    const { stderr } = await incident(`get ${incidentId} --wait-timeout 10s`);
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
  });
});
