// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { describe, expect, it } from "vitest";
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
    ["${region}", "--var 'region=x\nseverity: MINOR'", "x\nseverity: MINOR"],
    ["${region}", "--var 'region=$&$1'", "$&$1"],
  ])("%s with %s is %s", async (name, flags, expected) => {
    const files = {
      ...named(name),
      "vars.yaml": "region: from a file\n",
      "more.yaml": "region: from another\n",
    };
    const { exitCode, requests } = await incident(`create -f x.yaml ${flags}`, { files });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({ name: expected, severity: "MAJOR" });
  });

  it("is never taken from the environment", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml", {
      files: named("${region}"),
      env: { region: "eu" },
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("x.yaml:1:7: error: the variable region is not set [unset-variable]");
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
      "warning: nothing uses --var regoin; did you mean region?\nwarning: nothing uses --var colour\n",
    );
  });

  it.each(["region", "=eu", "1a=x", "a b=x"])("written as %j is a usage error", async (text) => {
    const { exitCode, stderr } = await incident(`validate x.yaml --var '${text}'`, { files: named("x") });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("write --var name=value");
  });

  it.each([
    ["port: 8080\n", 3, "vars.yaml:1:7: error: 8080 is a number, not text [wrong-type]"],
    ["- region\n", 3, "vars.yaml:1:1: error"],
    ["region: [\n", 3, "vars.yaml:1:10: error"],
  ])("from a file with %j is a diagnostic of that file", async (text, code, message) => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars vars.yaml", {
      files: { ...named("x"), "vars.yaml": text },
    });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
  });

  it("from a missing file is a usage error", async () => {
    const { exitCode, stderr } = await incident("validate x.yaml --vars none.yaml", { files: named("x") });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain("none.yaml does not exist");
  });
});
