// Ids that a service gives and that are no GUIDs. Each is shown, none becomes a part of a path, and none leads to a
// second create.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { answer, createService, incidentOf, refusal } from "../services-by-hand.ts";

const files = { "x.yaml": definitionYaml({ id }), "plain.yaml": definitionYaml() };
const env = { INCIDENT_CLI_WEB_URL: "https://app.example/incidents/{id}" };
const limits = "--settle-for 1s";
const guidAtEnd = /\/incidents\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each(["..", ".", "", "a/b", "x?y#z", "%2e%2e", "\ud800"])("the id %j", (given) => {
  const message = `error: an incident has the id ${JSON.stringify(given)}, which is not a GUID and cannot be part of an address`;

  /** A service that answers a create with `status`, and whose other paths are a success as well. */
  function openService(status: number) {
    const world = createWorld({ files, env });
    const service = createService(
      (body) => answer(status, incidentOf({ ...body, id: given })),
      (asked) =>
        guidAtEnd.test(`/incidents/${asked}`) ? refusal(404) : answer(200, incidentOf({ id: given })),
    );
    const reads = () =>
      service.requests.flatMap(({ method, url }) =>
        method === "GET" && !url.endsWith("/openapi.json") ? [url] : [],
      );
    const run = async (line: string) => {
      const { exitCode, stderr, stdout } = await world.run(line, { transport: service.transport });
      return { exitCode, stdout, error: stderr.split("\n").find((each) => each.startsWith("error:")) };
    };
    return { ...service, reads, run };
  }

  it("of a declared incident is not read", async () => {
    const { reads, run, sent } = openService(201);
    const create = `create -f plain.yaml --dedup-key a ${limits}`;
    expect(await run(create)).toMatchObject({ exitCode: 0, error: undefined });
    expect(await run(create)).toMatchObject({
      exitCode: 6,
      error: expect.stringContaining(message.replace("error: ", "")),
    });
    const { stdout: declared } = await run("journal list -o id");
    expect(await run(`open ${declared.trim()}`)).toMatchObject({ exitCode: 2, error: message });
    expect((await run("gate")).exitCode).toBe(7);
    expect((await run("journal list")).exitCode).toBe(0);
    expect(sent).toHaveLength(1);
    expect(reads().filter((url) => !guidAtEnd.test(url))).toEqual([]);
  });

  it("of an applied incident is not read", async () => {
    const { reads, run, sent } = openService(201);
    const apply = `apply -f x.yaml --yes ${limits}`;
    expect((await run(apply)).exitCode).toBe(0);
    expect(await run(apply)).toMatchObject({ error: message });
    expect(sent).toHaveLength(1);
    expect(reads().filter((url) => !guidAtEnd.test(url))).toEqual([]);
  });

  it("of an unclear answer is told, and nothing is sent again", async () => {
    const { reads, run, sent } = openService(202);
    for (const line of [`create -f x.yaml ${limits}`, `create -f x.yaml ${limits}`, `journal settle ${id}`])
      expect(await run(line)).toMatchObject({ exitCode: 8 });
    expect(sent).toHaveLength(1);
    expect(reads().filter((url) => !guidAtEnd.test(url))).toEqual([]);
  });
});
