import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { answer, incidentId, serviceId, serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident, type Setup } from "../../harness/incident.ts";
import { byName, catalog, definition, sentBody } from "../sample-definition.ts";

describe("a service by its name in the catalog", () => {
  it("is sent with every field of the catalog", async () => {
    const { requests } = await incident("create -f x.yaml", {
      files: { "x.yaml": byName, ".incident.yaml": catalog },
    });
    expect(sentBody(requests).services).toEqual([
      {
        name: "Checkout",
        id: serviceId,
        accountId: "11111111-2222-4333-8444-555555555555",
        created_at: "2026-01-02",
      },
    ]);
  });

  it("can be its displayed name in --service, where one entry has it", async () => {
    const line = 'create --name X --severity major --message Y --service "Public API"';
    const one = await incident(line, { files: { ".incident.yaml": catalog } });
    expect(sentBody(one.requests).services).toMatchObject([{ name: "Public API" }]);
    const twice = `${catalog}  again: { id: 00000000-6f0e-4b7a-9c11-2d5e7f9a0b31, name: Public API }\n`;
    const two = await incident(line, { files: { ".incident.yaml": twice } });
    expect(two).toMatchObject({ exitCode: 2, requests: [] });
    expect(two.stderr).toContain('"Public API" is not in the catalog of services');
  });

  it("can be mixed with services that are written out", async () => {
    const mixed = byName.replace("[checkout]", `[public-api, { name: X, id: ${serviceId} }]`);
    const { requests } = await incident("create -f x.yaml", {
      files: { "x.yaml": mixed, ".incident.yaml": catalog },
    });
    expect(sentBody(requests).services.map(({ name }: { name: string }) => name)).toEqual([
      "Public API",
      "X",
    ]);
  });

  it("that is broken does not stop a command with --no-project", async () => {
    const files = { "x.yaml": definition, ".incident.yaml": "services: [" };
    expect(await incident("create -f x.yaml --no-project", { files })).toMatchObject({ posts: 1 });
    const { stderr } = await incident("services list --no-project", { files });
    expect(stderr).toBe("leave --no-project out to use the catalog\n");
  });
});

describe("the project's file", () => {
  it("that is nearest wins, up to the root of the repository", async () => {
    const world = createWorld({
      files: { ".incident.yaml": catalog, "repository/x.yaml": byName, "repository/team/x.yaml": byName },
    });
    const validate = async () => (await world.run("validate x.yaml", { cwd: "repository/team" })).exitCode;
    mkdirSync(join(world.folder, "repository/.git"));
    expect(await validate()).toBe(3);
    writeFileSync(join(world.folder, "repository/.incident.yaml"), catalog);
    expect(await validate()).toBe(0);
    writeFileSync(join(world.folder, "repository/team/.incident.yaml"), "services: {}\n");
    expect(await validate()).toBe(3);
  });
});

async function worldWith(services: string, setup: Setup = {}) {
  const written = definition.replace(/^services:.*$/m, `services: ${services}`);
  const world = createWorld({ ...setup, files: { "x.yaml": written, ...setup.files } });
  const { stdout } = await world.run("create -f x.yaml -o id");
  return { world, id: stdout.trim(), read: () => readFileSync(join(world.folder, ".incident.yaml"), "utf8") };
}

const checkout = serviceYaml;

describe("incident services import", () => {
  it("creates a catalog with usable names", async () => {
    const { world, id, read } = await worldWith(
      `[${checkout}, { name: Public API (v2), id: 8a1d3c52-6f0e-4b7a-9c11-2d5e7f9a0b31 }]`,
    );
    const { exitCode, stderr } = await world.run(`services import ${id}`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "added checkout to .incident.yaml\nadded public-api-v2 to .incident.yaml\n",
    });
    expect(read()).toContain("  checkout:\n    name: Checkout\n");
    // A create would send back what the service fills in.
    expect(read()).not.toContain("created_at");
    writeFileSync(join(world.folder, "y.yaml"), byName.replace("checkout", "public-api-v2"));
    expect((await world.run("validate y.yaml")).exitCode).toBe(0);
  });

  it("without an id takes all services of a service that lists them, and leaves the catalog's own names", async () => {
    const world = createWorld({ sandbox: { onlySpec: false }, files: { ".incident.yaml": catalog } });
    const first = await world.run("services import --yes");
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain("added search to .incident.yaml\nadded sign-in to .incident.yaml\n");
    expect(readFileSync(join(world.folder, ".incident.yaml"), "utf8")).toContain(
      "  search:\n    name: Search\n",
    );
    const again = await world.run("services import");
    expect(again.stderr).not.toMatch(/added|changed/);
  });

  it("without an id is exit 6 where the service's document lists no services", async () => {
    const { exitCode, stderr } = await incident("services import");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 6,
      stderr: `error: the service's document does not describe the list of services
  next: take them from an incident that has them: incident services import INCIDENT_ID
`,
    });
  });

  it("writes nothing of a sandbox into the project, unless --yes says otherwise", async () => {
    const { world, id, read } = await worldWith(`[${checkout}]`, { files: { ".incident.yaml": catalog } });
    const env = { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:1" };
    const before = { file: read(), requests: world.sandbox.statistics().requests };
    const { exitCode, stderr } = await world.run(`services import ${id}`, { env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: this runs inside a sandbox, and nothing of it belongs in .incident.yaml
  next: nothing was changed; run it outside of the sandbox, or write the file knowingly with --yes
`,
    });
    expect({ file: read(), requests: world.sandbox.statistics().requests }).toEqual(before);
    expect((await world.run(`services import ${id} --yes`, { env })).exitCode).toBe(0);
  });

  it("keeps comments and order, and adds new services under unused names", async () => {
    const { world, id, read } = await worldWith(
      "[{ name: Checkout, id: 00000000-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
      { files: { ".incident.yaml": catalog } },
    );
    expect((await world.run(`services import ${id}`)).stderr).toBe("added checkout-2 to .incident.yaml\n");
    expect(read().match(/# .*|^ {2}[\w-]+:/gm)).toEqual([
      "# what we run",
      "  checkout:",
      "# the shop",
      "  public-api:",
      "  checkout-2:",
    ]);
  });

  it("changes nothing the second time", async () => {
    const { world, id, read } = await worldWith(`[${checkout}]`);
    await world.run(`services import ${id}`);
    const before = read();
    expect((await world.run(`services import ${id} ${id}`)).stderr).toBe("same checkout\n");
    expect(read()).toBe(before);
  });

  it.each([
    ["checkout", 2],
    [incidentId, 5],
    [`${incidentId} --no-project`, 2],
  ])("of %s ends with exit %i and writes nothing", async (operand, code) => {
    const world = createWorld({ files: { ".incident.yaml": catalog } });
    expect((await world.run(`services import ${operand}`)).exitCode).toBe(code);
    expect(readFileSync(join(world.folder, ".incident.yaml"), "utf8")).toBe(catalog);
  });

  it.each(["\\u0080", "\\u0007", "\\u001b[2J", "\\u202e", "\\n", "#", "- a", "&a", "!!x"])(
    "writes a name with %j so that the next command reads it",
    async (characters) => {
      const name = `Check${JSON.parse(`"${characters}"`)}out ${JSON.parse(`"${characters}"`)}`;
      const transport: Transport = async () =>
        answer({ id: incidentId, services: [{ name, id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" }] });
      const world = createWorld({ transport, files: { ".incident.yaml": "# ours\nprofile: x\n" } });
      expect(await world.run(`services import ${incidentId}`)).toMatchObject({ exitCode: 0 });
      const { exitCode, stdout } = await world.run("services list -o json");
      expect(exitCode).toBe(0);
      expect(Object.values(JSON.parse(stdout))).toEqual([
        { name, id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" },
      ]);
    },
  );

  it("refuses a project file with two documents, because it would lose one", async () => {
    const { world, id, read } = await worldWith(`[${checkout}]`, {
      files: { ".incident.yaml": `${catalog}---\nprofile: x\n` },
    });
    const before = read();
    expect((await world.run(`services import ${id}`)).exitCode).not.toBe(0);
    expect(read()).toBe(before);
  });
});
