// `resolve` in a template: what an alert posts to its incident when it is over, at three services that differ.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { describe, expect, it } from "vitest";
import { createWorld, incident, type World } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const template = (resolve = "{ when: { status: resolved } }", second = "") => ({
  "incident-templates/rule.yaml": `when: { status: firing }
dedupKey: "k \${key}"
resolve: ${resolve}
variables: {${second.includes("load") ? " load: { otherwise: none } " : ""}}
---
name: Payments may fail
severity: MAJOR
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates: [{ status: INVESTIGATING, description: We look into it. }${second}]
`,
});

async function send(world: World, status: string, flags = "", more = {}) {
  const stdin = JSON.stringify({ status, key: "a", ...more });
  const { exitCode, stderr, stdout } = await world.run(
    `create --template rule --vars - --no-input -o json ${flags}`,
    { stdin },
  );
  const data = stdout.trim() === "" ? undefined : JSON.parse(stdout);
  return { exitCode, how: data?.how as string | undefined, id: data?.id as string | undefined, stderr };
}

describe.each(lifeServices)("resolve, at %s", (_name, open) => {
  const start = async (resolve?: string, second?: string) => {
    const service = await open();
    const { env, transport } = service;
    const world = createWorld({ transport, env, files: template(resolve, second) });
    const texts = () =>
      service
        .incidents()
        .map(({ incidentUpdates }) =>
          incidentUpdates.map(({ status, description }) => `${status} ${description}`).sort(),
        );
    return { service, texts, world };
  };
  const first = "INVESTIGATING We look into it.";

  it("posts once when the alert is over, and the next alert is another incident", async () => {
    const { texts, world } = await start();
    expect(await send(world, "firing")).toMatchObject({ exitCode: 0, how: "declared" });
    expect(await send(world, "acknowledged")).toMatchObject({ exitCode: 0, how: "not-applicable" });
    expect(texts()).toEqual([[first]]);
    const over = await send(world, "resolved");
    expect(over).toMatchObject({ exitCode: 0, how: "posted" });
    expect(texts()).toEqual([[first, "RESOLVED The problem is over."]]);
    expect(await send(world, "resolved")).toMatchObject({ exitCode: 0, how: "not-applicable" });
    expect(await send(world, "firing")).toMatchObject({ exitCode: 0, how: "declared" });
    expect(texts()).toHaveLength(2);
  });

  it("posts after the second update of the template, which was posted after the create", async () => {
    const { texts, world } = await start(undefined, ", { status: MONITORING, description: We watch it. }");
    expect((await world.run("contract pull")).exitCode).toBe(0);
    expect(await send(world, "firing")).toMatchObject({ exitCode: 0, how: "declared" });
    expect(texts()).toEqual([[first, "MONITORING We watch it."]]);
    expect(await send(world, "resolved")).toMatchObject({ exitCode: 0, how: "posted" });
  });

  it("posts a second update once whose text differs from one delivery to the next", async () => {
    const { texts, world } = await start(undefined, `, { status: MONITORING, description: "\${load}" }`);
    expect((await world.run("contract pull")).exitCode).toBe(0);
    for (const load of ["Load 91", "Load 95", "Load 91"])
      expect(await send(world, "firing", "", { load })).toMatchObject({ exitCode: 0 });
    expect(texts()).toEqual([[first, "MONITORING Load 91"]]);
    expect(await send(world, "resolved", "", { load: "Load 3" })).toMatchObject({ how: "posted" });
  });

  it("posts nothing where another person has posted", async () => {
    const { service, texts, world } = await start();
    await send(world, "firing");
    const [{ id } = { id: "" }] = service.incidents();
    await service.addUpdate(id, { status: "IDENTIFIED", description: "It is the bank." });
    const over = await send(world, "resolved");
    expect(over).toMatchObject({ exitCode: 0, how: "not-applicable" });
    expect(over.stderr).toContain(
      `${id}  Payments may fail has an update of a person: nothing was posted; when it is over: incident update ${id} --status RESOLVED --message TEXT`,
    );
    expect(texts()).toEqual([["IDENTIFIED It is the bank.", first]]);
    expect((await world.run(`update ${id} --status RESOLVED --message TEXT`)).exitCode).toBe(0);
  });

  it("counts an update that a person posts with this tool as another person's", async () => {
    const { texts, world } = await start();
    const { id } = await send(world, "firing");
    const line = `update ${id} --status identified --message Bank --no-input`;
    expect((await world.run(line)).exitCode).toBe(0);
    expect(await send(world, "resolved")).toMatchObject({ exitCode: 0, how: "not-applicable" });
    expect(texts()).toEqual([["IDENTIFIED Bank", first]]);
  });

  it("counts an update of a file that was applied as another person's", async () => {
    const { texts, world } = await start();
    const { id } = await send(world, "firing");
    const { stdout } = await world.run(`get ${id} -o definition`);
    const file = `${stdout}  - { status: IDENTIFIED, description: It takes a day. }\n`;
    expect(await world.run("apply -f - --yes", { stdin: file })).toMatchObject({ exitCode: 0 });
    expect(await send(world, "resolved")).toMatchObject({ exitCode: 0, how: "not-applicable" });
    expect(texts()).toEqual([["IDENTIFIED It takes a day.", first]]);
  });

  it("with MONITORING leaves the last word to a person", async () => {
    const { texts, world } = await start(
      "{ when: { status: resolved }, status: MONITORING, message: We watch it. }",
    );
    await send(world, "firing");
    const watch = "MONITORING We watch it.";
    expect(await send(world, "resolved")).toMatchObject({ how: "posted" });
    expect(await send(world, "resolved")).toMatchObject({ how: "posted-before" });
    expect(texts()).toEqual([[first, watch]]);
    expect(await send(world, "firing")).toMatchObject({ exitCode: 0, how: "open" });
    expect(await send(world, "resolved")).toMatchObject({ how: "posted-before" });
    expect(texts()).toEqual([[first, watch]]);
  });
});

describe("the end of an alert while the outcome of its create is unknown", () => {
  const open = (fault: string) =>
    createWorld({ files: template(), faults: [fault], sandbox: { onlySpec: false } });
  const flags = "--settle-for 5s";

  it("is uncertain as well, and names how to settle the create", async () => {
    const world = open("create#1:drop-before-commit");
    expect(await send(world, "firing", flags)).toMatchObject({ exitCode: 8 });
    const over = await send(world, "resolved", flags);
    expect(over).toMatchObject({ exitCode: 8, how: undefined });
    const [, id] = /incident journal settle (\S+) --not-created/.exec(over.stderr) ?? [];
    expect((await world.run(`journal settle ${id} --not-created --yes`)).exitCode).toBe(0);
    expect(await send(world, "resolved", flags)).toMatchObject({ exitCode: 0, how: "not-applicable" });
  });

  it("is posted once the incident is found", async () => {
    const world = open("create#1:slow-commit=8s");
    expect(await send(world, "firing", flags)).toMatchObject({ exitCode: 8 });
    const over = await send(world, "resolved", flags);
    expect(over).toMatchObject({ exitCode: 0, how: "posted" });
    const { stdout } = await world.run(`get ${over.id} -o json`);
    expect(JSON.parse(stdout)).toMatchObject({ lastUpdateStatus: "RESOLVED" });
    expect((await world.run(`journal show ${over.id}`)).stdout).toContain("created");
    expect(await send(world, "firing", flags)).toMatchObject({ exitCode: 0, how: "declared" });
  });
});

it("without the operation names what the document lacks, and where a person does it", async () => {
  const env = { INCIDENT_CLI_WEB_URL: "https://status.example.com/{id}" };
  const world = createWorld({ files: template(), env });
  const { id } = await send(world, "firing");
  const over = await send(world, "resolved");
  expect(over).toMatchObject({ exitCode: 6, how: undefined });
  expect(over.stderr).toContain(`"the service's document does not describe a new update"`);
  expect(over.stderr).toContain(`do it in the service's web application: https://status.example.com/${id}`);
});

describe("validate", () => {
  const end = "resolved } }";
  const check = async (change: (text: string) => string) => {
    const [[file, text] = ["", ""]] = Object.entries(template());
    const { exitCode, stderr } = await incident("validate incident-templates", {
      files: { [file]: change(text) },
    });
    return { exitCode, found: stderr.split("\n").filter((line) => /^\S+:\d+:\d+: /.test(line)) };
  };

  it.each([
    [
      "no when of resolve",
      "{ when: { status: resolved } }",
      "{ status: RESOLVED }",
      "3:10: error: when is missing [missing-field]",
    ],
    ["no status", end, "resolved }, status: DONE }", '3:48: error: "DONE" is not a status [unknown-status]'],
    [
      "a variable",
      end,
      "resolved }, message: '${a}' }",
      "3:49: error: the message of resolve has a variable [bad-resolve]",
    ],
    [
      "no when",
      "when: { status: firing }\n",
      "",
      "2:1: error: resolve cannot be used without when [bad-resolve]",
    ],
  ])("finds %s", async (_, from, to, expected) => {
    expect(await check((text) => text.replace(from, () => to))).toEqual({
      exitCode: 3,
      found: [`incident-templates/rule.yaml:${expected}`],
    });
  });

  it("finds a message that the policy forbids, which would lose the end of the alert", async () => {
    const [[file, text] = ["", ""]] = Object.entries(
      template("{ when: { status: resolved }, message: The DB is back. }"),
    );
    const files = { [file]: text, ".incident.yaml": "policy: { description: { forbid: [db] } }\n" };
    const { exitCode, stderr } = await incident("validate incident-templates", { files });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/rule\.yaml:3:\d+: error: the policy of this project forbids "db" in description/);
  });
});
