// The local check with the contract of a service's document, beside a validator of JSON Schema that this project did not
// write, on the same document. Nothing of the check is shared.
import { describe, expect, it } from "vitest";
import { createBodyCheck } from "../../src/document/check-body.ts";
import { contractOf } from "../../src/document/contract-of.ts";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { checkSources, defaultLoadOptions } from "../../src/source/definitions.ts";
import { definition } from "../harness/builders.ts";
import { type Json, vendorWith } from "../harness/contracts.ts";
import { accountId } from "../sandbox/requests.ts";
import { createDocumentValidator } from "../service/document-validator.ts";

/** The check of a definition with the rules of the document. */
function openCheck(document: Json) {
  const { create } = contractOf(document);
  const file = { formatVersion: 1, source: { from: "" }, create, operations: {} } as const;
  const contract = createBodyCheck(file, accountId);
  return (value: unknown) =>
    checkSources([{ file: "x.yaml", bytes: Buffer.from(JSON.stringify(value, null, 1)) }], {
      ...defaultLoadOptions(),
      contract,
    });
}

const [service] = definition().services;
const two = [service, service];
const [update] = definition().incidentUpdates;
const dated = { ...update, publicIncidentUpdateDate: "2026-01-02T03:04Z" };

describe("a rule of the service", () => {
  it.each<[rule: string, path: string, keywords: Json, broken: object, kept: object, field: string]>([
    [
      "name at most 100",
      "IncidentCreate properties name",
      { maxLength: 100 },
      { name: "x".repeat(101) },
      {},
      "name",
    ],
    ["a severity lost", "Severity", { enum: ["MAJOR", "MINOR"] }, { severity: "CRITICAL" }, {}, "severity"],
    ["services at least 2", "Services", { minItems: 2 }, {}, { services: two }, "services"],
    ["services at most 1", "Services", { maxItems: 1 }, { services: two }, {}, "services"],
    [
      "updates at most 2",
      "IncidentCreate properties incidentUpdates",
      { "x-constraint": {}, maxItems: 2 },
      { incidentUpdates: [update, update, update] },
      { incidentUpdates: [update, update] },
      "incidentUpdates",
    ],
    [
      "description at most 20",
      "IncidentUpdateCreate properties description",
      { maxLength: 20 },
      { incidentUpdates: [{ description: "We are looking into it." }] },
      { incidentUpdates: [{ description: "We look." }] },
      "description",
    ],
    [
      "the day of a service",
      "Service",
      { required: ["name", "id", "created_at"] },
      {},
      { services: [{ ...service, created_at: "2026-01-02" }] },
      "created_at",
    ],
    [
      "the status of an update",
      "IncidentUpdateCreate",
      { required: ["status"] },
      {},
      { incidentUpdates: [{ ...update, status: "RESOLVED" }] },
      "status",
    ],
    [
      "the date of an update",
      "IncidentUpdateCreate",
      { required: ["publicIncidentUpdateDate"] },
      {},
      { incidentUpdates: [dated] },
      "publicIncidentUpdateDate",
    ],
  ])("%s is refused by both, at its place, and kept by both", (_, path, keywords, broken, kept, field) => {
    const document = vendorWith(path, keywords);
    const check = openCheck(document);
    const errorsOf = createDocumentValidator(document);
    const bodyOf = (value: object) =>
      JSON.parse(JSON.stringify(createBody(value as Definition, undefined, accountId)));
    const wrong = { ...definition(), ...broken };
    const { diagnostics } = check(wrong);
    expect(diagnostics.map(({ code }) => code)).toEqual(["contract"]);
    expect(diagnostics[0]?.message).toContain(field);
    // A missing field is reported where the mapping starts that lacks it.
    expect(diagnostics[0]?.location.source).toMatch(new RegExp(`"${field}"|^\\s*\\{$`));
    expect(errorsOf("IncidentCreate", bodyOf(wrong))).toHaveLength(1);
    const right = { ...definition(), ...kept };
    expect(check(right).diagnostics).toEqual([]);
    expect(errorsOf("IncidentCreate", bodyOf(right))).toEqual([]);
  });
});
