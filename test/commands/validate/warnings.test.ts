// Warnings about valid definitions: they change the exit code with --strict alone.
import { describe, expect, it } from "vitest";
import { definitionYaml } from "../../harness/builders.ts";
import { incident } from "../../harness/incident.ts";

const cut = { "x.yaml": definitionYaml({ name: "Checkout #42 fails" }) };
const cutLine =
  'warning: x.yaml:1:16: name ends before the "#": the rest of the line is a comment [cut-text]; put the whole text in quotes: "…"\n';

describe("a warning", () => {
  it("does not change the exit code of validate, and is on stderr", async () => {
    const { exitCode, stdout, stderr } = await incident("validate x.yaml", { files: cut });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "1 definition in 1 file: valid\n",
      stderr: cutLine,
    });
  });

  it("is shown before a create, which goes on", async () => {
    const { exitCode, stderr } = await incident("create x.yaml", { files: cut });
    expect(exitCode).toBe(0);
    expect(stderr.startsWith(cutLine)).toBe(true);
  });

  it.each(["validate x.yaml --for apply", "apply -f x.yaml"])(
    "is shown by %s with the errors of the file, as a missing id is",
    async (line) => {
      const files = { "x.yaml": definitionYaml({ name: "TODO", severity: "HIGH" }) };
      const { exitCode, stderr } = await incident(line, { files });
      expect(exitCode).toBe(3);
      for (const code of ["left-placeholder", "unknown-severity", "missing-id"])
        expect(stderr).toContain(`[${code}]`);
    },
  );

  it("is part of -o json and github", async () => {
    const json = JSON.parse((await incident("validate x.yaml -o json", { files: cut })).stdout);
    expect([json.valid, json.warnings[0].code]).toEqual([true, "cut-text"]);
    const github = await incident("validate x.yaml -o github", { files: cut });
    expect(github.stdout).toContain("::warning file=x.yaml,line=1,");
  });

  it.each([
    [
      "a line break that a shell left as it is",
      { incidentUpdates: "[{ description: 'We look.\\nMore soon.' }]" },
      'warning: x.yaml:4:43: description has "\\n", and customers would see it so [left-placeholder]; write a line break: in a file as text below "|", in a shell as $\'one\\ntwo\'\n',
    ],
    [
      "an invisible character in a name",
      { name: "Check\u200bout fails" },
      "warning: x.yaml:1:7: name has U+200B (invisible character), which nobody sees [control-character]; remove it\n",
    ],
    [
      "a text that stands for another",
      { name: "TODO" },
      'warning: x.yaml:1:7: name has "TODO", and customers would see it so [left-placeholder]; replace it\n',
    ],
    [
      "a name between angle brackets",
      { name: "<TITLE>" },
      'warning: x.yaml:1:7: name has "<TITLE>", and customers would see it so [left-placeholder]; replace it\n',
    ],
    [
      "a variable of a shell in small letters",
      { name: "Errors in $region" },
      `warning: x.yaml:1:17: name has "$region", and customers would see it so [left-placeholder]; replace it; in a file, a variable is \${region}, and --var gives its value\n`,
    ],
    ["no text with such a word in it", { name: "The page TODO is slow, <b>again</b>" }, ""],
    ["no variable that is escaped", { name: "Use $${region}" }, ""],
    ["no path with a backslash", { name: "'C:\\n1 is full'" }, ""],
  ])("is given for %s", async (_, fields, warning) => {
    const { exitCode, stderr } = await incident("validate x.yaml", {
      files: { "x.yaml": definitionYaml(fields) },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: warning });
  });

  it("is given for two definitions without an id that are the same, by validate and by create", async () => {
    const files = { "a.yaml": definitionYaml(), "b.yaml": definitionYaml() };
    const warning =
      "warning: b.yaml:1:1: this definition has the same content as a.yaml:1:1, so create declares two incidents [repeated-definition]; remove one of the two, or give each an id if both are meant\n";
    const validated = await incident("validate a.yaml b.yaml", { files });
    expect([validated.exitCode, validated.stderr]).toEqual([0, warning]);
    expect((await incident("validate a.yaml b.yaml --strict", { files })).exitCode).toBe(3);
    const created = await incident("create -f a.yaml -f b.yaml -o id", { files });
    expect(created.exitCode).toBe(0);
    expect(created.stderr).toContain(warning);
    expect(new Set(created.stdout.trim().split("\n")).size).toBe(2);
    const different = { ...files, "b.yaml": definitionYaml({ name: "Mail fails" }) };
    expect((await incident("validate a.yaml b.yaml", { files: different })).stderr).toBe("");
  });

  it.each([
    ["quotes around a part of a text", { name: "“Checkout” and “Cart” fail" }],
    ["a comment", { name: "Checkout fails # since noon" }],
    ["a line that is a comment", { name: "Checkout fails\n#name: Cart fails" }],
    ["a # in quotes", { name: '"Checkout #42 fails" #why' }],
    ["a # without a space before it", { name: "Checkout#42 fails" }],
    ["the same words again", { incidentUpdates: "[{ description: We look. }, { description: We look. }]" }],
    ["a heading of Markdown", { incidentUpdates: "\n- description: |\n    # Europe\n    It works." }],
    ["the path of an API", { name: "GET /v1/orders/{orderId} fails" }],
    ["a line of a log", { incidentUpdates: "\n- description: |\n    We see\n    status: 503 in Europe" }],
    ["a # in a block of text", { incidentUpdates: "\n- description: |\n    name: see #42 there" }],
    [
      "statuses in order",
      { incidentUpdates: "[{ status: IDENTIFIED, description: a }, { status: RESOLVED, description: b }]" },
    ],
  ])("is not given for %s", async (_, fields) => {
    const { exitCode, stderr } = await incident("validate x.yaml", {
      files: { "x.yaml": definitionYaml(fields) },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});
