// What create and apply refuse about several definitions together, as validate reports it.
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const twice = {
  "in/a.yaml": definitionYaml({ id: incidentId }),
  "in/b.yaml": definitionYaml({ id: incidentId.toUpperCase(), name: "Other" }),
};
const text = `in/b.yaml:1:5: error: this id is taken already, at in/a.yaml:1:5 [duplicate-id]
  1 | id: ${incidentId.toUpperCase()}
    |     ${"^".repeat(36)}
  fix: remove the id from one of the two, or write another one

error: 1 problem in 1 file
`;

describe("two definitions with the same id", () => {
  it("are reported by validate where the first file is gone by then", async () => {
    const world = createWorld({ files: twice });
    const first = join(world.folder, "in/a.yaml");
    const { exitCode, stderr } = await world.run("validate in", {
      wrapFiles: (disk) => ({
        ...disk,
        openSync: (path, ...more) => {
          if (String(path).endsWith("b.yaml")) rmSync(first);
          return disk.openSync(path, ...more);
        },
      }),
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(text);
  });
});

it("a definition without an id is named in a command that a shell does not expand", async () => {
  const { stderr } = await incident("apply -f .", { files: { "a $(id).yaml": definitionYaml() } });
  expect(stderr).toContain("--assign-ids -f 'a $(id).yaml'");
});

it("a file in a folder is checked, whatever its name", async () => {
  const files = { "a\n::x.yaml": "name: a", "b\u2028.yml": "name: b" };
  const { stderr } = await incident("validate .", { files });
  expect(stderr).toContain("problems in 2 files");
});

describe("a link in a folder that leads nowhere", () => {
  it.each([
    ["validate in", "in/b.yaml:1:11"],
    ["create -f in", "in/b.yaml:1:11"],
    ["apply -f in --dry-run", "in/b.yaml:1:11"],
  ])("is an error of its file alone for %s", async (line, other) => {
    const files = { "in/a.yaml": definitionYaml({ id: incidentId }), "in/b.yaml": "severity: major\n" };
    const world = createWorld({ files });
    symlinkSync("gone.yaml", join(world.folder, "in/aa.yaml"));
    const { exitCode, requests, stderr } = await world.run(line);
    expect({ exitCode, requests }).toEqual({ exitCode: 3, requests: [] });
    expect(stderr).toContain("in/aa.yaml:1:1: error: in/aa.yaml does not exist [unreadable]");
    expect(stderr).toContain(`${other}: error: "major" is not a severity`);
  });
});
