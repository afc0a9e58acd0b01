import { describe, expect, it } from "vitest";
import { incidentId as id, serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const definition = (name: string, more = "") => `name: ${name}
severity: MAJOR
services:
  - ${serviceYaml}
incidentUpdates:
  - description: We are looking into failed payments.
${more}`;

const files = {
  "a.yaml": definition("A"),
  "b.yaml": definition("B"),
  "broken.yaml": definition("C", "severty: MAJOR\n"),
  "both.yaml": `${definition("One")}---\n${definition("Two")}`,
  "folder/a.yaml": definition("In a folder"),
  "folder/deep/b.yaml": definition("Deep in a folder"),
};

describe("incident create", () => {
  it.each([
    ["a file", "-f a.yaml", ["A"]],
    ["files in the order of their flags", "-f b.yaml -f a.yaml", ["B", "A"]],
    ["every document of a file", "-f both.yaml", ["One", "Two"]],
    ["the files of a folder, but not below it", "-f folder", ["In a folder"]],
    ["with -R, the files below a folder", "-f folder -R", ["In a folder", "Deep in a folder"]],
  ])("declares %s", async (_, flags, names) => {
    const { exitCode, requests, stdout } = await incident(`create ${flags} -o json`, { files });
    expect(exitCode).toBe(0);
    expect(requests.map(({ body }) => JSON.parse(body ?? "").name)).toEqual(names);
    expect([JSON.parse(stdout)].flat().map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it("creates the definitions from stdin", async () => {
    const result = await incident("create -f - -o id", { stdin: definition("Piped") });
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
  });

  it("prints only the ids with -o id, one per line, in order", async () => {
    const { stdout, requests } = await incident("create -f both.yaml -o id", { files });
    const sent = requests.map(({ body }) => JSON.parse(body ?? "").id);
    expect(stdout).toBe(`${sent.join("\n")}\n`);
  });

  it("sends the id of the definition, or else a fresh id", async () => {
    const { requests } = await incident("create -f x.yaml -f a.yaml", {
      files: { ...files, "x.yaml": definition("X", `id: ${id}\n`) },
    });
    const sent = requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => JSON.parse(body ?? "").id);
    expect(sent).toEqual([id, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it.each([
    ["", false],
    ["--key build-7", true],
  ])("%s warns of the id of the service: %s", async (flags, warns) => {
    const setup = { files, sandbox: { clientIds: "ignore" } } as const;
    const { exitCode, stderr } = await incident(`create -f a.yaml ${flags}`, setup);
    expect({ exitCode, warns: stderr.includes("the service assigned its own id") }).toEqual({
      exitCode: 0,
      warns,
    });
  });

  it("checks the file before the settings", async () => {
    const result = await incident("create -f broken.yaml", { files, env: { INCIDENT_CLI_API_KEY: "" } });
    expect(result.exitCode).toBe(3);
  });

  it("stops at the first failure, and reports the created incidents", async () => {
    const result = await incident("create -f a.yaml -f b.yaml -f both.yaml -o json", {
      files,
      faults: ["create#2:403"],
    });
    expect(result.exitCode).toBe(9);
    expect(JSON.parse(result.stdout)).toMatchObject([{ name: "A" }]);
    expect(result.requests).toHaveLength(2);
    expect(JSON.parse(result.stderr).error.message).toMatch(/1 declared, then "B" \(2 of 4\).*2 not tried/);
  });

  it("ends a rerun that publishes nothing with the exit code of the failure", async () => {
    const world = createWorld({ files, faults: ["create#2:403", "create#3:403"] });
    const line = "create -f a.yaml -f b.yaml";
    expect((await world.run(line)).exitCode).toBe(9);
    const again = await world.run(line);
    expect(again.exitCode).toBe(4);
    expect(again.stderr).toContain('1 declared, then "B" (2 of 2): the key has no permission');
  });

  it("needs a name for an incident that is over, which its content does not find", async () => {
    const solved = `${definition("A")}  - { description: Solved., status: RESOLVED }\n`;
    const world = createWorld({ files: { "solved.yaml": solved } });
    for (const flags of ["", "--dedup-key x"]) {
      const refused = await world.run(`create solved.yaml ${flags}`);
      expect(refused).toMatchObject({ exitCode: 2, requests: [] });
      expect(refused.stderr).toContain('"A" ends in RESOLVED and has no id');
    }
    const { stdout } = await world.run("create solved.yaml --dry-run -o json");
    const [, ...command] = JSON.parse(stdout).command;
    for (const line of [command.join(" "), "create solved.yaml --key outage-7 -o json"]) {
      const first = await world.run(line);
      const again = await world.run(line);
      expect(first, first.stderr).toMatchObject({ exitCode: 0 });
      expect(again.exitCode).toBe(0);
      expect(JSON.parse(again.stdout).id).toBe(JSON.parse(first.stdout).id);
    }
    expect(world.sandbox.statistics()).toMatchObject({ created: 2 });
  });

  it.each(["mınor", "mino"])("takes a severity in any letter case, and not %s for it", async (severity) => {
    const { exitCode, requests } = await incident(`create -f a.yaml --severity ${severity}`, { files });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect((await incident("create -f a.yaml --severity mInOr --dry-run", { files })).exitCode).toBe(0);
  });
});
