// The messages for a project's file with a value of another kind.
import { expect, it } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it.each([
  [
    "- profile: x\n",
    "1:1",
    'write its fields, as in "profile: …", "definitions: …", "templates: …", "services: …", "policy: …"',
  ],
  ["definitions: incidents\n", "1:14", 'write a list, each entry after "- ", for example [incidents]'],
  ["definitions: [/etc]\n", "1:15", "name a folder below that of the file, for example incidents"],
  ["templates: '..\\x'\n", "1:12", "name a folder below that of the file, for example incidents"],
  ["templates: 'C:x'\n", "1:12", "name a folder below that of the file, for example incidents"],
  ["services: [checkout]\n", "1:11", "write its fields, as in {checkout: {id: CHANGEME, name: Checkout}}"],
  ["services: {}\nprofile: [x]\n", "2:10", 'write one text; its lines can stand below "|"'],
])("an invalid .incident.yaml is refused at its node: %j", async (file, at, hint) => {
  const { exitCode, stderr } = await incident("config show", { files: { ".incident.yaml": file } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`.incident.yaml:${at}: error: `);
  expect(stderr).toContain(`  fix: ${hint}\n`);
  expect(stderr).toContain(
    "  next: correct the problems above, or leave the file out with --no-project; nothing was sent\n",
  );
});

it.each([
  ["validate x.yaml", 3],
  ["create -f x.yaml", 3],
  ["list", 2],
  ["config show", 2],
  ["services list", 3],
])("%s tells all problems of a broken .incident.yaml, in the order of its lines", async (line, exitCode) => {
  const file = "serices: {}\npolicy: { maxx: 1, notify: 4 }\nprofile: 3\nservices: { a: 1 }\nbaseUrl: x\n";
  const files = { ".incident.yaml": file, "x.yaml": definitionYaml({}) };
  const result = await incident(line, { files });
  expect(result).toMatchObject({ exitCode, stdout: "", requests: [] });
  expect(result.stderr.match(/(?<=^\.incident\.yaml:)\d+(?=:)/gm)).toEqual(["1", "2", "2", "3", "4", "5"]);
});

it("validate refuses a project's file that only has an unknown field, once", async () => {
  const files = { ".incident.yaml": "serices: {}\n", "x.yaml": definitionYaml({}) };
  const { exitCode, stderr } = await incident("validate x.yaml", { files });
  expect(exitCode).toBe(3);
  expect(stderr.match(/^\.incident\.yaml:1:1: error: /gm)).toHaveLength(1);
});

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
