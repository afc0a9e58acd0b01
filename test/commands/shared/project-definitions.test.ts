// `definitions:` of .incident.yaml: the folders that `validate` and `apply` read when no file is named.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const definition = (number: number) => `id: 7c9e6679-7425-40de-944b-e07fc1f90ae${number}
name: Incident ${number}
severity: MAJOR
services: [${serviceYaml}]
incidentUpdates: [{ description: We are looking into it. }]
`;
const files = {
  ".incident.yaml": "definitions: [incidents, teams/shop]\n",
  "incidents/1.yaml": definition(1),
  "incidents/archive/2.yaml": definition(2),
  "teams/shop/3.yaml": definition(3).replace("MAJOR", "major"),
  "other.yaml": definition(4),
};
const fixed = { ...files, "teams/shop/3.yaml": definition(3) };

const filesOf = (stdout: string) => JSON.parse(stdout).files;

describe("incident validate without a file", () => {
  it("reads the folders of the project, and names their files from the working directory", async () => {
    const { exitCode, stderr } = await incident("validate", { files });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("teams/shop/3.yaml:3:11: error");
  });

  it.each([
    ["validate", 2],
    ["validate -R", 3],
    ["validate other.yaml", 1],
  ])("%s reads %i files", async (line, count) => {
    const { exitCode, stdout } = await incident(`${line} -o json`, { files: fixed });
    expect({ exitCode, files: filesOf(stdout) }).toEqual({ exitCode: 0, files: count });
  });

  it("finds the folders from a folder below the project's file", async () => {
    const world = createWorld({ files });
    mkdirSync(join(world.folder, ".git"));
    const { exitCode, stderr } = await world.run("validate", { cwd: "incidents/archive" });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("../../teams/shop/3.yaml:3:11: error");
  });

  it.each([
    ["the folder of the project's file", "definitions: [.]\n", 1],
    ["a folder that is named like stdin", 'definitions: ["-"]\n', 1],
  ])("reads %s", async (_, settings, count) => {
    const { exitCode, stdout } = await incident("validate -o json", {
      files: { ...fixed, ".incident.yaml": settings, "-/5.yaml": definition(5) },
      stdin: "not a definition",
    });
    expect({ exitCode, files: filesOf(stdout) }).toEqual({ exitCode: 0, files: count });
  });
});

describe("incident apply without -f", () => {
  it("declares the definitions of the project's folders", async () => {
    const { exitCode, stdout } = await incident("apply -o json", { files: fixed });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).results.map(({ file }: { file: string }) => file)).toEqual([
      "incidents/1.yaml",
      "teams/shop/3.yaml",
    ]);
  });

  it("reads only the files of -f where it is given", async () => {
    const { stdout } = await incident("apply -f other.yaml -o json", { files: fixed });
    expect(JSON.parse(stdout).summary).toEqual({ created: 1 });
  });
});
