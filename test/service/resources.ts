// Spec 2 and 3 without the fields: their notes, the enumerations and the states.
import { beforeEach, describe, expect, it } from "vitest";
import type { Schema } from "../../src/sandbox/check-schema.ts";
import { accountId, createBody, incidentId } from "../sandbox/requests.ts";
import { bothAnswers, type JsonObject, openService, type TestService, withUpdate } from "./service.ts";

const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];
const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"];

const first = (value: unknown): JsonObject => (value as readonly JsonObject[])[0] ?? {};
const updatesOf = (incident: JsonObject) => incident.incidentUpdates as readonly JsonObject[];

export function describeResources(): void {
  let service: TestService;
  beforeEach(() => {
    service = openService();
  });

  describe("spec 2.1 notes", () => {
    it("name: at most 255 characters, counted as Unicode code points", async () => {
      const name = "🔥".repeat(255);
      for (const incident of await bothAnswers(service, { ...createBody, name }))
        expect(incident.name).toBe(name);
      expect((await service.create({ ...createBody, name: "a".repeat(256) })).status).toBe(400);
    });

    it("services and incidentUpdates: all of them, in the order sent", async () => {
      const services = ["Checkout", "Search"].map((name) => ({ name, id: incidentId, accountId }));
      const incidentUpdates = ["one", "two", "three"].map((description) => ({ description }));
      for (const incident of await bothAnswers(service, { ...createBody, services, incidentUpdates })) {
        expect(incident).toMatchObject({ services, incidentUpdates });
      }
    });

    it("duration: null unless it is sent", async () => {
      expect((await service.create()).json.duration).toBeNull();
      expect((await service.create({ ...createBody, duration: 90 })).json.duration).toBe(90);
    });
  });

  describe("spec 2.3 notes", () => {
    it("notifySubscribers: false unless it is sent", async () => {
      expect(first((await service.create()).json.incidentUpdates).notifySubscribers).toBe(false);
      const { json } = await service.create(withUpdate({ notifySubscribers: true }));
      expect(first(json.incidentUpdates).notifySubscribers).toBe(true);
    });

    it("publicIncidentUpdateDate: the schema carries a timestamp; the sandbox takes the time of the create", async () => {
      const { json } = await service.get("/openapi.json");
      const { schemas } = json.components as { schemas: Record<string, Schema> };
      expect(schemas.IncidentUpdate?.properties?.publicIncidentUpdateDate).toMatchObject({
        default: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      });
      const [update] = updatesOf((await service.create()).json);
      expect(update?.publicIncidentUpdateDate).toBe("2026-03-10T08:30:00.000Z");
    });
  });

  describe("spec 2.4 Enumerations", () => {
    it.each(severities)("incident severity: %s", async (severity) => {
      for (const incident of await bothAnswers(service, { ...createBody, severity })) {
        expect(incident.severity).toBe(severity);
      }
    });
  });

  describe("spec 3 States", () => {
    it.each(statuses)("an update and lastUpdateStatus take %s", async (status) => {
      for (const incident of await bothAnswers(service, withUpdate({ status }))) {
        expect(incident).toMatchObject({ lastUpdateStatus: status, incidentUpdates: [{ status }] });
      }
    });

    it("transitions, not shown: the sandbox allows each", async () => {
      const order = ["RESOLVED", "INVESTIGATING", "MONITORING", "IDENTIFIED"];
      const incidentUpdates = order.map((status) => ({ status, description: status }));
      const { json } = await service.create({ ...createBody, incidentUpdates });
      expect(json).toMatchObject({ incidentUpdates, lastUpdateStatus: "IDENTIFIED" });
    });

    it("the state a new incident starts in, not stated: INVESTIGATING in the sandbox", async () => {
      const { json } = await service.create();
      expect(json).toMatchObject({
        lastUpdateStatus: "INVESTIGATING",
        incidentUpdates: [{ status: "INVESTIGATING" }],
      });
      const none = await service.create({ ...createBody, incidentUpdates: [] });
      expect(none.json).toMatchObject({ lastUpdateStatus: "INVESTIGATING", incidentUpdates: [] });
    });

    it("the status of a later update without one, not stated: that of the update before it", async () => {
      const incidentUpdates = [{ description: "a", status: "IDENTIFIED" }, { description: "b" }];
      const { json } = await service.create({ ...createBody, incidentUpdates });
      expect(updatesOf(json).map(({ status }) => status)).toEqual(["IDENTIFIED", "IDENTIFIED"]);
    });

    it("the latest update, not defined: the one with the latest date, whatever its offset", async () => {
      const incidentUpdates = [
        { description: "a", status: "MONITORING", publicIncidentUpdateDate: "2026-01-02T00:30:00+01:00" },
        { description: "b", status: "RESOLVED", publicIncidentUpdateDate: "2026-01-01T23:45:00Z" },
        { description: "c", status: "IDENTIFIED", publicIncidentUpdateDate: "2026-01-02T01:00:00+02:00" },
      ];
      const { json } = await service.create({ ...createBody, incidentUpdates });
      expect(json.lastUpdateStatus).toBe("RESOLVED");
      expect(updatesOf(json).map(({ description }) => description)).toEqual(["a", "b", "c"]);
    });
  });
}
