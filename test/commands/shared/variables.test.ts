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
});
