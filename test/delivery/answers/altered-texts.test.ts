// A service that is known to change texts: a text that it does not show is no sign that an attempt has not arrived.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { answer, definitionYaml } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld } from "../../harness/incident.ts";
import { type LifeService, lifeServices, servicesInTurn } from "../../service/life/life-services.ts";

const text = "[{ description: It's broken., status: INVESTIGATING }]";
const files = {
  "first.yaml": definitionYaml({ name: "Search isn't found", incidentUpdates: text }),
  "second.yaml": definitionYaml({ name: "Checkout doesn't work", incidentUpdates: text }),
};

interface Shown {
  readonly status?: number;
  /** Changes what reads answer. */
  readonly write?: (text: string) => string;
}

const curly = (text: string) => text.replaceAll("'", "’").replaceAll("...", "…");
const withoutUpdateIds = (text: string) =>
  JSON.stringify(
    JSON.parse(curly(text), (_, value) =>
      typeof value?.description === "string" ? { ...value, id: undefined } : value,
    ),
  );

/** The service with other texts in its answers. `status`: that of the answer to each request that changes something. */
function showing(service: LifeService, { status, write = curly }: Shown): Transport {
  const written = rewriting(service, (text, { method }) => (method === "GET" ? write : curly)(text));
  return async (request, control) => {
    const outcome = await written(request, control);
    return status === undefined || request.method === "GET" ? outcome : answer("", status);
  };
}

function worldAt(service: LifeService, shown: Shown = {}) {
  const world = createWorld({ env: service.env, files, transport: showing(service, shown) });
  const run = async (line: string, { status }: Shown = {}) => {
    const { exitCode, stderr, stdout } = await world.run(line, {
      transport: showing(service, { ...shown, ...(status && { status }) }),
    });
    return { exitCode, stderr, stdout };
  };
  return { run, world };
}

describe.each(servicesInTurn("kept"))("at %s with ids %s", (_name, _ids, open) => {
  it("a create that was carried out and answered with a 503 is not sent again", async () => {
    const service = await open({ ids: "replaced" });
    const { run } = worldAt(service);
    await run("list");
    expect(await run("create first.yaml -o id")).toMatchObject({ exitCode: 0 });
    expect(await run("create second.yaml", { status: 503 })).toMatchObject({ exitCode: 8 });
    expect(service.incidents().map(({ name }) => name)).toEqual([
      "Search isn't found",
      "Checkout doesn't work",
    ]);
  });
});

describe.each(lifeServices)("at %s", (_name, open) => {
  it("an update that was carried out and answered with a 503 is not sent again", async () => {
    const service = await open({ ids: "replaced" });
    const { run } = worldAt(service);
    await run("list");
    const { stdout } = await run("create first.yaml -o id");
    const line = `update ${stdout.trim()} --status MONITORING --message "Watching..."`;
    expect(await run(line, { status: 503 })).toMatchObject({ exitCode: 8 });
    expect(service.incidents()[0]?.incidentUpdates).toHaveLength(2);
  });
});

describe.each(lifeServices.slice(0, 1))("at %s", (_name, open) => {
  it("an update that is shown in other words, without an id, holds up no other one", async () => {
    const service = await open({ ids: "replaced" });
    const { run } = worldAt(service, { write: withoutUpdateIds });
    await run("list");
    const { stdout } = await run("create first.yaml -o id");
    const id = stdout.trim();
    expect(await run(`update ${id} --status MONITORING --message "Watching..."`)).toMatchObject({
      exitCode: 0,
    });
    expect(await run(`resolve ${id} --message Over.`)).toMatchObject({ exitCode: 0 });
    expect(service.incidents()[0]?.incidentUpdates).toHaveLength(3);
  });
});
