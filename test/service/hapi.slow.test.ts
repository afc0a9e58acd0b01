// A service on hapi, with which this project shares no code: its document accepts what the tool sends, and an edit of an
// incident that it shows in part is made.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { serviceId } from "../sandbox/requests.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { startHapiServer } from "./hapi-server.ts";
import { lifeServices } from "./life/life-services.ts";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;

it("the document of hapi accepts the body of every fixture, and of what incident new writes", async () => {
  const { close, server } = await startHapiServer();
  onTestFinished(close);
  const errorsOf = createDocumentValidator(JSON.parse((await server.inject("/openapi.json")).payload));
  const names = readdirSync(fixtures).filter((name) => name.endsWith(".yaml"));
  const files = names.map((name) => [`all/${name}`, readFileSync(join(fixtures, name))]);
  const world = createWorld({ files: Object.fromEntries(files) });
  const written = (await world.run("new")).stdout
    .replace("id: CHANGEME", `id: ${serviceId}`)
    .replaceAll(": CHANGEME", ": Checkout");
  writeFileSync(join(world.folder, "all/new.yaml"), written);
  const { stdout } = await world.run("create -f all --dry-run -o json");
  const requests: readonly { readonly body: string; readonly url: string }[] = [JSON.parse(stdout)].flat();
  const bodies = requests.filter(({ url }) => url.endsWith("/incidents")).map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(names.length);
  for (const body of bodies) expect([errorsOf("CreateIncident", JSON.parse(body)), body]).toEqual([[], body]);
});

it("an edit of an incident that is shown without a status and a severity is made", async () => {
  const [, open] = lifeServices[1] as (typeof lifeServices)[number];
  const service = await open();
  const world = createWorld({ env: service.env, files: { "x.yaml": definitionYaml() } });
  const { stdout } = await world.run("create x.yaml -o id", { transport: service.transport });
  const transport: typeof service.transport = async (request, control) => {
    const outcome = await service.transport(request, control);
    if (outcome.phase !== "answered" || request.url.endsWith(".json")) return outcome;
    const { id, name, services } = JSON.parse(Buffer.from(outcome.body).toString());
    return { ...outcome, body: Buffer.from(JSON.stringify({ id, name, services })) };
  };
  const { exitCode, stderr } = await world.run(`update ${stdout.trim()} --name 'Checkout is down'`, {
    transport,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(service.incidents()[0]?.name).toBe("Checkout is down");
});
