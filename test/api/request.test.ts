// A request as one value: everything that it says is confirmed, and what carries it is not.
import { describe, expect, it } from "vitest";
import { type ApiRequest, buildRequest, confirmedPart, toWire, withoutKey } from "../../src/api/request.ts";
import { digestOf } from "../../src/commands/sending/preview.ts";
import { access, incidentId as id } from "../harness/builders.ts";

const setting = <T>(value: T) => ({ value, origin: "a test" });
const target = {
  account: setting(access.accountId),
  accountHeader: "x-service-account",
  apiKey: setting(access.apiKey),
  baseUrl: setting(access.baseUrl),
};
const request = buildRequest(target, {
  method: "PATCH",
  id,
  query: "notify=true",
  body: { name: "Checkout fails", severity: "MAJOR" },
});
const digest = (...requests: readonly ApiRequest[]) => digestOf(requests);

describe("a request", () => {
  it("is sent with all that it says and all that carries it", () => {
    const { headers, ...sent } = toWire(request);
    expect(sent).toEqual({
      method: "PATCH",
      url: `${access.baseUrl}/v1/status-pages/incidents/${id}?notify=true`,
      body: '{"name":"Checkout fails","severity":"MAJOR"}',
    });
    const account = { "x-service-account": access.accountId };
    expect(headers).toEqual({ ...request.says, ...request.carries, ...account });
  });

  it("has no key where it is shown", () => {
    expect(JSON.stringify(toWire(withoutKey(request)))).not.toContain(access.apiKey);
  });

  it("takes no header that neither says something nor is in the list of those that carry it", () => {
    // @ts-expect-error: a header that is not in the closed list belongs to what the request says.
    const carried: ApiRequest["carries"] = { "x-notify": "true" };
    // @ts-expect-error: and one of the list is not confirmed.
    const said: ApiRequest["says"] = { accept: "application/json" };
    expect([carried, said]).toHaveLength(2);
  });
});

describe("the digest of a request", () => {
  const parts: readonly (readonly [string, Partial<ApiRequest>])[] = [
    ["method", { method: "PUT" }],
    ["baseUrl", { baseUrl: "https://other.test" }],
    ["path", { path: "/v1/status-pages/incidents" }],
    ["query", { query: "" }],
    ["account", { account: "another" }],
    ["body", { body: { name: "Checkout fails", severity: "MINOR" } }],
    ...Object.keys(request.says).map(
      (name) => [name, { says: { ...request.says, [name]: "another" } }] as const,
    ),
    ["a new header", { says: { ...request.says, "x-notify": "true" } }],
  ];

  it("has a case for each part of what it says", () => {
    const { says, ...others } = confirmedPart(request);
    const names = parts.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(others), ...Object.keys(says)]));
  });

  it.each(parts)("changes with %s", (_name, change) => {
    expect(digest({ ...request, ...change })).not.toBe(digest(request));
  });

  it("does not change with what carries it", () => {
    const carries = { authorization: "Bearer other", "user-agent": "other" };
    expect(digest({ ...request, carries })).toBe(digest(request));
  });

  it("does not change with the name of the header that carries the account", () => {
    expect(digest({ ...request, accountHeader: "x-other" })).toBe(digest(request));
  });

  it("changes with the order and the number of the requests", () => {
    const other = { ...request, method: "PUT" } as const;
    const all = [[request], [request, request], [request, other], [other, request]];
    expect(new Set(all.map((each) => digest(...each))).size).toBe(all.length);
  });
});
