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
});
