// The commands of the tool against a service on hapi that this project's sandbox shares nothing with. It requires
// accountId, and says so in the document that it generates.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionYaml, numberedId } from "../harness/builders.ts";
import { createWorld, type Setup, type World } from "../harness/incident.ts";
import { sendOverSocket } from "../harness/socket-transport.ts";
import { accountId, apiKey, serviceId } from "../sandbox/requests.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { type HapiServer, startHapiServer } from "./hapi-server.ts";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;

/** A world whose service is the server. */
function worldOf({ url }: HapiServer, setup: Setup = {}): World {
  const env = {
    INCIDENT_CLI_BASE_URL: url,
    INCIDENT_CLI_API_KEY: apiKey,
    INCIDENT_CLI_ACCOUNT_ID: accountId,
  };
  return createWorld({ ...setup, env: { ...env, ...setup.env }, transport: sendOverSocket });
}

describe("the command with a service on hapi", () => {
  let server: HapiServer;
  beforeAll(async () => {
    server = await startHapiServer();
  });
  afterAll(() => server.close());

  const names = readdirSync(fixtures).filter((name) => name.endsWith(".yaml"));

  it.each(names)("declares fixtures/%s, reads it back, and finds it with apply", async (name) => {
    const world = worldOf(server, { files: { [name]: readFileSync(join(fixtures, name)) } });
    const created = await world.run(`create -f ${name} -o id`);
    expect(created.exitCode, created.stderr).toBe(0);
    const ids = created.stdout.trim().split("\n");
    expect((await world.run(`get ${ids.join(" ")} -o json`)).exitCode).toBe(0);
    const applied = await world.run(`apply -f ${name} -o id`);
    expect({ exitCode: applied.exitCode, ids: applied.stdout.trim().split("\n") }).toEqual({
      exitCode: 0,
      ids,
    });
    expect(applied.requests.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("declares what incident new writes, once its placeholders are replaced", async () => {
    const world = worldOf(server);
    await writeNew(world, "x.yaml");
    const { exitCode, stderr } = await world.run("create x.yaml");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("declared ") });
  });

  it("shows the service's refusal in its words", async () => {
    const files = { "x.yaml": definitionYaml({ id: numberedId(8) }) };
    const world = worldOf(server, { files });
    const { exitCode, stderr } = await world.run("create -f x.yaml --account none");
    expect(exitCode).toBe(6);
    expect(stderr).toContain(
      'error: the service refused the request (400: "services[0].accountId" is required)\n',
    );
  });

  it("logs in", async () => {
    const world = worldOf(server, { env: { INCIDENT_CLI_API_KEY: "" } });
    const { exitCode, stderr } = await world.run("login --api-key-stdin", { stdin: `${apiKey}\n` });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect((await world.run("login --api-key-stdin", { stdin: "another-key-0123456789\n" })).exitCode).toBe(
      4,
    );
  });
});

describe("the document that hapi generates", () => {
  let server: HapiServer;
  let errorsOf: ReturnType<typeof createDocumentValidator>;
  beforeAll(async () => {
    server = await startHapiServer();
    errorsOf = createDocumentValidator(await (await fetch(`${server.url}/openapi.json`)).json());
  });
  afterAll(() => server.close());

  const fixtureFiles = Object.fromEntries(
    readdirSync(fixtures)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => [`all/${name}`, readFileSync(join(fixtures, name))]),
  );

  async function bodiesOf(world: World, flags = ""): Promise<readonly string[]> {
    const { stdout } = await world.run(`create -f all --dry-run -o json ${flags}`);
    const requests: readonly { readonly body: string; readonly url: string }[] = [JSON.parse(stdout)].flat();
    return requests.filter(({ url }) => url.endsWith("/incidents")).map(({ body }) => body);
  }

  it("accepts the body of every fixture, and of what incident new writes", async () => {
    const world = worldOf(server, { files: fixtureFiles });
    await writeNew(world, "all/new.yaml");
    const bodies = await bodiesOf(world);
    expect(bodies.length).toBeGreaterThan(Object.keys(fixtureFiles).length);
    for (const body of bodies)
      expect([errorsOf("CreateIncident", JSON.parse(body)), body]).toEqual([[], body]);
  });

  it("refuses a body without an account", async () => {
    const [body] = await bodiesOf(worldOf(server, { files: fixtureFiles }), "--account none");
    expect(errorsOf("CreateIncident", JSON.parse(body as string))).toMatchObject([
      { params: { missingProperty: "accountId" } },
    ]);
  });
});

/** Writes a new definition as a person would: with the placeholders replaced. */
async function writeNew(world: World, name: string): Promise<void> {
  const { exitCode, stderr } = await world.run(`new ${name}`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const path = join(world.folder, name);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace("id: CHANGEME", `id: ${serviceId}`).replaceAll(": CHANGEME", ": Checkout"),
  );
}
