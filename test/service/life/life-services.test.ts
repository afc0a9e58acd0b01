// The three services, as their own documents describe them: what the tool finds in each.
import { describe, expect, it } from "vitest";
import { findOperations } from "../../../src/document/find-operations.ts";
import { documentOf, lifeServices } from "./life-services.ts";

const fields = ["name", "services", "severity"];

const found = {
  "the sandbox": {
    list: {
      items: ["entries"],
      pageSize: { param: "limit", max: 100 },
      next: { kind: "cursor", param: "nextId" },
    },
    edit: { method: "PUT", properties: expect.arrayContaining(fields) },
    addUpdate: { segment: "incident-updates" },
    services: { items: ["entries"], next: { param: "nextId" } },
  },
  "a service on hapi": {
    list: {
      items: [],
      pageSize: { param: "per_page", max: 50 },
      next: { kind: "page", param: "page", first: 1 },
    },
    edit: { method: "PATCH", properties: fields },
    addUpdate: { segment: "updates" },
    services: { items: [], next: { kind: "page" } },
  },
  "a service with envelopes": {
    list: {
      items: ["data", "items"],
      pageSize: { param: "limit", max: 200 },
      next: { kind: "cursor", param: "cursor" },
    },
    edit: { method: "PUT", properties: fields },
    addUpdate: { segment: "status_updates" },
    services: { items: ["data", "items"], next: { param: "cursor" } },
  },
} as const;

describe.each(lifeServices)("%s", (name, open) => {
  it("describes its operations so that the tool finds them", async () => {
    const operations = findOperations(await documentOf(await open()));
    expect(operations).toMatchObject({ ...found[name as keyof typeof found] });
    expect(operations.accountHeader).toBe("x-service-account");
  });
});
