// The check of the service's document in `incident doctor`: each difference by its effect, before and after
// `incident contract pull`.

import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Answered, Transport } from "../../../src/http/transport.ts";
import { openapi } from "../../../src/sandbox/openapi.ts";
import { answer, incidentId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at will.
type Document = any;

const copy = (): Document => JSON.parse(JSON.stringify(openapi));

/** A world whose service publishes this answer as its document. */
function worldWith(answer: Partial<Answered>, account?: string) {
  const plain = createWorld();
  const transport: Transport = async (request, control) =>
    request.url.endsWith("/openapi.json")
      ? { phase: "answered", status: 200, headers: {}, body: new Uint8Array(), ...answer }
      : plain.sandbox.transport(request, control);
  const flags = account === undefined ? "" : ` --account ${account}`;
  return { world: createWorld({ transport, files: { ".incident.yaml": "services: {}\n" } }), flags };
}

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly hint?: string;
}

async function examine({ flags, world }: ReturnType<typeof worldWith>) {
  const { exitCode, stdout } = await world.run(`doctor -o json${flags}`);
  const { checks } = JSON.parse(stdout) as { checks: readonly Finding[] };
  const found = checks.filter(({ check }) => check === "contract");
  return { exitCode, found, said: found.map(({ message, status }) => `${status}: ${message}`) };
}

type Change = (document: Document, schemas: Document) => void;
type Row = readonly [name: string, change: Change, before: string, after: "content" | "the same"];

const update = (schemas: Document) => schemas.CreateIncidentUpdate;

const rows: readonly Row[] = [
  [
    "a severity lost",
    (_, s) => s.IncidentSeverity.enum.shift(),
    "wrong: severity: enum MAJOR, MEDIUM, MINOR",
    "content",
  ],
  [
    "a shorter name",
    (_, s) => {
      s.CreateIncident.properties.name.maxLength = 100;
    },
    "wrong: name: maxLength 100",
    "content",
  ],
  [
    "a severity that is no text",
    (_, s) => {
      s.CreateIncident.properties.severity = { type: "integer" };
    },
    "note: no definition can satisfy a rule of openapi.json: severity: type integer",
    "the same",
  ],
  [
    "two services at least",
    (_, s) => {
      s.CreateIncident.properties.services.minItems = 2;
    },
    "wrong: services: minItems 2",
    "content",
  ],
  [
    "exactly one update",
    (_, s) => Object.assign(s.CreateIncident.properties.incidentUpdates, { minItems: 1, maxItems: 1 }),
    "wrong: incidentUpdates: maxItems 1",
    "content",
  ],
  [
    "exactly one update, as hapi-swagger writes it",
    (_, s) => Object.assign(s.CreateIncident.properties.incidentUpdates, { "x-constraint": { length: 1 } }),
    "wrong: incidentUpdates: maxItems 1",
    "content",
  ],
  [
    "a new required field",
    (_, s) => {
      s.CreateIncident.properties.region = { type: "string" };
      s.CreateIncident.required.push("region");
    },
    "note: no definition can satisfy a rule of openapi.json: region is required",
    "the same",
  ],
  [
    "the day of a service",
    (_, s) => s.CreateService.required.push("created_at"),
    "wrong: services[].created_at is required",
    "content",
  ],
  [
    "the status of an update",
    (_, s) => update(s).required.push("status"),
    "wrong: incidentUpdates[].status is required",
    "content",
  ],
  [
    "no field that every create has",
    (_, s) => {
      delete update(s).properties.notifySubscribers;
    },
    "note: no definition can satisfy a rule of openapi.json: incidentUpdates[] has no other fields than created_at, description, id, publicIncidentUpdateDate, status",
    "the same",
  ],
];

const ok = ["ok: openapi.json requires no more than the built-in rules"];

describe("the contract in doctor", () => {
  it("is what the sandbox publishes", async () => {
    const { exitCode, said } = await examine(worldWith({ body: Buffer.from(JSON.stringify(copy())) }));
    expect({ exitCode, said }).toEqual({ exitCode: 0, said: ok });
  });

  it.each(rows)(
    "with %s is judged by its effect, and after contract pull %4$s",
    async (_, change, before, after) => {
      const document = copy();
      change(document, document.components.schemas);
      const opened = worldWith({ body: Buffer.from(JSON.stringify(document)) });
      const first = await examine(opened);
      expect(first.said).toContain(before);
      expect(first.exitCode).toBe(before.startsWith("wrong") ? 6 : 0);
      const hint = first.found.find(({ message }) => before.endsWith(message))?.hint ?? "";
      expect(hint.includes("incident contract pull")).toBe(after === "content");
      const pulled = await opened.world.run("contract pull");
      expect(pulled.exitCode, pulled.stderr).toBe(0);
      const second = await examine(opened);
      expect(second.said).toEqual(
        after === "content" ? [`${ok[0]} and incident.contract.json`] : expect.arrayContaining([before]),
      );
      expect(second.exitCode).toBe(before.startsWith("wrong") && after === "the same" ? 6 : 0);
    },
  );

  it.each(lifeServices)(
    "finds nothing wrong at %s, whose answers create and get read",
    async (_name, open) => {
      const { env, transport } = await open();
      const world = createWorld({ env, transport });
      expect(await world.run("contract pull")).toMatchObject({ exitCode: 0 });
      const { said } = await examine({ world, flags: "" });
      expect(said).toEqual([expect.stringMatching(/^ok: openapi.json requires no more than/)]);
    },
  );

  it.each([
    [403, "Forbidden"],
    [400, 'header "x-account-ref" is required'],
  ])("names them where the service refuses the header with %d", async (status, message) => {
    const world = createWorld({
      transport: async () => answer({ statusCode: status, error: "No", message }, status),
    });
    const { stderr } = await world.run(`get ${incidentId}`);
    expect(stderr).toContain("INCIDENT_CLI_ACCOUNT_HEADER, or accountHeader in the profile");
  });

  it("without an account in the settings says that each service needs one", async () => {
    const opened = worldWith({ body: Buffer.from(JSON.stringify(copy())) }, "none");
    const first = await examine(opened);
    expect(first).toMatchObject({ exitCode: 6, said: ["wrong: services[].accountId is required"] });
    await opened.world.run(`contract pull${opened.flags}`);
    expect(await examine(opened)).toMatchObject({ exitCode: 0 });
  });

  it.each<[string, Partial<Answered>, number, string]>([
    ["YAML", { body: Buffer.from(stringify(copy())) }, 0, ok[0] as string],
    [
      "35 MB",
      { body: Buffer.from(JSON.stringify({ ...copy(), "x-text": "filler ".repeat(5_000_000) })) },
      0,
      ok[0] as string,
    ],
    [
      "without the create",
      { body: Buffer.from(JSON.stringify({ ...copy(), paths: {} })) },
      0,
      "note: nothing was compared with openapi.json: has no POST /v1/status-pages/incidents",
    ],
    ["HTML", { body: Buffer.from("<html>") }, 0, "is HTML or XML, and not JSON or YAML"],
    ["404", { status: 404 }, 0, "answered 404"],
    ["406", { status: 406 }, 0, "refused the request (406)"],
    ["cut off", { body: Buffer.from("{"), bodyError: "truncated" }, 0, "was not read to its end"],
    [
      "of a proxy",
      { status: 403, body: Buffer.from("<html>") },
      0,
      "a proxy or gateway may stand in between",
    ],
  ])("of a document that is %s", async (_, answer, exitCode, words) => {
    const { exitCode: code, said } = await examine(worldWith(answer));
    expect({ code, said }).toEqual({ code: exitCode, said: [expect.stringContaining(words)] });
  });
});

it.each(["doctor", "contract pull"])(
  "%s marks an operation in a form that incident does not know",
  async (line) => {
    const document = copy();
    // An edit of fields that no incident has.
    const content = { "application/json": { schema: { type: "object", properties: { colour: {} } } } };
    document.paths["/v1/status-pages/incidents/{incidentId}"].patch = {
      requestBody: { content },
      responses: {},
    };
    const { world } = worldWith({ body: Buffer.from(JSON.stringify(document)) });
    const { exitCode, screen } = await world.run(line);
    expect(exitCode).toBe(0);
    expect(screen).toContain("not in its document: list, update, edit (in another form), list services");
  },
);
