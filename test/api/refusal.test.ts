// The fields that the words of a refusal name.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFieldRefusals, refusalText } from "../../src/api/refusal.ts";

const account = ["services", 0, "accountId"];

describe("a refusal names a field", () => {
  it.each<[string, unknown, readonly (readonly [path: readonly (string | number)[], text: string])[]]>([
    [
      "as hapi with Joi",
      {
        statusCode: 400,
        error: "Bad Request",
        message: '"services[0].accountId" is required. "incidentUpdates" must contain 1 items',
        validation: { source: "payload", keys: ["services.0.accountId", "incidentUpdates"] },
      },
      [
        [account, '"services[0].accountId" is required'],
        [["incidentUpdates"], '"incidentUpdates" must contain 1 items'],
      ],
    ],
    [
      "as plain text",
      "services[0].accountId is required; severity must be one of HIGH, LOW",
      [
        [account, "services[0].accountId is required"],
        [["severity"], "severity must be one of HIGH, LOW"],
      ],
    ],
    ["that no definition has", { message: '"region" is required' }, [[["region"], '"region" is required']]],
  ])("%s", (_, body, expected) => {
    expect(readFieldRefusals(body).map(({ path, text }) => [path, text])).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["hides its reason", { statusCode: 400, error: "Bad Request", message: "Invalid request payload input" }],
    [
      "is about a header",
      { message: '"x-team" is required', validation: { source: "headers", keys: ["x-team"] } },
    ],
    [
      "is about a path of the server",
      { timestamp: 1, status: 400, error: "Bad Request", path: "/v1/status-pages" },
    ],
    ["quotes a token", { message: 'Unexpected token "x" in JSON at position 4' }],
    ["is a page", "<html><body>Bad Request: the name of the host is missing</body></html>"],
    ["names its request", { id: "4711", name: "BadRequest", message: "No." }],
    ["is empty", ""],
  ])("not, when it %s", (_, body) => {
    expect(readFieldRefusals(body)).toEqual([]);
  });
});

describe("the words of a refusal", () => {
  it.each<[unknown, string | undefined]>([
    [{ statusCode: 400, error: "Bad Request", message: "No." }, "No."],
    [{ title: "Not valid", detail: "The name is too long." }, "The name is too long."],
    ["too many services", "too many services"],
    [{ code: 17 }, undefined],
    [undefined, undefined],
  ])("of %j are %j", (body, text) => {
    expect(refusalText(body)).toBe(text);
  });
});

it("is bounded for any body", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), fc.string({ maxLength: 200 }), (body, text) => {
      const wide = Array.from({ length: 3000 }, (_, at) => ({ path: `services[${at}].id`, message: text }));
      const found = [body, [body, wide], text.repeat(200), { message: text }].flatMap(readFieldRefusals);
      expect(found.length).toBeLessThanOrEqual(80);
      for (const { path, text } of found) {
        expect(path.length).toBeLessThanOrEqual(20);
        expect(text.length).toBeLessThanOrEqual(350);
      }
    }),
    { numRuns: 200 },
  );
});
