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
  ["an invalid file", "create -f incidents/outage.yaml", 3],
  ["an invalid command line", `get ${incidentId} --wait-timeout 10s`, 2],
  ["a missing incident", `get ${incidentId}`, 5],
];

const looks: readonly (readonly [what: string, env: Readonly<Record<string, string>>])[] = [
  ["by default", {}],
  ["with NO_COLOR", { NO_COLOR: "1" }],
  ["with TERM=dumb", { TERM: "dumb" }],
  ["in LANG=C", { LANG: "C" }],
];

describe.each([40, 80, 200])("a failure at %i columns", (columns) => {
  describe.each(looks)("%s", (look, env) => {
    it.each(failures)("keeps its shape: %s", async (_, line, code) => {
      const { exitCode, stderr } = await incident(line, { files, env, terminal: { stderr: true, columns } });
      expect(exitCode).toBe(code);
      const lines = stderr.trimEnd().split("\n");
      // The source line is cut to the width, with its marker below it.
      for (const each of lines.filter((line) => line.includes(" | ")))
        expect(stringWidth(each)).toBeLessThanOrEqual(columns);
      // Continuation lines are indented, so that the start of each part is visible.
      const heads = lines.filter((each) => /^\S/.test(stripVTControlCharacters(each)));
      for (const head of heads) expect(stripVTControlCharacters(head)).toMatch(/^error:|:\d+:\d+:/);
      if (look !== "by default" && look !== "in LANG=C") expect(stderr).not.toContain("\u001b[");
    });
  });
});
