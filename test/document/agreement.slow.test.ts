// The local check with the contract of a service's document, beside that service: hapi and Joi, which generate the
// document from the rules that they check. Nothing of the check is shared.
import Joi from "joi";
import { describe, expect, it } from "vitest";
import { createBodyCheck } from "../../src/document/check-body.ts";
import { contractOf } from "../../src/document/contract-of.ts";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { checkSources, defaultLoadOptions } from "../../src/source/definitions.ts";
import { definition } from "../harness/builders.ts";
import { accountId, apiKey, incidentsPath } from "../sandbox/requests.ts";
import { type HapiServer, type HapiServerOptions, startHapiServer } from "../service/hapi-server.ts";

/** The check of a definition with the rules of the document that the server publishes. */
async function openCheck({ server }: HapiServer) {
  const { payload } = await server.inject("/openapi.json");
  const { create } = contractOf(JSON.parse(payload));
  const check = createBodyCheck(
    { formatVersion: 1, source: { from: "" }, create, operations: {} },
    accountId,
  );
  return (value: unknown) =>
    checkSources([{ file: "x.yaml", bytes: Buffer.from(JSON.stringify(value, null, 1)) }], {
      ...defaultLoadOptions(),
      contract: check,
    });
}

/** The status of a create with the body that is sent for the definition. */
async function declare({ server }: HapiServer, value: unknown): Promise<number> {
  const { statusCode } = await server.inject({
    method: "POST",
    url: incidentsPath,
    headers: { authorization: `Bearer ${apiKey}`, "x-service-account": accountId },
    payload: createBody(value as Definition, undefined, accountId) as object,
  });
  return statusCode;
}

const [service] = definition().services;
const two = [service, { ...service, id: "8a1d3c52-7425-40de-944b-e07fc1f90ae7" }];
const [update] = definition().incidentUpdates;
const later = (hours: number) => ({ ...update, description: `We look, hour ${hours}.` });
const text = Joi.string();

describe.each(["v2", "v3.0"] as const)("in the dialect %s, a rule of the service", (dialect) => {
  it.each<[string, HapiServerOptions["rules"], object, object, string]>([
    ["name at most 100", { body: { name: text.max(100).required() } }, { name: "x".repeat(101) }, {}, "name"],
    [
      "a severity lost",
      { body: { severity: text.valid("MAJOR", "MINOR").required() } },
      { severity: "CRITICAL" },
      {},
      "severity",
    ],
    ["services at least 2", { services: (list) => list.min(2) }, {}, { services: two }, "services"],
    ["services at most 1", { services: (list) => list.max(1) }, { services: two }, {}, "services"],
    [
      "exactly one update",
      { incidentUpdates: (list) => list.length(1) },
      { incidentUpdates: [update, later(1)] },
      {},
      "incidentUpdates",
    ],
    [
      "updates at most 2",
      { incidentUpdates: (list) => list.max(2) },
      { incidentUpdates: [update, later(1), later(2)] },
      {},
      "incidentUpdates",
    ],
    [
      "description at most 20",
      { update: { description: text.max(20).required() } },
      { incidentUpdates: [{ description: "We are looking into it." }] },
      { incidentUpdates: [{ description: "We look." }] },
      "description",
    ],
    [
      "the day of a service",
      { service: { created_at: text.required() } },
      {},
      { services: [{ ...service, created_at: "2026-01-02" }] },
      "created_at",
    ],
    [
      "the status of an update",
      { update: { status: text.required() } },
      {},
      { incidentUpdates: [{ ...update, status: "RESOLVED" }] },
      "status",
    ],
    [
      "the date of an update",
      { update: { publicIncidentUpdateDate: text.required() } },
      {},
      { incidentUpdates: [{ ...update, publicIncidentUpdateDate: "2026-01-02T03:04Z" }] },
      "publicIncidentUpdateDate",
    ],
  ])("%s is refused by both, at its place, and kept by both", async (_, rules = {}, broken, kept, field) => {
    const server = await startHapiServer({ dialect, rules });
    try {
      const check = await openCheck(server);
      const wrong = { ...definition(), ...broken };
      const { diagnostics } = check(wrong);
      expect(diagnostics.map(({ code }) => code)).toEqual(["contract"]);
      expect(diagnostics[0]?.message).toContain(field);
      // A missing field is reported where the mapping starts that lacks it.
      expect(diagnostics[0]?.location.source).toMatch(new RegExp(`"${field}"|^\\s*\\{$`));
      expect(await declare(server, wrong)).toBe(400);
      const right = { ...definition(), ...kept };
      expect(check(right).diagnostics).toEqual([]);
      expect(await declare(server, right)).toBe(201);
    } finally {
      await server.close();
    }
  });
});
