// The sandbox's document alone describes it, for a validator that shares no code with it.
import { describe, expect, it } from "vitest";
import { openapi } from "../../src/sandbox/openapi.ts";
import { createBody, incidentId, serviceId } from "../sandbox/requests.ts";
import { body, incompleteBodies, wrongBodies } from "./create-body.ts";
import { createDocumentValidator } from "./document-validator.ts";
import { bothAnswers, openService } from "./service.ts";

const errorsOf = createDocumentValidator(JSON.parse(JSON.stringify(openapi)));

describe("the published document", () => {
  it.each([...wrongBodies, ...incompleteBodies])("refuses a body for its %s", (_field, wrong) => {
    expect(errorsOf("CreateIncident", JSON.parse(JSON.stringify(wrong)))).toHaveLength(1);
  });

  it("refuses an id that is no GUID, and takes one in either letter case", () => {
    for (const id of ["INC-1", ""]) expect(errorsOf("CreateIncident", { ...createBody, id })).toHaveLength(1);
    for (const id of [incidentId, incidentId.toUpperCase()])
      expect(errorsOf("CreateIncident", { ...createBody, id })).toEqual([]);
  });

  it.each([createBody, body])(
    "takes a body with the fields that the spec lists, and describes its answers",
    async (sent) => {
      expect(errorsOf("CreateIncident", sent)).toEqual([]);
      for (const answer of await bothAnswers(openService(), sent))
        expect(errorsOf("Incident", answer)).toEqual([]);
    },
  );

  it.each([
    [401, { headers: { authorization: undefined } }],
    [403, { headers: { "x-service-account": serviceId } }],
    [404, {}],
  ] as const)("describes the answer with %i", async (status, changes) => {
    const service = openService();
    const { json } = await service.read(incidentId, changes);
    expect(json.statusCode).toBe(status);
    expect(errorsOf("Error", json)).toEqual([]);
    expect(errorsOf("Error", { ...json, statusCode: "500" })).toHaveLength(1);
  });
});
