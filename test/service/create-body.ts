// Spec 4.2: the request body row by row, and the sandbox's own rules where 2.5 and 7.4 are silent.
import { beforeEach, describe, expect, it } from "vitest";
import { accountId, createBody, incidentId, serviceId } from "../sandbox/requests.ts";
import { type JsonObject, openService, type TestService, withService, withUpdate } from "./service.ts";

const otherAccount = "99999999-0d3a-4a5e-9b58-6a1f5f0c7d11";

const update = {
  description: "We found it.",
  id: "11111111-2222-3333-4444-555555555555",
  publicIncidentUpdateDate: "2026-03-09T10:00:00+01:00",
  created_at: "2026-03-09",
  notifySubscribers: true,
  status: "IDENTIFIED",
};
const [first] = createBody.services;
const affected = { ...first, accountId: otherAccount, created_at: "2025-01-02", updated_at: null };
const others = { created_at: "2026-03-08", updated_at: "2026-03-09", id: incidentId, duration: 60 };
export const body = { ...createBody, ...others, services: [affected], incidentUpdates: [update] };

type BodyRow = readonly [field: string, body: JsonObject];

/** Bodies that break the row of the field in front. */
export const wrongBodies: readonly BodyRow[] = [
  ["name", { ...body, name: 5 }],
  ["severity", { ...body, severity: "SEVERE" }],
  ["services", { ...body, services: [] }],
  ["incidentUpdates", { ...body, incidentUpdates: {} }],
  ["id", { ...body, id: "INC-1" }],
  ["created_at", { ...body, created_at: "2026-02-30" }],
  ["updated_at", { ...body, updated_at: "2026-03-09T00:00:00Z" }],
  ["duration", { ...body, duration: 1.5 }],
  ["incidentUpdates[0].description", withUpdate({ description: null })],
  ["incidentUpdates[0].id", withUpdate({ id: "1" })],
  ["incidentUpdates[0].publicIncidentUpdateDate", withUpdate({ publicIncidentUpdateDate: "2026-03-09" })],
  [
    "incidentUpdates[0].publicIncidentUpdateDate",
    withUpdate({ publicIncidentUpdateDate: "2026-03-09T10:00Z" }),
  ],
  ["incidentUpdates[0].created_at", withUpdate({ created_at: "yesterday" })],
  ["incidentUpdates[0].notifySubscribers", withUpdate({ notifySubscribers: "no" })],
  ["incidentUpdates[0].status", withUpdate({ status: "DONE" })],
  ["services[0].name", withService({ name: null })],
  ["services[0].id", withService({ id: "checkout" })],
  ["services[0].accountId", withService({ accountId: 7 })],
  ["services[0].created_at", withService({ created_at: null })],
  ["services[0].updated_at", withService({ updated_at: "now" })],
];

/** Bodies without the field in front, which the sandbox wants. */
export const incompleteBodies: readonly BodyRow[] = [
  ["name", { ...createBody, name: undefined }],
  ["severity", { ...createBody, severity: undefined }],
  ["services", { ...createBody, services: undefined }],
  ["incidentUpdates", { ...createBody, incidentUpdates: undefined }],
  ["incidentUpdates[0].description", { ...createBody, incidentUpdates: [{}] }],
  ["services[0].name", { ...createBody, services: [{ id: serviceId, accountId }] }],
  ["services[0].id", { ...createBody, services: [{ name: "Checkout", accountId }] }],
  ["services[0].accountId", { ...createBody, services: [{ name: "Checkout", id: serviceId }] }],
];

export function describeCreateBody(): void {
  let service: TestService;
  beforeEach(() => {
    service = openService();
  });

  describe("spec 4.2 request body", () => {
    it("takes every field that the spec lists and gives it back", async () => {
      const { status, json } = await service.create(body);
      expect(status).toBe(201);
      expect(json).toEqual({ ...body, lastUpdateStatus: "IDENTIFIED" });
    });

    it.each(wrongBodies)(
      "%s: a value that breaks its row is refused with 400, which names it",
      async (field, wrong) => {
        const { status, json } = await service.create(wrong);
        expect(status).toBe(400);
        expect(String(json.message).startsWith(`${field} `)).toBe(true);
      },
    );

    it.each(incompleteBodies)(
      "what is required, not shown (2.5): the sandbox wants %s",
      async (field, incomplete) => {
        const { status, json } = await service.create(incomplete);
        expect({ status, message: json.message }).toEqual({ status: 400, message: `${field} is required` });
      },
    );

    it.each([
      ["severty", { ...createBody, severty: "MAJOR" }],
      ["services[0].team", withService({ team: "payments" })],
      ["incidentUpdates[0].text", withUpdate({ text: "hello" })],
    ])("unknown fields, not shown: the sandbox refuses %s", async (field, extra) => {
      const { status, json } = await service.create(extra);
      expect({ status, message: json.message }).toEqual({
        status: 400,
        message: `${field} is not a known field`,
      });
    });

    it("what is filled in, not shown: today and fresh ids", async () => {
      const { json } = await service.create();
      const today = "2026-03-10";
      expect(json).toMatchObject({
        created_at: today,
        updated_at: today,
        services: [{ created_at: today }],
        incidentUpdates: [{ created_at: today }],
      });
    });

    it("Content-Type: application/json, with parameters or without; anything else, not shown, is 415", async () => {
      const as = async (type?: string) =>
        (await service.create(createBody, { headers: { "content-type": type } })).status;
      expect(await as("Application/JSON; charset=utf-8")).toBe(201);
      expect([await as("text/plain"), await as("application/json-patch+json"), await as(undefined)]).toEqual([
        415, 415, 415,
      ]);
    });

    it.each([
      ["no JSON", "{"],
      ["nothing", ""],
      ["no object", "[]"],
      ["too deep to be one", "[".repeat(500_000)],
      ["no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ])("a body that is %s, not shown: 400", async (_case, raw) => {
      expect((await service.create(raw)).status).toBe(400);
    });

    it("a body of more than 1 MiB, not shown: 413", async () => {
      const ofLength = (length: number) => JSON.stringify(createBody).padEnd(length);
      expect((await service.create(ofLength(1024 * 1024))).status).toBe(201);
      expect((await service.create(ofLength(1024 * 1024 + 1))).status).toBe(413);
    });
  });
}
