import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const services = `services:
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  payments: { name: Payments, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6d }
  mail: { name: Mail, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6e }
`;
const policy = `policy:
  notify: [CRITICAL, MAJOR]
  name: { maxLength: 40, forbid: [TODO, db-17.internal] }
  description: { maxLength: 20 }
`;
const both = "[checkout, payments]";
const valid = definitionYaml({
  id: incidentId,
  services: both,
  incidentUpdates: "[{ description: We are looking. }]",
});
const broken = definitionYaml({
  id: incidentId,
  name: "todo, db-17.internal is down, and so is everything else",
  severity: "MINOR",
  services: "[checkout, mail]",
  incidentUpdates:
    "[{ description: far too long a text for this, status: RESOLVED, notifySubscribers: true }]",
});
const files = { ".incident.yaml": services + policy, "valid.yaml": valid, "x.yaml": broken };

const found = (stderr: string) => stderr.split("\n").filter((line) => /^x\.yaml:\d/.test(line));
const expected = [
  "x.yaml:2:7: error: name has 55 characters [policy-text]",
  'x.yaml:2:7: error: the policy of this project forbids "TODO" and "db-17.internal" in name [policy-text]',
  "x.yaml:5:34: error: description has 28 characters [policy-text]",
  "x.yaml:5:101: error: the policy of this project does not let MINOR notify subscribers [policy-notify]",
];

describe("the policy of a project", () => {
  it.each(["validate x.yaml", "create -f x.yaml", "apply -f x.yaml"])(
    "is checked by %s, at the lines of the definition",
    async (line) => {
      const { exitCode, requests, stderr } = await incident(line, { files });
      expect({ exitCode, sent: requests.length, found: found(stderr) }).toEqual({
        exitCode: 3,
        sent: 0,
        found: expected,
      });
    },
  );

  it("is checked with the warnings about texts beside every other error", async () => {
    const text = definitionYaml({
      name: "TODO in $REGION",
      severity: "HIGH",
      services: "[unknown]",
      incidentUpdates: "[{ description: We look. }, { descripton: x }]",
    });
    const { exitCode, stderr } = await incident("validate x.yaml", { files: { ...files, "x.yaml": text } });
    expect(exitCode).toBe(3);
    expect(stderr.match(/(?<=\[)[a-z]+-[a-z]+(?=\])/g)).toEqual([
      "left-placeholder",
      "policy-text",
      "unknown-severity",
      "unknown-service",
      "unknown-field",
    ]);
  });

  it("is checked in a template, for every text that its variables can write", async () => {
    const template = `variables:
  level: { values: { page: CRITICAL, ticket: MINOR }, otherwise: MAJOR }
  summary:
---
name: TODO \${summary}
severity: \${level}
services: [mail]
incidentUpdates: [{ description: "\${summary}", status: RESOLVED, notifySubscribers: true }]
`;
    const { exitCode, stderr } = await incident("validate t.yaml", {
      files: { ...files, "t.yaml": template },
    });
    expect({ exitCode, found: stderr.split("\n").filter((line) => line.startsWith("t.yaml")) }).toEqual({
      exitCode: 3,
      found: [
        "t.yaml:8:85: error: the policy of this project does not let MINOR notify subscribers [policy-notify]",
      ],
    });
  });

  const own = definitionYaml({ id: incidentId, name: "TODO" });

  it.each([
    "validate own.yaml --no-project",
    "create -f own.yaml --no-project",
    "apply -f own.yaml --yes --no-project",
    `update ${incidentId} --message TODO --yes --no-project`,
  ])("is left out by %s, which is told once", async (line) => {
    const world = createWorld({ files: { ...files, "own.yaml": own }, sandbox: { onlySpec: false } });
    if (line.startsWith("update")) expect((await world.run("create -f valid.yaml")).exitCode).toBe(0);
    const { exitCode, stderr } = await world.run(line);
    expect(exitCode).toBe(0);
    expect(stderr.match(/^warning: \.incident.yaml .*$/gm)).toEqual([
      "warning: .incident.yaml is left out, with its policy if it has one (--no-project)",
    ]);
  });

  describe("about leaks", () => {
    const project = (mode: string) => ({ ".incident.yaml": `policy: { leaks: ${mode} }\n` });
    const own = definitionYaml({ id: incidentId, name: "db-17.internal is down" });
    const text =
      'x.yaml:2:7: {level}name has an internal host name: "db-17.internal", and customers would read it [leak]';

    it("with forbid, makes internals errors, also in flags", async () => {
      const files = { ...project("forbid"), "x.yaml": own };
      const inFile = await incident("validate x.yaml", { files });
      expect(found(inFile.stderr)).toEqual([text.replace("{level}", "error: ")]);
      const inFlags = await incident(
        `create --name 'Checkout fails' --severity major --service Checkout=${incidentId} --message 'On 10.0.0.7.'`,
        { files },
      );
      expect({ exitCode: inFlags.exitCode, first: inFlags.stderr.split("\n")[0] }).toEqual({
        exitCode: 2,
        first:
          'error: --message: description has a private address: "10.0.0.7", and customers would read it [leak]',
      });
    });

    it("with warn, warns of them", async () => {
      const warning = `warning: ${text.replace("{level}", "")}; remove it\n`;
      for (const line of ["validate x.yaml", "create -f x.yaml"]) {
        const { exitCode, stderr } = await incident(line, { files: { ...project("warn"), "x.yaml": own } });
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(warning) });
      }
    });

    it("without the rule, leaves the text of a file alone", async () => {
      const { exitCode, stderr } = await incident("validate x.yaml", { files: { "x.yaml": own } });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    });
  });

  it("finds forbidden words as whole words", async () => {
    const { exitCode } = await incident("validate y.yaml", {
      files: { ...files, "y.yaml": valid.replace("Checkout fails", "Mastodons fail") },
    });
    expect(exitCode).toBe(0);
  });
});
