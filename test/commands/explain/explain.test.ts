import { describe, expect, it } from "vitest";
import { explanations } from "../../../src/explanations.ts";
import { checkSources } from "../../../src/source/definitions.ts";
import { serviceYaml } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";

/** A definition, field by field. An example replaces the fields that it contains. */
const base = {
  name: "name: Checkout fails",
  severity: "severity: MAJOR",
  services: `services: [${serviceYaml}]`,
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

const { "no-input": noInput } = explanations;
const templateCodes = [
  "undeclared-variable",
  "unused-variable",
  "bad-dedup-key",
  "bad-resolve",
  "no-otherwise",
] as const;
const ofTemplates = templateCodes.map((code) => [code, explanations[code]] as const);
const ofPolicies = Object.entries(explanations).filter(([code]) => /^(policy-|leak$)/.test(code));

/** Codes that the text of one definition cannot cause: they concern bytes, other files, a contract or `apply`. */
const silentCodes = [
  ...["file-too-large", "body-too-large", "fault", "not-utf8", "no-definition"],
  ...["unknown-value", "not-a-fault", "missing-id", "duplicate-id", "refused", "contract"],
  ...["cut-text", "repeated-service", "backward-status"],
  ...["future-date", "typographic-quotes", "left-placeholder", "repeated-definition"],
  ...["no-input", ...templateCodes, ...ofPolicies.map(([code]) => code)],
];
const shown = Object.entries(explanations).filter(([code]) => !silentCodes.includes(code));

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
      /^(?:spec \d|YAML 1\.2$|a choice of this tool$|an assumption: |JSON is sent|a service is|the service's own OpenAPI)/,
    );
  });
});

const catalog = `services:\n  checkout: ${serviceYaml}\n  payments: ${serviceYaml.replace("3f2b", "4f2b").replace("Checkout", "Payments")}\n`;

it("the explanation of no-input has a wrong input that is refused with it, and a right one", async () => {
  const files = {
    "incident-templates/a.yaml": completed("variables: {}\n---"),
    "wrong.json": noInput.wrong,
    "right.json": noInput.right,
  };
  const refused = await incident("create --template a --vars wrong.json --dry-run", { files });
  expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("[no-input]") });
  const accepted = await incident("create --template a --vars right.json --dry-run", { files });
  expect(accepted.stderr).not.toContain("[no-input]");
});

it.each([...ofTemplates, ...ofPolicies])(
  "the explanation of %s has a wrong example that is refused with it in its project, and a right one",
  async (code, { wrong, right }) => {
    // A comment of the wrong example is the policy of both.
    const policy = /^# (policy: .*)$/m.exec(wrong)?.[1] ?? "";
    const files = {
      ".incident.yaml": `${catalog}${policy}\n`,
      "wrong.yaml": completed(wrong),
      "right.yaml": completed(right),
    };
    const refused = await incident("validate wrong.yaml", { files });
    expect(new Set(refused.stderr.match(/(?<=error: .*\[)[\w-]+(?=\]$)/gm))).toEqual(new Set([code]));
    const accepted = await incident("validate right.yaml", { files });
    expect({ exitCode: accepted.exitCode, stderr: accepted.stderr }).toEqual({ exitCode: 0, stderr: "" });
  },
);

it.each([
  "cut-text",
  "repeated-service",
  "backward-status",
  "future-date",
  "typographic-quotes",
  "left-placeholder",
] as const)(
  "the explanation of %s has a wrong example with that warning alone, and a right one",
  async (code) => {
    const { wrong, right } = explanations[code];
    const files = { "wrong.yaml": completed(wrong), "right.yaml": completed(right) };
    const refused = await incident("validate wrong.yaml --strict", { files });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr.match(/(?<=warning: .*\[)[\w-]+(?=\]$)/gm)).toEqual([code]);
    expect((await incident("validate right.yaml --strict", { files })).exitCode).toBe(0);
  },
);

it.each(ofTemplates)(
  "the explanation of %s has a wrong template that is refused with it, and a right one",
  async (code, { wrong, right }) => {
    const template = (example: string) =>
      completed(example.includes("---") ? example : `${example}\n---\nname: Checkout fails in \${region}`);
    const files = {
      "incident-templates/wrong.yaml": template(wrong),
      "incident-templates/right.yaml": template(right),
    };
    const refused = await incident("validate incident-templates/wrong.yaml", { files });
    expect(refused.stderr.match(/(?<=error: .*\[)[\w-]+(?=\]$)/gm)).toEqual([code]);
    const valid = await incident("validate incident-templates/right.yaml", { files });
    expect(valid).toMatchObject({ exitCode: 0, stderr: "" });
  },
);

describe("incident explain", () => {
  it("shows the meaning of a code, with a wrong and a right example and its basis", async () => {
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

  it("suggests a similar code", async () => {
    const { exitCode, stderr } = await incident("explain unknwn-severity");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("did you mean unknown-severity?");
  });
});
