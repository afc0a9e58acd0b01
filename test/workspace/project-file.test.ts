// The messages for a project's file with a value of another kind.
import { expect, it } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it("doctor tells each problem of a broken .incident.yaml", async () => {
  const { stdout } = await incident("doctor", { files: { ".incident.yaml": "serices: {}\nbaseUrl: x\n" } });
  expect(stdout).toMatch(/\(line 1: .*\(line 2: /s);
});

it(".incident.yml is not left out in silence, with its policy", async () => {
  const files = { ".incident.yml": "policy: { leaks: forbid }\n", "x.yaml": definitionYaml({}) };
  const { exitCode, stderr } = await incident("validate x.yaml", { files });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("rename it to .incident.yaml")]);
  expect((await incident("validate x.yaml --no-project", { files })).exitCode).toBe(0);
});
