// When a declared incident counts as gone: once neither its id nor a complete list shows it, and never by a lag.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/http/transport.ts";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { lifeServices, withoutIncident } from "../service/life/life-services.ts";
import { refusal } from "./services-by-hand.ts";

const minute = 60_000;
const yaml = definitionYaml();
const files = { "x.yaml": `id: ${incidentId}\n${yaml}`, "alert.yaml": yaml };
const elsewhere = "INCIDENT_CLI_STATE_DIR=other create -f alert.yaml";
const alert = "create -f alert.yaml --dedup-key checkout -o id";

describe.each(lifeServices)("an incident that was deleted, at %s", (_name, open) => {
  async function declared(line: string) {
    const service = await open({ ids: "replaced" });
    const world = createWorld({ env: service.env, transport: service.transport, files });
    const { exitCode } = await world.run(line);
    await world.run("list");
    expect(exitCode).toBe(0);
    const [incident] = service.incidents();
    const run = (
      command: string,
      { after = 6 * minute, by = ["get", "list"] as readonly ("get" | "list")[], stdin = "" } = {},
    ) => {
      world.clock.advance(after);
      return world.run(command, { transport: withoutIncident(service, incident?.id ?? "", by), stdin });
    };
    return { id: incident?.id ?? "", run };
  }

  it("is closed for the gate at once, and a difference for apply", async () => {
    const { run } = await declared("create -f x.yaml");
    expect(await run("gate")).toMatchObject({
      exitCode: 0,
      stderr: "not blocked: 1 known incident, none of which blocks\n",
    });
    const applied = await run("apply -f x.yaml -o markdown", { after: 0 });
    expect(applied).toMatchObject({ exitCode: 11, posts: 0 });
    expect(applied.stdout).toContain(
      "the service had it, and no longer has it; --recreate declares it again |",
    );
    expect(applied.stderr).toContain("--recreate declares those again that are gone; or delete their files");
  });

  it("is declared again by --recreate, once", async () => {
    const { run } = await declared("create -f x.yaml");
    const anew = await run("apply -f x.yaml --recreate");
    expect(anew).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it.each([
    ["a command declared", "create -f alert.yaml -o id", ""],
    ["a command with a key declared", "create -f alert.yaml --key night -o id", ""],
    ["an alert declared", alert, ""],
    ["another person declared, and that was updated from here", elsewhere, ""],
    ["another person declared, and that the file was applied to", elsewhere, "MAJOR"],
    ["another person declared, and that a file that differs was applied to", elsewhere, "MINOR"],
  ])("is gone for a file with its own id as well, which %s", async (_, line, applied) => {
    const { id, run } = await declared(line);
    const stdin = `id: ${id}\n${yaml.replace("MAJOR", applied || "MAJOR")}`;
    const earlier = applied
      ? "apply -f - --allow-drift"
      : `update ${id} --status monitoring --message Fixed.`;
    expect(await run(earlier, { after: 0, by: [], stdin })).toMatchObject({ exitCode: 0 });
    if (applied === "MINOR")
      expect(await run("create -f -", { after: 0, by: [], stdin })).toMatchObject({ exitCode: 6, posts: 0 });
    expect(await run("apply -f - --yes", { after: 0, stdin })).toMatchObject({ exitCode: 7, posts: 0 });
    expect(await run("apply -f - --yes", { stdin })).toMatchObject({ exitCode: 11, posts: 0 });
    if (line !== elsewhere)
      expect(await run("create -f -", { stdin })).toMatchObject({ exitCode: 5, posts: 0 });
    const anew = await run("apply -f - --yes --recreate", { stdin });
    expect(anew, anew.stderr).toMatchObject({ exitCode: 0, posts: 1 });
    expect(await run("apply -f - --yes", { by: [], stdin })).toMatchObject({ exitCode: 0, posts: 0 });
  });

  it("is settled for the command and the file that have it, one after the other", async () => {
    const { id, run } = await declared("create -f alert.yaml");
    await run("apply -f - --yes", { after: 0, by: [], stdin: `id: ${id}\n${yaml}` });
    for (const exitCode of [0, 0, 2])
      expect(await run(`journal settle ${id} --not-created --yes`)).toMatchObject({ exitCode });
  });

  const notGone: [string, number, readonly ("get" | "list")[]][] = [
    ["its id and the list do not show for minutes", minute, ["get", "list"]],
    ["the list still shows", 60 * minute, ["get"]],
  ];

  it.each(notGone)("is not declared again by --recreate while %s", async (_, after, by) => {
    const { run } = await declared("create -f x.yaml");
    const again = await run("apply -f x.yaml --recreate", { after, by });
    expect(again).toMatchObject({ exitCode: 7, posts: 0 });
  });

  it.each(notGone)("counts as declared while %s", async (_, after, by) => {
    const { id, run } = await declared(alert);
    const again = await run(alert, { after, by });
    expect(again).toMatchObject({ exitCode: 0, posts: 0, stdout: `${id}\n` });
  });

  it.each(["apply -f -", "update ID --severity critical"])(
    "is not missing for %s where the read before the edit is behind",
    async (line) => {
      const service = await open({ ids: "replaced" });
      const { env, transport } = service;
      const world = createWorld({ env, transport, files });
      await world.run("create -f x.yaml");
      const id = service.incidents()[0]?.id ?? "";
      const hidden = withoutIncident(service, id, ["get"]);
      let reads = 0;
      const behind: Transport = (request, control) => {
        if (request.url.endsWith(id)) reads += 1;
        return (reads > 1 ? hidden : transport)(request, control);
      };
      const stdin = files["x.yaml"].replace("MAJOR", "CRITICAL");
      const edited = await world.run(line.replace("ID", id), { transport: behind, stdin });
      expect(edited.exitCode, edited.stderr).toBe(7);
      expect(edited.stderr).toContain("a cache or a replica may be behind");
      expect((await world.run(line.replace("ID", id), { stdin })).exitCode).toBe(0);
    },
  );

  it("is settled as gone also where only an update of it was posted from here, as the gate says", async () => {
    const service = await open({ ids: "replaced" });
    const world = createWorld({ env: service.env, transport: service.transport, files });
    await world.run("INCIDENT_CLI_STATE_DIR=other create -f x.yaml");
    const id = service.incidents()[0]?.id ?? "";
    await world.run(`update ${id} --status monitoring --message Fixed.`);
    const transport = withoutIncident(service, id, ["get", "list"]);
    const { stderr } = await world.run("gate", { transport });
    const [, settle = ""] = /incident (journal settle .*)/.exec(stderr) ?? [];
    expect(settle).toContain("--not-created --yes");
    expect(await world.run(settle)).toMatchObject({ exitCode: 2 });
    expect(await world.run(settle, { transport })).toMatchObject({ exitCode: 0 });
    expect((await world.run("gate", { transport })).exitCode).toBe(0);
  });

  it("is settled as gone where its id is answered in another way, and the list lacks it", async () => {
    const service = await open({ ids: "replaced" });
    const world = createWorld({ env: service.env, transport: service.transport, files });
    await world.run("create -f x.yaml");
    await world.run("list");
    const id = service.incidents()[0]?.id ?? "";
    const hidden = withoutIncident(service, id, ["list"]);
    const transport: Transport = async (request, control) =>
      request.method === "GET" && request.url.endsWith(id) ? refusal(410) : hidden(request, control);
    world.clock.advance(6 * minute);
    const blocked = await world.run("gate", { transport });
    expect(blocked.exitCode).toBe(7);
    const [, settle = ""] = /incident (journal settle .*)/.exec(blocked.stderr) ?? [];
    expect(await world.run(settle)).toMatchObject({ exitCode: 2 });
    expect(await world.run(settle, { transport })).toMatchObject({ exitCode: 0 });
    expect((await world.run("gate", { transport })).exitCode).toBe(0);
  });

  it("frees its dedup key", async () => {
    const { run } = await declared(alert);
    const again = await run(alert);
    expect(again).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("is not closed for the gate while its list may be behind", async () => {
    const { id, run } = await declared("create -f x.yaml");
    const { exitCode, stderr } = await run("gate", { after: minute });
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`incident journal settle ${id} --not-created --yes\n`);
  });
});

describe("an incident that its id does not show, without a list", () => {
  const settle = `incident journal settle ${incidentId} --not-created --yes`;

  it.each([
    ["create -f x.yaml", 5],
    ["gate", 7],
    ["apply -f x.yaml", 11],
  ] as const)("is never green, and %s sends nothing", async (line, exitCode) => {
    const world = createWorld({ files });
    await world.run("create -f x.yaml");
    world.clock.advance(6 * minute);
    const result = await world.run(line, { transport: createWorld({ files }).sandbox.transport });
    expect(result).toMatchObject({ exitCode, posts: 0 });
    if (exitCode !== 11) expect(result.stderr).toContain(settle);
  });
});

describe.each([
  ["apply -f x.yaml --recreate", undefined],
  ["create -f x.yaml", `journal settle ${incidentId} --not-created --yes`],
])("an incident that is declared again under its id by %s", (line, settle) => {
  it("gets its updates again, once", async () => {
    const updates = "[{ description: We are looking into it. }, { description: A fix is live. }]";
    const whole = { "x.yaml": definitionYaml({ id: incidentId, incidentUpdates: updates }) };
    const onlySpec = { sandbox: { onlySpec: false } };
    const world = createWorld({ files: whole, ...onlySpec });
    expect(await world.run("apply -f x.yaml")).toMatchObject({ posts: 2 });
    world.clock.advance(6 * minute);
    const anew = createWorld(onlySpec).sandbox;
    if (settle !== undefined) await world.run(settle, { transport: anew.transport });
    const again = await world.run(line, { transport: anew.transport });
    expect(again).toMatchObject({ exitCode: 0, posts: 2 });
    expect(anew.incidents()[0]?.incidentUpdates).toHaveLength(2);
    const last = await world.run("apply -f x.yaml", { transport: anew.transport });
    expect(last).toMatchObject({ exitCode: 0, posts: 0 });
  });
});
