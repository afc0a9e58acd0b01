import { describe, expect, it } from "vitest";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { incidentFacts, isResolved, parseIncident } from "../../src/incident/wire.ts";
import { access, incidentId as id, service } from "../harness/builders.ts";

const account = access.accountId;

const least: Definition = {
  incidentUpdates: [{ description: "We are looking into it." }],
  services: [{ id: service.id, name: service.name }],
  severity: "MAJOR",
  name: "Checkout fails",
};

describe("the body of a create (spec 4.2)", () => {
  it("has the order of the spec, `notifySubscribers`, the account in each service, and no absent field", () => {
    const withAccount = `{"name":"Checkout","id":"${service.id}","accountId":"${account}"}`;
    expect(JSON.stringify(createBody(least, id, account))).toBe(
      `{"name":"Checkout fails","severity":"MAJOR","services":[${withAccount}],` +
        `"incidentUpdates":[{"description":"We are looking into it.","notifySubscribers":false}],"id":"${id}"}`,
    );
  });

  it("has every field of the definition, in the order of the spec", () => {
    const full: Definition = {
      duration: 5,
      updated_at: "2026-03-02",
      created_at: "2026-03-01",
      ...least,
      services: [{ updated_at: null, created_at: "2025-01-01", accountId: id, ...service }],
      incidentUpdates: [
        {
          status: "RESOLVED",
          notifySubscribers: true,
          created_at: "2026-03-01",
          publicIncidentUpdateDate: "2026-03-01T09:30Z",
          id,
          description: "Fixed.",
        },
      ],
    };
    expect(JSON.stringify(createBody(full, id, account))).toBe(
      `{"name":"Checkout fails","severity":"MAJOR","services":[{"name":"Checkout","id":"${service.id}",` +
        `"accountId":"${id}","created_at":"2025-01-01","updated_at":null}],"incidentUpdates":[{"description":"Fixed.",` +
        `"id":"${id}","publicIncidentUpdateDate":"2026-03-01T09:30:00Z","created_at":"2026-03-01",` +
        `"notifySubscribers":true,"status":"RESOLVED"}],"id":"${id}","created_at":"2026-03-01",` +
        `"updated_at":"2026-03-02","duration":5}`,
    );
  });

  it("has no accountId where neither the definition nor the settings have an account", () => {
    expect(createBody(least, id, undefined).services).toEqual([service]);
  });

  it.each([
    ["2026-03-01T09:30Z", "2026-03-01T09:30:00Z"],
    ["2026-03-01T09:30+01:00", "2026-03-01T09:30:00+01:00"],
    ["2026-03-01T09:30:15.5-05:30", "2026-03-01T09:30:15.5-05:30"],
  ])("sends the date-time %s as %s", (publicIncidentUpdateDate, sent) => {
    const incidentUpdates = [{ description: "Fixed.", publicIncidentUpdateDate }];
    const body = createBody({ ...least, incidentUpdates }, id, account);
    expect(body.incidentUpdates[0]?.publicIncidentUpdateDate).toBe(sent);
  });

  it("has no id for an undefined id, even if the definition has one", () => {
    expect(createBody({ ...least, id }, undefined, account)).not.toHaveProperty("id");
  });

  it("has the given id instead of the definition's", () => {
    expect(createBody({ ...least, id: service.id }, id, account).id).toBe(id);
  });
});

describe("a response", () => {
  it("is an incident if it is an object with a string as id", () => {
    expect(parseIncident({ id, severity: 3, extra: [] })).toEqual({ id, severity: 3, extra: [] });
  });

  it.each([null, undefined, "x", 5, [], [{ id }], {}, { id: 5 }, { id: null }])(
    "%j is not an incident",
    (body) => {
      expect(parseIncident(body)).toBeUndefined();
    },
  );

  it("gives the facts of spec 2.1", () => {
    const facts = incidentFacts({
      id,
      name: "Checkout fails",
      severity: "MAJOR",
      lastUpdateStatus: "RESOLVED",
      services: [service],
      incidentUpdates: [
        {
          status: "RESOLVED",
          description: "Fixed.",
          publicIncidentUpdateDate: "2026-03-01T09:30Z",
          created_at: "2026-03-01",
          notifySubscribers: true,
        },
        { description: "Found.", created_at: "2026-03-01" },
      ],
      duration: 12,
      created_at: "2026-03-01",
      updated_at: null,
    });
    expect(facts).toEqual({
      id,
      name: "Checkout fails",
      severity: "MAJOR",
      status: "RESOLVED",
      services: [{ id: service.id, name: "Checkout" }],
      updates: [
        { status: "RESOLVED", description: "Fixed.", at: "2026-03-01T09:30Z", notified: true, lines: [] },
        { status: undefined, description: "Found.", at: "2026-03-01", notified: undefined, lines: [] },
      ],
      lines: [{ label: "created", value: "2026-03-01" }],
    });
  });

  it.each([
    ["in another letter case", { severity: "major", lastUpdateStatus: "Resolved" }, "RESOLVED"],
    ["unknown", { lastUpdateStatus: "ARCHIVED", incidentUpdates: [{ status: "RESOLVED" }] }, "ARCHIVED"],
    [
      "that only the last update tells",
      {
        incidentUpdates: [
          { status: "resolved", publicIncidentUpdateDate: "2026-03-01T10:00:00Z" },
          { status: "INVESTIGATING", publicIncidentUpdateDate: "2026-03-01T10:30:00+01:00" },
          { description: "Thank you.", publicIncidentUpdateDate: "2026-03-01T11:00:00Z" },
        ],
      },
      "RESOLVED",
    ],
    [
      "of updates without times",
      { lastUpdateStatus: null, incidentUpdates: [{ status: "IDENTIFIED" }, { status: "monitoring" }] },
      "MONITORING",
    ],
    ["that nothing tells", { lastUpdateStatus: "", incidentUpdates: [{ description: "x" }] }, undefined],
  ])("has a status %s", (_, fields, status) => {
    expect(incidentFacts({ id, ...fields }).status).toBe(status);
    expect(isResolved({ id, ...fields })).toBe(status === "RESOLVED");
  });

  it("has the letter case of the specification in its severity and statuses", () => {
    const incidentUpdates = [{ status: "identified", description: "Found." }];
    expect(incidentFacts({ id, severity: "Major", incidentUpdates })).toMatchObject({
      severity: "MAJOR",
      updates: [{ status: "IDENTIFIED" }],
    });
  });

  it("has its services as objects, ids or names", () => {
    const services = [service, service.id.toUpperCase(), "Checkout", { serviceId: service.id }];
    expect(incidentFacts({ id, services }).services).toEqual([
      service,
      { id: service.id.toUpperCase() },
      { name: "Checkout" },
      { id: service.id },
    ]);
  });

  it("keeps unexpected values", () => {
    const facts = incidentFacts({
      id,
      name: { en: "x" },
      severity: 3,
      services: ["Checkout", null],
      incidentUpdates: ["Fixed."],
    });
    expect(facts.name).toBe('{"en":"x"}');
    expect(facts.severity).toBe("3");
    expect(facts.services).toEqual([
      { id: undefined, name: "Checkout" },
      { id: undefined, name: undefined },
    ]);
    expect(facts.updates[0]?.description).toBe("Fixed.");
  });
});
