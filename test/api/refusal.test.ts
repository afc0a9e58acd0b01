// The words of a refusal, and whether they may be about the id.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canConcernId, refusalText } from "../../src/api/answer.ts";

describe("a refusal may be about the id", () => {
  it.each<[boolean, unknown]>([
    [true, { statusCode: 400, error: "Bad Request", message: '"id" is not allowed' }],
    [true, { message: "incident_id must be a number" }],
    [true, { message: '"incident_id" is not allowed' }],
    [true, { message: "id is not a known field" }],
    [true, { statusCode: 400, error: "Bad Request", message: "Invalid request payload input" }],
    [true, ""],
    [false, { message: '"services[0].id" must be a GUID' }],
    [false, { message: '"id" is not allowed. "severity" must be one of [HIGH]' }],
    [false, "services[0].accountId is required; severity must be one of HIGH, LOW"],
    [false, { message: '"region" is required' }],
    [false, { message: '"name" length must be less than or equal to 100 characters long' }],
    [false, { message: '"id" is not allowed', validation: { source: "headers", keys: ["id"] } }],
  ])("%s for %j", (may, body) => {
    expect(canConcernId(body)).toBe(may);
  });
});

describe("the words of a refusal", () => {
  it.each<[unknown, string | undefined]>([
    [{ statusCode: 400, error: "Bad Request", message: "No." }, "No."],
    [{ title: "Not valid", detail: "The name is too long." }, "The name is too long."],
    ["too many services", "too many services"],
    [{ error: { code: 17, message: "No such account." } }, "No such account."],
    [{ errors: [{ code: 17 }, { detail: "No such account." }] }, "No such account."],
    [{ code: 17 }, undefined],
    [undefined, undefined],
  ])("of %j are %j", (body, text) => {
    expect(refusalText(body)).toBe(text);
  });
});

it("is bounded for any body", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), fc.string({ maxLength: 200 }), (body, text) => {
      for (const each of [body, text.repeat(200), { message: text.repeat(200) }]) {
        expect(typeof canConcernId(each)).toBe("boolean");
        expect(refusalText(each)?.length ?? 0).toBeLessThanOrEqual(350);
      }
    }),
    { numRuns: 200 },
  );
});
