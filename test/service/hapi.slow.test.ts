// A service on hapi, with which this project shares no code: its document accepts what the tool sends.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorld } from "../harness/incident.ts";
import { serviceId } from "../sandbox/requests.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { startHapiServer } from "./hapi-server.ts";

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
