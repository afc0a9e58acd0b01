// `create` of a definition with several updates: the first one in the create, and the others after it, exactly once.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { answer, incidentId, serviceYaml } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { ownServicesInTurn } from "../../service/life/life-services.ts";

const texts = ["We are looking into it.", "The cause is a full disk.", "A fix is in place."];
const yaml = (id: string, count = texts.length) =>
  `${id}name: Checkout fails\nseverity: MAJOR\nservices: [${serviceYaml}]\nincidentUpdates:\n${texts
    .slice(0, count)
    .map((text) => `  - { status: INVESTIGATING, description: "${text}" }\n`)
    .join("")}`;

const create = "create -f x.yaml --settle-for 1s";

const cases = ownServicesInTurn.flatMap(([name, ids, open]) =>
  [`id: ${incidentId}\n`, ""].map(
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
    return { service, run, shown };
  };

  it("sends the first one in the create, and the others after it, in order", async () => {
    const { run, shown } = await start();
    const first = await run();
    expect(first, first.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
    expect(shown()).toEqual([texts]);
    expect(await run()).toMatchObject({ exitCode: 0, sent: [] });
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

  it("ends with 9 in between, and a rerun goes on where it stopped", async () => {
    const { run, service, shown } = await start();
    let updates = 0;
    const refused = await run(async (request, control) => {
      const isUpdate = request.method === "POST" && !request.url.endsWith("/incidents");
      if (!isUpdate || ++updates < 2) return service.transport(request, control);
      await control.beforeSend?.();
      return answer({ statusCode: 400, error: "Bad Request", message: "not now" }, 400);
    });
    expect(refused.exitCode, refused.stderr).toBe(9);
    expect(refused.stderr).toContain("it is declared, and not all updates after it are posted");
    expect(shown()).toEqual([texts.slice(0, 2)]);
    const rest = await run();
    expect(rest).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(rest.stderr).toMatch(/(?:already declared|still open) .*, and posted 1 update after it/);
    expect(shown()).toEqual([texts]);
  });

  it("says to run it again where the service does not know the declared incident yet", async () => {
    const { run, service, shown } = await start();
    const behind = await run(async (request, control) => {
      const isUpdate = request.method === "POST" && !request.url.endsWith("/incidents");
      if (!isUpdate) return service.transport(request, control);
      await control.beforeSend?.();
      return answer({ statusCode: 404, error: "Not Found", message: "no such incident" }, 404);
    });
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
    const first = await run(async (request, control) =>
      request.url.endsWith("/openapi.json") ? answer("down", 503) : service.transport(request, control),
    );
    expect(first, first.stderr).toMatchObject({ exitCode: 9, sent: ["create"] });
    expect(shown()).toEqual([texts.slice(0, 1)]);
    const rest = await run();
    expect(rest, rest.stderr).toMatchObject({ exitCode: 0, sent: ["update", "update"] });
    expect(shown()).toEqual([texts]);
  });

  it("has all updates in the create where the service has no document", async () => {
    const { run, service, shown } = await start(false);
    const first = await run(async (request, control) =>
      request.url.endsWith("/openapi.json")
        ? answer({ statusCode: 404, error: "Not Found", message: "none" }, 404)
        : service.transport(request, control),
    );
    expect(first, first.stderr).toMatchObject({ sent: ["create"] });
    if (first.exitCode === 0) expect(shown()).toEqual([texts]);
    else expect(first.exitCode).toBe(6);
  });
});
