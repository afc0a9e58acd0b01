// A request as one value: all of it is confirmed but the name of the header that carries the account.
import { describe, expect, it } from "vitest";
import { type ApiRequest, buildRequest, toWire } from "../../src/api/request.ts";
import { digestOf } from "../../src/commands/sending/preview.ts";
import { access, clientSettings, incidentId as id } from "../harness/builders.ts";

const request = buildRequest(clientSettings, {
  method: "PATCH",
  path: `/v1/status-pages/incidents/${id}`,
  query: "notify=true",
  body: { name: "Checkout fails", severity: "MAJOR" },
});
const digest = (...requests: readonly ApiRequest[]) => digestOf(requests);

describe("a request", () => {
  it("is sent with all that it says, and with the key", () => {
    expect(toWire(request, access.apiKey)).toEqual({
      method: "PATCH",
      url: `${access.baseUrl}/v1/status-pages/incidents/${id}?notify=true`,
      body: '{"name":"Checkout fails","severity":"MAJOR"}',
      headers: {
        accept: "application/json",
        authorization: `Bearer ${access.apiKey}`,
        "content-type": "application/json",
        "x-service-account": access.accountId,
      },
    });
  });

  it("has no key where it is shown", () => {
    expect(toWire(request).headers).not.toHaveProperty("authorization");
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
    ["type", { type: "application/xml" as "application/json" }],
  ];

  it("has a case for each part of what it says", () => {
    const { accountHeader: _, ...said } = request;
    expect(new Set(parts.map(([name]) => name))).toEqual(new Set(Object.keys(said)));
  });

  it.each(parts)("changes with %s", (_name, change) => {
    expect(digest({ ...request, ...change })).not.toBe(digest(request));
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
