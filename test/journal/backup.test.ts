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

  it("goes to stdout and comes from stdin", async () => {
    const world = createWorld({
      files: { "x.yaml": definitionYaml({ id, name: "Zahlung — hängt 😀" }) },
    });
    await world.run("create -f x.yaml");
    const exported = await world.run("journal export -");
    expect(exported).toMatchObject({ exitCode: 0, stderr: "2 events of folder\n" });
    await world.run("journal export j.jsonl");
    const parsed = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(parsed(exported.stdout)).toEqual(parsed(readFileSync(join(world.folder, "j.jsonl"), "utf8")));
    const stdin = exported.stdout;
    expect(await world.run("journal import - --state-dir two", { stdin })).toMatchObject({
      exitCode: 0,
      stdout: "1 copied to folder, 0 were there\n",
    });
    const cut = await world.run("journal import - --state-dir three", { stdin: stdin.slice(0, -5) });
    expect(cut).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("<stdin>:2 is not an event") });
    expect(await world.run("journal export - -o json")).toMatchObject({ exitCode: 2, stdout: "" });
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
    expect(result.stderr).toContain(`the journals have different entries for ${id}, which were not copied`);
    expect(result.stderr).toContain("incident journal show");
  });

  it("is refused wherever it is cut", async () => {
    const world = createWorld({ files: { "x.yaml": definitionYaml() } });
    await world.run("create -f x.yaml");
    await world.run("create -f x.yaml --new");
    await world.run("journal export j.jsonl");
    const path = join(world.folder, "j.jsonl");
    const text = readFileSync(path, "utf8");
    const afterLines = [...text.matchAll(/\n/g)].map(({ index }) => index + 1).slice(0, -1);
    expect(afterLines.length).toBeGreaterThan(3);
    for (const end of [0, 1, ...afterLines.flatMap((at) => [at - 1, at, at + 1, at + 60]), text.length - 2]) {
      writeFileSync(path, text.slice(0, end));
      const { exitCode } = await world.run("journal import j.jsonl --state-dir two");
      expect({ end, exitCode }).toEqual({ end, exitCode: 3 });
    }
    expect((await world.run("journal list --state-dir two")).stdout).toBe("nothing was sent from here\n");
  });

  const contradictions: readonly [string, (text: string) => string][] = [
    ["name", (text) => text.replaceAll('"name":"Checkout', '"name":"Search')],
    ["severity", (text) => text.replaceAll('"severity":"', '"severity":"X')],
    ["text for customers", (text) => text.replaceAll('"description":"', '"description":"Not ')],
    ["time", (text) => text.replaceAll(/"at":"2026/g, '"at":"2025')],
    ["person", (text) => text.replaceAll('"actor":"', '"actor":"not-')],
    [
      "last event",
      (text) =>
        text.replace(/"status":"INVESTIGATING"(?!.*"status":"INVESTIGATING")/s, '"status":"RESOLVED"'),
    ],
  ];
  it.each(contradictions)("with another %s than the journal has is refused", async (_, edit) => {
    const env = { GITHUB_ACTOR: "lee", GITHUB_ACTIONS: "true" };
    const world = createWorld({ env, files: { "x.yaml": definitionYaml({ id }) } });
    await world.run("create -f x.yaml");
    await world.run("journal export j.jsonl");
    expect(await world.run("journal import j.jsonl")).toMatchObject({
      exitCode: 0,
      stdout: "0 copied to folder, 1 were there\n",
    });
    const path = join(world.folder, "j.jsonl");
    const text = readFileSync(path, "utf8");
    expect(edit(text)).not.toBe(text);
    writeFileSync(path, edit(text));
    const { exitCode, stderr } = await world.run("journal import j.jsonl");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 6 });
    expect(stderr).toContain(id);
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
