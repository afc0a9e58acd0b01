import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { access, definitionYaml, serviceId } from "../../harness/builders.ts";
import { createWorld, type World } from "../../harness/incident.ts";

const terminal = { stdin: true, stdout: true, stderr: true };
const files = {
  "x.yaml": definitionYaml(),
  "edited.yaml": definitionYaml({ incidentUpdates: "[{ description: It is back., status: MONITORING }]" }),
  "resolved.yaml": definitionYaml({ incidentUpdates: "[{ description: Solved., status: RESOLVED }]" }),
  "pinned.yaml": definitionYaml({
    services: `[{ name: Checkout, id: ${serviceId}, accountId: ${access.accountId} }]`,
  }),
  "renamed.yaml": definitionYaml({ name: "Refunds fail" }),
  "elsewhere.yaml": definitionYaml({
    services: "[{ name: Search, id: 9f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
  }),
};
const first = "00000000-0000-4000-8000-000000000001";
const warning = `"Checkout fails" was declared from here at 2026-11-20T06:31:00Z as ${first} and is still open (INVESTIGATING); this declares another incident, and incident update ${first} changes that one`;

async function declared(line = "create -f x.yaml"): Promise<World> {
  const world = createWorld({ files });
  expect((await world.run(line)).exitCode).toBe(0);
  return world;
}

const posts = ({ requests }: Awaited<ReturnType<World["run"]>>) =>
  requests.filter(({ method }) => method === "POST").length;

/** The service, with 500 for each read. */
const withoutReads =
  ({ sandbox }: World): Transport =>
  async (request, control) =>
    request.method === "GET"
      ? { phase: "answered", status: 500, headers: {}, body: new Uint8Array() }
      : sandbox.transport(request, control);

describe("a create like an open incident that was declared from here", () => {
  it("is warned of with the id, and declared", async () => {
    const result = await (await declared()).run("create -f edited.yaml");
    expect(result.stderr).toContain(`warning: ${warning}\n`);
    expect({ exitCode: result.exitCode, posts: posts(result) }).toEqual({ exitCode: 0, posts: 1 });
  });

  it("is asked about at a terminal, and not sent without a yes", async () => {
    const world = await declared();
    const declined = await world.run("create -f edited.yaml", { terminal, answers: ["n"] });
    expect(declined.screen.replace(/\s+/g, " ")).toContain(`${warning} Declare another incident? [y/N] `);
    expect(declined.screen.replace(/\s+/g, " ")).toContain(
      `nothing was sent; post an update of ${first} in the service's web application`,
    );
    expect({ exitCode: declined.exitCode, posts: posts(declined) }).toEqual({ exitCode: 130, posts: 0 });
    const accepted = await world.run("create -f edited.yaml", { terminal, answers: ["y"] });
    expect({ exitCode: accepted.exitCode, posts: posts(accepted) }).toEqual({ exitCode: 0, posts: 1 });
  });

  it.each([{}, { terminal }])("with the same content is that incident: %o", async (more) => {
    const result = await (await declared()).run("create -f x.yaml", more);
    expect(result.screen).toContain(`still open ${first}  Checkout fails`);
    expect(result.screen).not.toContain("declares another incident");
    expect({ exitCode: result.exitCode, posts: posts(result) }).toEqual({ exitCode: 0, posts: 0 });
  });

  it("of flags is warned of too", async () => {
    const result = await (await declared()).run("create -f x.yaml --message Other. --status identified");
    expect(result.stderr).toContain(warning);
  });

  it("is declared without a question with --yes", async () => {
    const result = await (await declared()).run("create -f edited.yaml --yes", { terminal });
    expect(result.stderr).toContain("is still open (INVESTIGATING)");
    expect({ exitCode: result.exitCode, posts: posts(result) }).toEqual({ exitCode: 0, posts: 1 });
  });

  it("is warned of when the service does not say whether the incident is open", async () => {
    const world = await declared();
    const result = await world.run("create -f edited.yaml", { transport: withoutReads(world) });
    expect(result.stderr).toContain(`as ${first} and may still be open; this declares another incident`);
    expect(posts(result)).toBe(1);
  });
});

describe("a preview of a create", () => {
  const similar = `warning: "Checkout fails" was declared from here at 2026-11-20T06:31:00Z as ${first} and may still be open; this declares another incident, and incident update ${first} changes that one`;
  const answers = `${first} was declared from here with this content: while it is open, this create would send nothing; --new declares another`;
  const told = ({ stderr }: { readonly stderr: string }) =>
    stderr.split("\n").filter((line) => line.includes("declared from here"));

  it.each<[string, string, readonly string[]]>([
    ["like an open incident warns of it", "create -f edited.yaml", [similar]],
    ["with the content of an open incident names it", "create -f x.yaml", [answers]],
    ["is silent with --new", "create -f edited.yaml --new", []],
    ["is silent with --dedup-key", "create -f edited.yaml --dedup-key a", []],
    ["is silent with another name", "create -f renamed.yaml", []],
  ])("%s", async (_, line, lines) => {
    const result = await (await declared()).run(`${line} --dry-run`);
    expect({ told: told(result), requests: result.requests }).toEqual({ told: lines, requests: [] });
  });

  it("with the content of a create without a known outcome says so", async () => {
    const world = createWorld({ files, faults: ["create:drop-before-commit"] });
    expect((await world.run("create -f x.yaml --settle-for 1s")).exitCode).toBe(8);
    const { stderr } = await world.run("create -f x.yaml --dry-run");
    expect(stderr).toContain(`warning: the outcome of an earlier create of ${first} is not known`);
  });
});

describe("an incident that was resolved from here", () => {
  const resolvedWorld = async () => {
    const world = createWorld({ files, sandbox: { onlySpec: false } });
    const { stdout } = await world.run("create -f x.yaml -o id");
    expect((await world.run(`resolve ${stdout.trim()} --message Solved.`)).exitCode).toBe(0);
    return world;
  };

  it.each(["edited.yaml", "x.yaml"])("is not named by a preview of %s", async (file) => {
    const { stderr } = await (await resolvedWorld()).run(`create -f ${file} --dry-run`);
    expect(stderr).not.toContain("declared from here");
  });

  it("is not warned of where it cannot be read", async () => {
    const world = await resolvedWorld();
    const result = await world.run("create -f edited.yaml", { transport: withoutReads(world) });
    expect(result.stderr).not.toContain("declared from here");
    expect(posts(result)).toBe(1);
  });
});

describe("no warning and no request is caused by", () => {
  it.each([
    ["another name", "create -f x.yaml", "create -f renamed.yaml"],
    ["other services", "create -f x.yaml", "create -f elsewhere.yaml"],
    ["--new", "create -f x.yaml", "create -f edited.yaml --new"],
    ["an incident of another account", "create -f x.yaml", "create -f pinned.yaml --account none"],
  ])("%s", async (_, before, line) => {
    const result = await (await declared(before)).run(line);
    expect(result.stderr).not.toContain("was declared from here");
    expect(result.requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  it("a rerun of a create with a key", async () => {
    const result = await (await declared("create -f x.yaml --key a")).run("create -f x.yaml --key a");
    expect(result.stderr).not.toContain("declares another");
    expect(posts(result)).toBe(0);
  });
});

it("warns of no incident that is resolved", async () => {
  const result = await (await declared("create -f resolved.yaml")).run("create -f edited.yaml");
  expect(result.stderr).not.toContain("was declared from here");
  expect(posts(result)).toBe(1);
});

// The index is not synced to the disk, so that a power failure can tear an entry.
it.each<[string, (text: string) => string]>([
  ["empty", () => ""],
  ["cut off", (text) => text.slice(0, -2)],
  ["full of zeros", (text) => "\0".repeat(text.length)],
])("takes an entry that is %s for absent, and writes it anew", async (_, tear) => {
  const world = await declared();
  const folder = join(world.folder, "home/.local/state/incident-cli/subjects");
  const [name = ""] = readdirSync(folder);
  const file = join(folder, name);
  writeFileSync(file, tear(readFileSync(file, "utf8")));
  const result = await world.run("create -f edited.yaml");
  expect(result.stderr).not.toContain("warning");
  expect({ exitCode: result.exitCode, posts: posts(result) }).toEqual({ exitCode: 0, posts: 1 });
  expect((await world.run("create -f resolved.yaml")).stderr).toContain("is still open (MONITORING)");
});
