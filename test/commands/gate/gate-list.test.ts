// The gate at services that list their incidents, and at base URLs that nothing proves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Outcome, Transport } from "../../../src/http/transport.ts";
import { answer, incidentOf, refusal } from "../../delivery/services-by-hand.ts";
import { access, definitionYaml, incidentId, numberedId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { type LifeService, lifeServices } from "../../service/life/life-services.ts";

const files = {
  "checkout.yaml": definitionYaml({ id: incidentId }),
  "solved.yaml": definitionYaml({
    id: numberedId(9),
    name: "Search was slow",
    incidentUpdates: "[{ description: Solved., status: RESOLVED }]",
  }),
  "minor.yaml": definitionYaml({ name: "Search is slow", severity: "MINOR" }),
};

const worldAt = ({ env, transport }: LifeService, more = {}) =>
  createWorld({ env, transport, files: { ...files, ...more } });

const firstLine = (stderr: string) => stderr.split("\n")[0];

describe.each(lifeServices)("gate by list, at %s", (_name, open) => {
  it.each(["kept", "replaced"] as const)(
    "blocks for an incident that another machine declared, with ids %s",
    async (ids) => {
      const service = await open({ ids });
      const world = worldAt(service);
      expect((await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create -f checkout.yaml")).exitCode).toBe(0);
      const [declared] = service.incidents();
      for (const command of ["gate -o id", "gate -f checkout.yaml -o id"]) {
        const { exitCode, stderr, stdout } = await world.run(command);
        expect({ exitCode, line: firstLine(stderr), stdout }).toEqual({
          exitCode: 12,
          line: "error: blocked: 1 known incident is open",
          stdout: `${declared?.id}\n`,
        });
      }
      await service.addUpdate(declared?.id ?? "", { status: "RESOLVED", description: "Over." });
      for (const command of ["gate", "gate -f checkout.yaml"])
        expect(await world.run(command)).toMatchObject({
          exitCode: 0,
          stderr: expect.stringMatching(/^not blocked: /),
        });
    },
  );

  it("reads an empty list, and knows then that nothing is open", async () => {
    const { exitCode, stderr } = await worldAt(await open()).run("gate");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "not blocked: 0 known incidents, none of which blocks\n",
    });
  });

  it("applies the filters to what it lists", async () => {
    const world = worldAt(await open());
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create -f minor.yaml");
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create -f solved.yaml");
    expect(await world.run("gate --severity major")).toMatchObject({
      exitCode: 0,
      stderr: "not blocked: 2 known incidents, none of which blocks\n",
    });
    expect((await world.run("gate --severity minor")).exitCode).toBe(12);
  });

  it("looks at the whole list, whatever a contract in the checkout says", async () => {
    const service = await open();
    const world = worldAt(service);
    await world.run("INCIDENT_CLI_STATE_DIR=elsewhere create -f checkout.yaml");
    expect((await world.run("contract pull")).exitCode).toBe(0);
    const saved = JSON.parse(readFileSync(join(world.folder, "incident.contract.json"), "utf8"));
    const hidden = { ...saved, operations: {} };
    const hiding = worldAt(service, { "incident.contract.json": JSON.stringify(hidden) });
    expect((await hiding.run("gate")).exitCode).toBe(12);
  });

  it.each([
    ["list", "error: it is not known whether an incident is open: the list of the service: "],
    ["document", "error: it is not known whether an incident is open: the list of the service: "],
  ] as const)("exits with 7 where the %s gets no answer", async (operation, line) => {
    const service = await open();
    const world = worldAt(service);
    service.loseRequest(operation, 20);
    const { exitCode, stderr } = await world.run("gate -q");
    expect({ exitCode, line: firstLine(stderr)?.slice(0, line.length) }).toEqual({ exitCode: 7, line });
  });
});

/** A service that answers each path; every other one is its own 404. */
const servicePaths = (paths: Readonly<Record<string, unknown>>): Transport => {
  return async ({ headers, url }) => {
    const { pathname } = new URL(url);
    if (headers.authorization !== `Bearer ${access.apiKey}` && pathname !== "/openapi.json")
      return refusal(401);
    return pathname in paths ? answer(200, paths[pathname]) : refusal(404);
  };
};

const listed = (count: number, fields: (at: number) => object) =>
  Array.from({ length: count }, (_, at) =>
    incidentOf({ id: `7c9e6679-7425-40de-944b-${String(at).padStart(12, "0")}`, ...fields(at) }),
  );

const C = "/v1/status-pages/incidents";
const incidentSchema = {
  type: "object",
  properties: { id: { type: "string" }, name: { type: "string" }, lastUpdateStatus: { type: "string" } },
};
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const document = (query: readonly object[], items: object) => ({
  openapi: "3.0.3",
  info: { title: "t", version: "1" },
  paths: {
    [C]: {
      post: {
        requestBody: json({ type: "object", properties: { name: { type: "string" } } }),
        responses: { 201: { description: "", ...json(incidentSchema) } },
      },
      get: { parameters: query, responses: { 200: { description: "", ...json(items) } } },
    },
  },
});
const pageSize = { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } };
const oneList = document([pageSize], { type: "array", items: incidentSchema });

describe("a list that does not say all", () => {
  const gateAt = (entries: readonly unknown[], line = "gate") =>
    createWorld({ transport: servicePaths({ "/openapi.json": oneList, [C]: entries }) }).run(line);

  it.each([
    ["no status", { lastUpdateStatus: undefined, incidentUpdates: undefined }],
    ["a status that is none of the four", { lastUpdateStatus: "POSTMORTEM" }],
  ])("counts an entry with %s as open", async (_, fields) => {
    const { exitCode, stdout } = await gateAt([incidentOf(fields)], "gate -o id");
    expect({ exitCode, stdout }).toEqual({ exitCode: 12, stdout: `${incidentId}\n` });
  });

  // A page of a list without a next one is full.
  const full = listed(100, (at) => ({
    lastUpdateStatus: "RESOLVED",
    created_at: `2026-${at < 50 ? "11" : "10"}-01`,
  }));

  it("exits with 7 at its bound", async () => {
    const { exitCode, stderr } = await gateAt(full);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 7,
      stderr: `error: it is not known whether an incident is open: the list of the service: it was not read to its end
  next: the rest may have an open one: look at the status page; --allow-unknown passes without the rest
`,
    });
  });

  it("exits with 7 there with --since, since no order of a list is certain", async () => {
    expect((await gateAt(full, "gate --since 2026-10-15")).exitCode).toBe(7);
  });

  it("passes there with --allow-unknown, and not past an open one", async () => {
    expect((await gateAt(full, "gate --allow-unknown")).exitCode).toBe(0);
    expect((await gateAt([...full.slice(1), incidentOf({})], "gate --allow-unknown")).exitCode).toBe(12);
  });

  it("takes a date for the whole of its day, in any zone", async () => {
    const today = [incidentOf({ created_at: "2026-11-20" })];
    expect((await gateAt(today, "gate --since 2026-11-20T06:00:00Z")).exitCode).toBe(12);
    expect((await gateAt(today, "gate --since 2026-11-21T11:59:59Z")).exitCode).toBe(12);
    expect((await gateAt(today, "gate --since 2026-11-21T12:00:00Z")).exitCode).toBe(0);
  });
});

it("is blocked by the open incident of a page whose next one fails", async () => {
  const unread = answer(503, { statusCode: 503, error: "Service Unavailable" });
  const cursor = { name: "cursor", in: "query", schema: { type: "string" } };
  const properties = { entries: { type: "array", items: incidentSchema }, cursor: { type: "string" } };
  const paged = document([pageSize, cursor], { type: "object", properties });
  const pages = servicePaths({ "/openapi.json": paged, [C]: { entries: [incidentOf()], cursor: "a" } });
  const transport: Transport = async (request, control) =>
    request.url.includes("cursor=") ? unread : pages(request, control);
  const { exitCode, stderr } = await createWorld({ transport }).run("gate");
  expect(exitCode).toBe(12);
  expect(stderr).toContain("warning: the list of the service: the service failed (503");
});

it("exits with 7 where the document describes a list that cannot be read", async () => {
  const needs = document([{ name: "tenant", in: "query", required: true, schema: {} }], {
    type: "array",
    items: incidentSchema,
  });
  const transport = servicePaths({ "/openapi.json": needs, [C]: [incidentOf()] });
  const { exitCode, stderr } = await createWorld({ transport }).run("gate");
  expect(exitCode).toBe(7);
  expect(stderr).toContain("does not describe the list of incidents in a form that incident knows");
});

describe("a document that could not be read", () => {
  const raw = (status: number, body: string, more: object = {}): Outcome => ({
    phase: "answered",
    status,
    headers: {},
    body: Buffer.from(body),
    ...more,
  });
  const gone: Outcome = { phase: "unanswered", reason: "reset", detail: "connection reset" };

  it.each<[string, Outcome]>([
    ["no answer", gone],
    ["HTML", raw(200, "<!doctype html><p>Maintenance</p>")],
    ["nothing", raw(200, "")],
    ["one that is cut off", raw(200, '{"openapi": "3.0.0", "paths": {', { bodyError: "truncated" })],
    ["one that ends within a word", raw(200, '{"openapi": "3.0.0", "pat')],
    ["an empty object", raw(200, "{}")],
    ["more than 64 MiB", raw(200, "{", { bodyError: "too-large" })],
    ["204", raw(204, "")],
    ["a redirect", raw(302, "", { headers: { location: "/login" } })],
    ["401", raw(401, "{}")],
    ["403", raw(403, "{}")],
    ["503", raw(503, "{}")],
    ["404 of a proxy", raw(404, "<p>not here</p>")],
  ])("is never one without a list: %s", async (_, document) => {
    const service = servicePaths({ [`${C}/${incidentId}`]: incidentOf(), [C]: [incidentOf()] });
    const transport: Transport = async (request, control) =>
      request.url.endsWith("/openapi.json") ? document : service(request, control);
    for (const line of ["gate", "list"]) {
      const { exitCode, stderr } = await createWorld({ files, transport }).run(line);
      expect({ line, exitCode, stderr }).toMatchObject({ line, exitCode: 7 });
    }
  });
});

describe("a gate that cannot be fooled", () => {
  const asked = { files };
  const gateAt = (transport: Transport, line: string) => createWorld({ ...asked, transport }).run(line);

  it.each([
    [
      "a base URL where each read is a 404",
      servicePaths({}),
      "gate -f checkout.yaml",
      7,
      `error: it is not known whether an incident is open: ${incidentId}: the service does not show this id of a file, and may have given its incident another, which only the journal of its create knows`,
    ],
    [
      "a journal that never declared, and no list",
      servicePaths({}),
      "gate",
      2,
      "error: no incident is known here, so it is not known whether one is open: nothing was declared at http://127.0.0.1:1 from here, and http://127.0.0.1:1/openapi.json: the service has no document here (404: Refused)",
    ],
    [
      "the same with --allow-unknown",
      servicePaths({}),
      "gate --allow-unknown",
      0,
      "not blocked: 0 known incidents, none of which blocks",
    ],
  ])("at %s", async (_, transport, line, exitCode, message) => {
    const result = await gateAt(transport, line);
    expect({ exitCode: result.exitCode, line: firstLine(result.stderr) }).toEqual({
      exitCode,
      line: message,
    });
  });

  it("names what makes the id of a file known", async () => {
    const { stderr } = await gateAt(servicePaths({}), "gate -f checkout.yaml");
    expect(stderr).toContain("  next: declare it first, with incident apply; or set INCIDENT_CLI_JOURNAL");
  });

  it("exits with 4 for a key that is not accepted", async () => {
    const world = createWorld({ ...asked, env: { INCIDENT_CLI_API_KEY: "another" } });
    expect((await world.run("gate -f checkout.yaml")).exitCode).toBe(4);
  });

  it("exits with 4 for it also where nothing is known, and the document is refused as well", async () => {
    const { exitCode } = await incident("gate --allow-unknown", { transport: async () => refusal(401) });
    expect(exitCode).toBe(4);
  });
});
