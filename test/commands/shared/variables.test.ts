// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { describe, expect, it } from "vitest";
import { definitionYaml } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";
import { definition, sentBody } from "../sample-definition.ts";

function named(name: string): Record<string, string> {
  return { "x.yaml": definition.replace("Checkout fails", () => name) };
}

describe("a variable", () => {
  it.each([
    ["${region}", "--var region=eu-west-1", "eu-west-1"],
    ["${region} and ${region}", "--var region=eu", "eu and eu"],
    ["'${a}${b}'", "--var a=1 --var b=2", "12"],
    ["${region}", "--var region=a=b", "a=b"],
    ["${region:-everywhere}", "", "everywhere"],
    ["${region:-everywhere}", "--var region=", "everywhere"],
    ["${region:-everywhere}", "--var region=eu", "eu"],
    ["in${region:-}", "", "in"],
    ["$${region}", "", "${region}"],
    ["$$${region}", "", "$${region}"],
    ["$ {region} $region", "", "$ {region} $region"],
    ["${region}", "--var region=us --var region=eu", "eu"],
    ["${region}", "--vars vars.yaml", "from a file"],
    ["${region}", "--vars vars.yaml --vars more.yaml", "from another"],
    ["${region}", "--vars vars.yaml --var region=eu", "eu"],
    ["${region}", "--var region=${other}", "${other}"],
    ["${region}", "--var 'region=x, severity: MINOR'", "x, severity: MINOR"],
    ["${region}", "--var 'region=$&$1'", "$&$1"],
    ["${region}", "--vars half.json", "half of a pair"],
  ])("%s with %s is %s", async (name, flags, expected) => {
    const files = {
      ...named(name),
      "vars.yaml": "region: from a file\n",
      "more.yaml": "region: from another\n",
      "half.json": '{"region": "half \\ud800of a pair"}',
    };
    const { exitCode, requests } = await incident(`create -f x.yaml ${flags}`, { files });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({ name: expected, severity: "MAJOR" });
  });

  it("with line breaks stays a text", async () => {
    const files = { "x.yaml": definitionYaml({ incidentUpdates: '[{ description: "${text}" }]' }) };
    const { requests } = await incident("create -f x.yaml --var 'text=x\nseverity: MINOR'", { files });
    const body = sentBody(requests);
    expect(body).toMatchObject({ severity: "MAJOR" });
    expect(body.incidentUpdates[0].description).toBe("x\nseverity: MINOR");
  });

  it("is replaced neither in names of fields nor in values that are no text", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --var region=eu", {
      files: { "x.yaml": `${definition}"\${region}": 1\n` },
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('"${region}" is not a field here');
  });

  it("with an invalid value is reported at its position", async () => {
    const { stderr } = await incident("validate x.yaml --var severity=high", {
      files: { "x.yaml": definition.replace("MAJOR", "${severity}") },
    });
    expect(stderr).toContain('x.yaml:2:11: error: "high" is not a severity');
  });

  it("that no definition uses is a warning with a suggestion", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --var regoin=eu --var colour=red", {
      files: named("${region:-x}"),
    });
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      "warning: no definition uses --var regoin; did you mean region?\nwarning: no definition uses --var colour\n",
    );
  });

  it.each(["region", "=eu", "1a=x", "a b=x"])("written as %j is a usage error", async (text) => {
    const { exitCode, stderr } = await incident(`validate x.yaml --var '${text}'`, { files: named("x") });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("write --var name=value");
  });

  it.each([
    ["- region\n", 3, "vars.yaml:1:1: error"],
    ["region: [\n", 3, "vars.yaml:1:9: error"],
    ["region: eu\n---\nother: x\n", 3, "vars.yaml:3:1: error: a file of variables is one document"],
  ])("from a file with %j is a diagnostic of that file", async (text, code, message) => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars vars.yaml", {
      files: { ...named("x"), "vars.yaml": text },
    });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });

  it.each([
    ["${version}", "version: 1.10\n", "1.10"],
    ["${up}", "up: true\n", "true"],
    ["${big}", "big: 123456789012345678901234567890\n", "123456789012345678901234567890"],
    ["${commonLabels.region}", "commonLabels: { region: eu }\n", "eu"],
    ["${alerts.1.labels.job}", "alerts: [{}, { labels: { job: api } }]\n", "api"],
    ["${labels.app.kubernetes.io}", "labels: { app.kubernetes.io: web }\n", "web"],
    ["${a.b}", "a.b: whole\na: { b: nested }\n", "whole"],
    ["${a:-none}", "a: null\n", "none"],
    ["${a.0:-none}", "a: { }\n", "none"],
    ["${a:-none}", "a: [1]\n", "none"],
    ["${a.00:-none}", "a: [x]\n", "none"],
    ["${constructor.name:-none}", "a: x\n", "none"],
    ["${alerts.0.summary}", '{"alerts": [{"summary": "down: \\"api\\""}]}', 'down: "api"'],
  ])("%s of a file with %j is %j", async (name, text, expected) => {
    const files = { ...named(name), "vars.yaml": text };
    const { exitCode, requests, stderr } = await incident("create -f x.yaml --vars vars.yaml", { files });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(sentBody(requests)).toMatchObject({ name: expected });
  });

  it("of a file that cannot be read is not said to be unset", async () => {
    const files = { ...named("${region}"), "vars.yaml": "region: a: b\n" };
    const { exitCode, stderr } = await incident("validate x.yaml --vars vars.yaml", { files });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("error: 1 problem in 1 file")]);
  });

  it("from a text that a # cuts short is a warning", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars vars.yaml", {
      files: { ...named("${a.text}"), "vars.yaml": "a:\n  text: Ticket\n    #42 is open\nb: c # why\n" },
    });
    expect([exitCode, stderr.match(/vars\.yaml:\d+:\d+: \w+ ends before the "#"/g)]).toEqual([
      0,
      ['vars.yaml:3:5: text ends before the "#"'],
    ]);
  });

  it("that is not set suggests a nested name", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars vars.yaml", {
      files: { ...named("${commonLabels.regoin}"), "vars.yaml": "commonLabels: { region: eu }\n" },
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("did you mean commonLabels.region?");
  });

  it("from a missing file is a usage error", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars none.yaml", { files: named("x") });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain("none.yaml does not exist");
  });
});
