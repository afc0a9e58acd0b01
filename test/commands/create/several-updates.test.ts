// `create` of a definition with several updates: the first one in the create, and the others after it, exactly once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { refusal } from "../../delivery/services-by-hand.ts";
import { incidentId, serviceYaml } from "../../harness/builders.ts";
import { isThorough } from "../../harness/cases.ts";
import { answering, isUpdate } from "../../harness/changed-service.ts";
import { createWorld } from "../../harness/incident.ts";
import { servicesInTurn } from "../../service/life/life-services.ts";

const texts = ["We are looking into it.", "The cause is a full disk.", "A fix is in place."];
const yaml = (id: string, count = texts.length) =>
  `${id}name: Checkout fails\nseverity: MAJOR\nservices: [${serviceYaml}]\nincidentUpdates:\n${texts
    .slice(0, count)
    .map((text) => `  - { status: INVESTIGATING, description: "${text}" }\n`)
    .join("")}`;

const create = "create -f x.yaml --settle-for 1s";

interface Shown {
  readonly body: string;
  readonly command: readonly string[];
  readonly url: string;
}

/** The id of an update is chosen with its operation. */
const withoutId = ({ id, ...body }: Record<string, unknown>, at: number) =>
  at === 0 ? { id, ...body } : body;

/** A service that keeps ids gets one, and the other makes its own; `.ci/run` takes all pairs. */
const cases = servicesInTurn("kept").flatMap(([name, ids, open]) =>
  [`id: ${incidentId}\n`, ""]
    .filter((id) => isThorough || (id === "") === (ids === "replaced"))
    .map(
      (id) => [`${name}, ids ${ids}, ${id === "" ? "no id" : "an id"} in the file`, open, ids, id] as const,
    ),
);

describe.each(cases)("a create of several updates at %s", (_, open, ids, id) => {
  const start = async (knows = true) => {
    const service = await open({ ids });
    const { env, transport } = service;
    const world = createWorld({ env, transport, files: { "x.yaml": yaml(id) } });
    if (knows) expect(await world.run("contract pull")).toMatchObject({ exitCode: 0 });
    const run = async (through: Transport = transport) => {
      const before = service.requests.length;
      const result = await world.run(create, { transport: through });
      const operations = service.requests.slice(before).map(({ operation }) => operation);
      return { ...result, sent: operations.filter((each) => ["create", "update"].includes(each)) };
    };
    const shown = () =>
      service.incidents().map(({ incidentUpdates }) => incidentUpdates.map((each) => each.description));
    return { service, run, shown, world };
  };

  it("sends the first one in the create, and the others after it, in order", async () => {
    const { run, shown } = await start();
    const first = await run();
    expect(first, first.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
    expect(shown()).toEqual([texts]);
    expect(await run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("shows in a dry run the requests that the confirmed run sends", async () => {
    const { service, shown, world } = await start();
    const dry = await world.run(`${create} --dry-run -o json`);
    const planned: readonly Shown[] = JSON.parse(dry.stdout);
    expect(shown()).toEqual([]);
    const before = service.requests.length;
    const sent = await world.run(planned[0]?.command.slice(1).join(" ") ?? "");
    expect(sent, sent.stderr).toMatchObject({ exitCode: 0 });
    const posts = service.requests.slice(before).filter(({ request }) => request.method === "POST");
    const bodies = [planned.map(({ body }) => body), posts.map(({ request }) => `${request.body}`)];
    const [one, other] = bodies.map((each) => each.map((body, at) => withoutId(JSON.parse(body), at)));
    expect(one).toEqual(other);
    const places = posts.map(({ request: { url } }) => url.replace(/(?<=incidents\/)[0-9a-f-]{36}/, "{id}"));
    const pathOf = (url: string) => url.replace(/.*\/incidents/, "");
    expect(planned.map(({ url }) => pathOf(url))).toEqual(places.map(pathOf));
    const { stdout: curl } = await (await start()).world.run(`${create} --dry-run -o curl`);
    expect(curl).toMatch(/^# set ID to .*\n.*\n.*\/'"\$ID"'\/\S+ \\$/m);
    expect(shown()).toEqual([texts]);
  });

  it("names in a dry run the open incident that answers the run, and shows what the run adds to it", async () => {
    const { run, service, world } = await start();
    const refusing = answering(service, (request) => (isUpdate(request) ? refusal(403) : undefined));
    // The rerun publishes nothing.
    for (const exitCode of [9, 4]) expect(await run(refusing)).toMatchObject({ exitCode });
    const dry = await world.run(`${create} --dry-run`);
    expect(dry.exitCode, dry.stderr).toBe(0);
    const [{ id: declared = "" } = {}] = service.incidents();
    const answers = `${id === "" ? "still open" : "already declared"} ${declared}`;
    expect(dry.stderr).toContain(answers);
    // Without an id, one that is assigned now would make it another create.
    const next = id === "" ? "to send it, run this command without --dry-run" : "to send exactly this";
    expect(dry.stderr).toContain(next);
    expect(dry.stderr).not.toContain("--assign-ids");
    expect(dry.stdout).not.toContain(texts[0]);
    expect(dry.stdout).toContain(texts[1]);
    expect(dry.stdout).toContain(texts[2]);
    expect(await run()).toMatchObject({ exitCode: 0, sent: ["update", "update"] });
    const again = await world.run(`${create} --dry-run`);
    expect(again).toMatchObject({ exitCode: 0, stdout: "" });
    expect(again.stderr).toContain(answers);
    const json = await world.run(`${create} --dry-run -o json`);
    expect(json).toMatchObject({ exitCode: 0, stdout: "[]\n" });
    expect(JSON.parse(json.stderr).warning).toContain(answers);
  });

  it.each(["create", "update"] as const)(
    "is complete where the answer of a %s is lost",
    async (operation) => {
      const { run, service, shown } = await start();
      service.loseAnswer(operation);
      const first = await run();
      expect(first, first.stderr).toMatchObject({ exitCode: 0 });
      expect(shown()).toEqual([texts]);
      expect(await run()).toMatchObject({ exitCode: 0, sent: [] });
    },
  );

  it("posts the others after a long wait for the create, while the service does not show it yet", async () => {
    const { run, service, shown, world } = await start();
    const behind = answering(service, (request) => {
      if (request.method === "GET") return /incidents\/[^/]*$/.test(request.url) ? refusal(404) : undefined;
      if (!isUpdate(request)) world.clock.advance(11_000);
      return undefined;
    });
    const late = await run(behind);
    expect(late, late.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
    expect(shown()).toEqual([texts]);
  });

  it.each([
    [400, "correct the part that it names"],
    [429, "nothing more was posted"],
  ])("ends with 9 in between, and a rerun goes on where it stopped: %s", async (status, hint) => {
    const { run, service, shown } = await start();
    let updates = 0;
    const refused = await run(
      answering(service, (request) => (isUpdate(request) && ++updates > 1 ? refusal(status) : undefined)),
    );
    expect(refused.exitCode, refused.stderr).toBe(9);
    expect(refused.stderr).toContain("the incident is declared, and not all updates after it are posted");
    expect(refused.stderr).toContain(hint);
    expect(shown()).toEqual([texts.slice(0, 2)]);
    const rest = await run();
    expect(rest).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(rest.stderr).toMatch(/(?:already declared|still open) .*, and posted 1 update after it/);
    expect(shown()).toEqual([texts]);
  });

  it("posts nothing, as an apply does, where the file has lost a published text", async () => {
    const { run, world } = await start();
    expect(await run()).toMatchObject({ exitCode: 0 });
    writeFileSync(
      join(world.folder, "x.yaml"),
      yaml(id).replace("The cause is a full disk.", "The cause is a full volume."),
    );
    const lost = await run();
    expect(lost, lost.stderr).toMatchObject({ exitCode: 11, sent: [] });
    const said = "shows a text that its definition had, or may have had, and no longer has";
    expect(lost.stderr).toContain(said);
    const dry = await world.run(`${create} --dry-run`);
    expect(dry.exitCode, dry.stderr).toBe(11);
    expect(dry.stderr).toContain(said);
    if (id === "") return;
    const applied = await world.run("apply -f x.yaml");
    expect(applied.exitCode, applied.stderr).toBe(11);
    expect(applied.stderr).toContain(said);
  });

  it("says to run it again where the service does not know the declared incident yet", async () => {
    const { run, service, shown } = await start();
    const behind = await run(answering(service, (request) => (isUpdate(request) ? refusal(404) : undefined)));
    expect(behind.exitCode, behind.stderr).toBe(9);
    expect(behind.stderr).toContain("run the same command again for the rest");
    expect(behind.stderr).not.toContain("check the id");
    expect(await run()).toMatchObject({ exitCode: 0, sent: ["update", "update"] });
    expect(shown()).toEqual([texts]);
  });

  it("reads how an update is added where no contract says it", async () => {
    const { run, shown } = await start(false);
    const first = await run();
    expect(first, first.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
    expect(shown()).toEqual([texts]);
  });

  it("waits with the others where the document cannot be read, and a rerun posts them", async () => {
    const { run, service, shown } = await start(false);
    const first = await run(
      answering(service, ({ url }) => (url.endsWith("/openapi.json") ? refusal(503) : undefined)),
    );
    expect(first, first.stderr).toMatchObject({ exitCode: 9, sent: ["create"] });
    expect(shown()).toEqual([texts.slice(0, 1)]);
    const rest = await run();
    expect(rest, rest.stderr).toMatchObject({ exitCode: 0, sent: ["update", "update"] });
    expect(shown()).toEqual([texts]);
  });

  it("has all updates in the create where the service has no document", async () => {
    const { run, service, shown } = await start(false);
    const first = await run(
      answering(service, ({ url }) => (url.endsWith("/openapi.json") ? refusal(404) : undefined)),
    );
    expect(first, first.stderr).toMatchObject({ sent: ["create"] });
    if (first.exitCode === 0) expect(shown()).toEqual([texts]);
    else expect(first.exitCode).toBe(6);
  });
});
