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
const valid = definitionYaml({
  id: incidentId,
  services: "[checkout, payments]",
  incidentUpdates: "[{ description: We are looking. }]",
});
const files = { ".incident.yaml": services + policy, "valid.yaml": valid };

describe("the policy of a project", () => {
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
