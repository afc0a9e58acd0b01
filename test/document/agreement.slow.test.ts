// Over a thousand generated definitions in two dialects that the built-in rules accept, the verdict of the pulled contract is the one
// of the service that generated the document.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBodyCheck } from "../../src/document/check-body.ts";
import { contractOf } from "../../src/document/contract-of.ts";
import { readDocument } from "../../src/document/read-document.ts";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { accountId, apiKey, incidentsPath } from "../sandbox/requests.ts";
import { type HapiServer, startHapiServer } from "../service/hapi-server.ts";

const guid = fc.uuid();
const date = fc.constantFrom("2026-02-28", "2024-02-29", "2026-11-20");
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
// Joi counts UTF-16 units, and JSON Schema code points: the names are ASCII.
const name = fc.constantFrom(
  "Down",
  "api is slow",
  "x".repeat(39),
  "X".repeat(41),
  "Checkout fails: 5 % of orders",
);

const definition: fc.Arbitrary<Definition> = fc.record({
  name,
  severity: fc.constantFrom("CRITICAL", "MAJOR", "MEDIUM", "MINOR"),
  services: fc.array(
    fc.record({
      name,
      id: guid,
      accountId: optional(guid),
      created_at: optional(date),
      updated_at: optional(fc.option(date)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  incidentUpdates: fc.array(
    fc.record({
      description: name,
      id: optional(guid),
      publicIncidentUpdateDate: optional(fc.constantFrom("2026-03-01T09:30Z", "2026-03-01T09:30:00+01:00")),
      notifySubscribers: optional(fc.boolean()),
      status: optional(fc.constantFrom("INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED")),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  id: optional(guid),
  created_at: optional(date),
  updated_at: optional(date),
  duration: optional(fc.integer({ min: -3, max: 12 })),
});

/** Swagger 2.0 has no keyword for null: a document in it does not say that the service accepts one. */
function withoutNull({ services, ...others }: Definition): Definition {
  return {
    ...others,
    services: services.map((each) => ({ ...each, updated_at: each.updated_at ?? undefined })),
  };
}

describe.each(["v2", "v3.0"] as const)("the contract of a service on hapi, in the dialect %s", (dialect) => {
  let service: HapiServer;
  beforeAll(async () => {
    service = await startHapiServer({
      dialect,
      rules: {
        body: {
          name: Joi.string().min(5).max(40).required(),
          severity: Joi.string().valid("MAJOR", "MINOR", "MEDIUM").required(),
          duration: Joi.number().integer().min(0).max(10),
        },
        services: (list) => list.max(3),
        incidentUpdates: (list) => list.length(1),
      },
    });
  });
  afterAll(() => service.close());

  it("gives the verdict of the service", { timeout: 600_000 }, async () => {
    const document = await readDocument(
      (await service.server.inject("/openapi.json")).rawPayload,
      () => undefined,
    );
    const source = { from: "x" };
    const check = createBodyCheck(
      { formatVersion: 1, source, create: contractOf(document).create },
      accountId,
    );
    const verdicts = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(definition, async (generated) => {
        const given = dialect === "v2" ? withoutNull(generated) : generated;
        const broken = check(given);
        const { statusCode, payload } = await service.server.inject({
          method: "POST",
          url: incidentsPath,
          headers: { authorization: `Bearer ${apiKey}`, "x-service-account": accountId },
          // A repeated id is a conflict, which no contract states.
          payload: createBody(given, randomUUID(), accountId),
        });
        verdicts[statusCode === 201 ? "accepted" : "refused"] += 1;
        expect({ given, payload, broken: broken.length > 0 }).toEqual({
          given,
          payload,
          broken: statusCode !== 201,
        });
      }),
      { numRuns: 600, seed: 19 },
    );
    expect(verdicts.accepted).toBeGreaterThan(25);
    expect(verdicts.refused).toBeGreaterThan(250);
  });
});
