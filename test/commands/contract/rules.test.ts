// The rules of a document in `incident contract pull`: each by its effect beside the built-in ones.

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
function worldWith(answer: Partial<Answered>) {
  const plain = createWorld();
  const transport: Transport = async (request, control) =>
    request.url.endsWith("/openapi.json")
      ? { phase: "answered", status: 200, headers: {}, body: new Uint8Array(), ...answer }
      : plain.sandbox.transport(request, control);
  return createWorld({ transport, files: { ".incident.yaml": "services: {}\n" } });
}

/** The rules that are saved, and those that are left out. */
async function pull(answer: Partial<Answered>) {
  const { exitCode, stderr, stdout } = await worldWith(answer).run("contract pull -o json");
  const [, leftOut] = /patterns: ([^"]*)"/.exec(stderr) ?? [];
  return { exitCode, rules: JSON.parse(stdout).rules as readonly string[], leftOut };
}

type Change = (document: Document, schemas: Document) => void;
type Row = readonly [name: string, change: Change, is: "added" | "left out", rule: string];

const update = (schemas: Document) => schemas.CreateIncidentUpdate;

const rows: readonly Row[] = [
  [
    "a severity lost",
    (_, s) => s.IncidentSeverity.enum.shift(),
    "added",
    "severity: enum MAJOR, MEDIUM, MINOR",
  ],
  [
    "a shorter name",
    (_, s) => {
      s.CreateIncident.properties.name.maxLength = 100;
    },
    "added",
    "name: maxLength 100",
  ],
  [
    "a severity that is no text",
    (_, s) => {
      s.CreateIncident.properties.severity = { type: "integer" };
    },
    "left out",
    "severity: type integer",
  ],
  [
    "two services at least",
    (_, s) => {
      s.CreateIncident.properties.services.minItems = 2;
    },
    "added",
    "services: minItems 2",
  ],
  [
    "exactly one update",
    (_, s) => Object.assign(s.CreateIncident.properties.incidentUpdates, { minItems: 1, maxItems: 1 }),
    "added",
    "incidentUpdates: maxItems 1",
  ],
  [
    "exactly one update, as hapi-swagger writes it",
    (_, s) => Object.assign(s.CreateIncident.properties.incidentUpdates, { "x-constraint": { length: 1 } }),
    "added",
    "incidentUpdates: maxItems 1",
  ],
  [
    "a new required field",
    (_, s) => {
      s.CreateIncident.properties.region = { type: "string" };
      s.CreateIncident.required.push("region");
    },
    "left out",
    "region is required",
  ],
  [
    "the day of a service",
    (_, s) => s.CreateService.required.push("created_at"),
    "added",
    "services[].created_at is required",
  ],
  [
    "the status of an update",
    (_, s) => update(s).required.push("status"),
    "added",
    "incidentUpdates[].status is required",
  ],
  [
    "no field that every create has",
    (_, s) => {
      delete update(s).properties.notifySubscribers;
    },
    "left out",
    "incidentUpdates[] has no other fields than created_at, description, id, publicIncidentUpdateDate, status",
  ],
];

const own = ["services[].accountId is required"];

describe("the rules of a document", () => {
  it("are the account alone in the one that the sandbox publishes", async () => {
    const pulled = await pull({ body: Buffer.from(JSON.stringify(copy())) });
    expect(pulled).toEqual({ exitCode: 0, rules: own, leftOut: undefined });
  });

  it.each(rows)("with %s are %3$s by their effect", async (_, change, is, rule) => {
    const document = copy();
    change(document, document.components.schemas);
    const { exitCode, leftOut, rules } = await pull({ body: Buffer.from(JSON.stringify(document)) });
    expect({ exitCode, rules, leftOut }).toEqual(
      is === "added"
        ? { exitCode: 0, rules: expect.arrayContaining([rule]), leftOut: undefined }
        : { exitCode: 0, rules: expect.not.arrayContaining([rule]), leftOut: rule },
    );
  });

  it.each(lifeServices)("of %s are saved as its document has them", async (_name, open) => {
    const { env, transport } = await open();
    const world = createWorld({ env, transport });
    expect(await world.run("contract pull")).toMatchObject({ exitCode: 0 });
    expect(await world.run("contract check")).toMatchObject({ exitCode: 0 });
  });

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

  it.each<[string, string]>([
    ["as YAML", stringify(copy())],
    ["of 35 MB", JSON.stringify({ ...copy(), "x-text": "filler ".repeat(5_000_000) })],
  ])("are read %s", async (_, body) => {
    expect(await pull({ body: Buffer.from(body) })).toMatchObject({ exitCode: 0, rules: own });
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
    const world = worldWith({ body: Buffer.from(JSON.stringify(document)) });
    const { exitCode, screen } = await world.run(line);
    expect(exitCode).toBe(0);
    expect(screen).toContain("not in its document: list, update, edit (in another form), list services");
  },
);
