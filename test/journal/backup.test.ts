import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { checkBackup } from "./backup.ts";

describe("a backup of a journal", () => {
  it("is restored as the page says, in a folder", () => checkBackup("folder", "folder"));

  it("is a new file that others cannot read", async () => {
    const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) } });
    await world.run("create -f x.yaml");
    const first = await world.run("journal export j.jsonl");
    expect(first).toMatchObject({ exitCode: 0, stdout: "2 events of folder are in j.jsonl\n" });
    expect(statSync(join(world.folder, "j.jsonl")).mode & 0o777).toBe(0o600);
    const second = await world.run("journal export j.jsonl");
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toContain("j.jsonl already exists");
  });

  const edits: readonly [string, (text: string) => string, string][] = [
    [
      "cut at a line",
      (text) => text.split("\n").slice(0, -2).join("\n"),
      "j.jsonl:1 has other lines after it",
    ],
    ["cut within a line", (text) => text.slice(0, -30), "j.jsonl:2 is not an event"],
    ["in another order", (text) => text.trim().split("\n").reverse().join("\n"), "j.jsonl:1 has other lines"],
    ["without its content", (text) => text.replace('"digest"', '"digist"'), "cannot be imported"],
    ["with an event of another kind", (text) => text.replace('"sending"', '"sent"'), "cannot be imported"],
    ["of another operation", (text) => text.replaceAll(id, id.replace("7c", "8c")), "cannot be imported"],
    ["empty", () => "", "j.jsonl is empty"],
    ["not of a journal", () => "{}\n", "j.jsonl:1 has other lines"],
    ["not JSON", () => "a: b\n", "j.jsonl:1 is not an event of a journal"],
  ];
  it.each(edits)("is refused whole where it is %s", async (_, edit, message) => {
    const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) } });
    await world.run("create -f x.yaml");
    await world.run("journal export j.jsonl");
    const path = join(world.folder, "j.jsonl");
    writeFileSync(path, edit(readFileSync(path, "utf8")));
    const result = await world.run("journal import j.jsonl --state-dir two");
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain("nothing was imported");
    expect((await world.run("journal list --state-dir two")).stdout).toBe("nothing was sent from here\n");
  });

  it("does not contradict what the journal has", async () => {
    const world = createWorld({
      files: { "x.yaml": definitionYaml({ id }) },
      faults: ["create:drop-before-commit"],
    });
    for (const folder of ["one", "two"])
      await world.run(`create -f x.yaml --settle-for 1s --max-retries 0 --state-dir ${folder}`);
    await world.run("journal export j.jsonl --state-dir one");
    const result = await world.run("journal import j.jsonl --state-dir two");
    expect(result.exitCode).toBe(6);
    expect(result.stderr).toContain(`both journals have later entries for ${id}, which were not copied`);
    expect(result.stderr).toContain("incident journal show");
  });

  it.each([
    ["nothing.jsonl", "nothing.jsonl cannot be read (ENOENT)"],
    [".", ". is not a regular file"],
  ])("that is %s is a usage error", async (file, message) => {
    const { exitCode, stderr } = await createWorld().run(`journal import ${file}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
