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
  it.each(["validate in", "create -f in", "create in/a.yaml in/b.yaml", "apply -f in"])(
    "are refused by %s, which sends nothing",
    async (line) => {
      const { exitCode, stderr, requests } = await incident(line, { files: twice });
      expect({ exitCode, requests }).toEqual({ exitCode: 3, requests: [] });
      expect(stderr).toContain(text);
    },
  );

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

  it("are refused in one file", async () => {
    const document = definitionYaml({ id: incidentId });
    const { exitCode, stderr } = await incident("create x.yaml", {
      files: { "x.yaml": `${document}---\n${document}` },
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("x.yaml:7:5: error: this id is taken already, at x.yaml:1:5 [duplicate-id]");
  });
});

it("two updates with the same id are refused, as the second would pass for posted", async () => {
  const updates = [incidentId, incidentId.toUpperCase()].map((id) => `{ id: ${id}, description: On ${id}. }`);
  const { exitCode, stderr } = await incident("apply -f x.yaml", {
    files: { "x.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${updates.join(", ")}]` }) },
  });
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/x\.yaml:5:\d+: error: an entry before this one has the same id \[duplicate-id\]/);
});

it("a definition with a field of other tools, as templates have, is told at that field", async () => {
  const { stderr } = await incident("validate x.yaml", {
    files: { "x.yaml": `${definitionYaml()}vars: { region: eu }\n` },
  });
  expect(stderr).toMatch(/x\.yaml:\d+:1: error: "vars" is not a field here \[unknown-field\]/);
});

describe("a definition without an id", () => {
  const files = { "x.yaml": definitionYaml() };

  it("is valid, unless --for apply asks for what apply needs", async () => {
    expect((await incident("validate x.yaml", { files })).exitCode).toBe(0);
    expect((await incident("validate x.yaml --for create", { files })).exitCode).toBe(0);
    const { exitCode, stderr } = await incident("validate x.yaml --for apply", { files });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(
      "x.yaml:1:1: error: the definition has no id, so a rerun could not recognize the incident [missing-id]",
    );
    expect(stderr).toContain("fix: give it one with incident validate --fix --assign-ids x.yaml");
  });

  it("is named in a command that a shell does not expand", async () => {
    const { stderr } = await incident("apply -f .", { files: { "a $(id).yaml": definitionYaml() } });
    expect(stderr).toContain("--assign-ids 'a $(id).yaml'");
  });
});

it("a file in a folder is checked, whatever its name", async () => {
  const files = { "a\n::x.yaml": "name: a", "b\u2028.yml": "name: b" };
  const { stderr } = await incident("validate .", { files });
  expect(stderr).toContain("problems in 2 files");
});

describe("a folder with sub-folders", () => {
  const files = {
    "in/a.yaml": definitionYaml(),
    "in/team/b.yaml": definitionYaml(),
    "in/team/deep/c.json": "{}",
    "in/team/notes.txt": "",
    "in/.hidden/d.yaml": "",
  };

  it("says which of them it left out", async () => {
    const { exitCode, stdout, stderr } = await incident("validate in", { files });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "1 definition in 1 file: valid\n",
      stderr: "left out in/team; -R looks into sub-folders as well\n",
    });
  });

  it("leaves nothing out with -R, and says nothing for files", async () => {
    expect((await incident("validate in -R", { files })).stderr).not.toContain("left out");
    expect((await incident("validate in/a.yaml", { files })).stderr).toBe("");
  });
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
