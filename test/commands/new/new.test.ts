import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorld } from "../../harness/incident.ts";

const id = "00000000-0000-4000-8000-000000000001";

describe("incident new", () => {
  it("writes a definition that is valid once its placeholders are replaced, with a fresh id and the schema line for editors", async () => {
    const world = createWorld();
    const { exitCode, stdout, stderr } = await world.run("new checkout.yaml");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toContain("wrote checkout.yaml");
    const text = readFileSync(join(world.folder, "checkout.yaml"), "utf8");
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./incident.schema.json");
    expect(text).toContain(`\nid: ${id}\n`);
    expect((await world.run("validate checkout.yaml")).exitCode).toBe(3);
    const written = text.replace("id: CHANGEME", `id: ${id}`).replaceAll(": CHANGEME", ": Checkout");
    writeFileSync(join(world.folder, "checkout.yaml"), written);
    expect((await world.run("validate checkout.yaml")).exitCode).toBe(0);
  });

  it("writes a definition that is never sent as it is", async () => {
    const world = createWorld();
    await world.run("new x.yaml");
    for (const command of ["create", "apply", "validate"]) {
      const { exitCode, stderr, requests } = await world.run(`${command} x.yaml`);
      expect({ exitCode, requests }).toEqual({ exitCode: 3, requests: [] });
      expect(stderr.match(/^x\.yaml:.*/gm)).toEqual([
        "x.yaml:8:7: error: name still has the placeholder CHANGEME [placeholder]",
        "x.yaml:16:9: error: id still has the placeholder CHANGEME [placeholder]",
        "x.yaml:17:11: error: name still has the placeholder CHANGEME [placeholder]",
        "x.yaml:24:18: error: description still has the placeholder CHANGEME [placeholder]",
      ]);
    }
  });

  it("writes a definition whose flags can replace the placeholders", async () => {
    const world = createWorld();
    await world.run("new x.yaml");
    const flags = "--name Down --message Looking. --service Checkout=3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
    expect((await world.run(`create x.yaml ${flags}`)).exitCode).toBe(0);
  });

  it("explains how to write the schema while it is missing", async () => {
    const world = createWorld({ files: { "b/incident.schema.json": "{}" } });
    expect((await world.run("new x.yaml")).stderr).toContain("incident schema > incident.schema.json");
    expect((await world.run("new b/x.yaml")).stderr).not.toContain("incident schema >");
  });

  it("writes a definition that is the only one in a folder with the schema", async () => {
    const world = createWorld();
    await world.run("new checkout.yaml");
    writeFileSync(join(world.folder, "incident.schema.json"), (await world.run("schema")).stdout);
    expect((await world.run("validate .")).stderr).toContain("error: 4 problems in 1 file");
  });

  it("offers the services of the catalog", async () => {
    const service = (name: string) => `{ name: ${name}, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }`;
    const world = createWorld({
      files: {
        ".incident.yaml": `services:\n  checkout: ${service("Checkout")}\n  "no: 1": ${service("API")}\n`,
      },
    });
    await world.run("new x.yaml");
    const text = readFileSync(join(world.folder, "x.yaml"), "utf8");
    expect(text).toContain('services:\n  - "checkout"\n  # - "no: 1"\n');
    writeFileSync(join(world.folder, "x.yaml"), text.replaceAll("CHANGEME", "Down"));
    expect((await world.run("validate x.yaml")).exitCode).toBe(0);
  });

  it("writes no file beside a folder of this name", async () => {
    const { exitCode, stderr } = await createWorld({ files: { "incidents/a.yaml": "" } }).run(
      "new incidents",
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("incidents is a folder")]);
  });

  it("writes a different id each time", async () => {
    const world = createWorld();
    const texts = [(await world.run("new")).stdout, (await world.run("new")).stdout];
    expect(new Set(texts.map((text) => /^id: (.*)$/m.exec(text)?.[1])).size).toBe(2);
  });
});
