import { describe, expect, it } from "vitest";
import type { Definition } from "../../src/incident/definition.ts";
import { contentOf, isRedefined } from "../../src/journal/content.ts";
import type { Content } from "../../src/journal/events.ts";
import { definition, incidentId, serviceId } from "../harness/builders.ts";

const account = "abcdefab-2222-4333-8444-555555555555";
const [other, another] = ["22222222-2222-4333-8444-555555555555", "33333333-2222-4333-8444-555555555555"];
const search = "00000000-0000-4000-8000-000000000002";

const digestOf = (fields: Partial<Definition> = {}) =>
  contentOf(definition(fields), incidentId, account).digest;

const checkout = (own?: string) => ({ name: "Checkout", id: serviceId, ...(own && { accountId: own }) });
const searching = (accountId?: string) => ({ name: "Search", id: search, ...(accountId && { accountId }) });
const updates = (fields: object, more: object = {}) => ({
  incidentUpdates: [
    { description: "One", ...fields },
    { description: "Two", ...more },
  ],
});
const morning = { publicIncidentUpdateDate: "2026-11-20T06:31:00Z" };
const noon = { publicIncidentUpdateDate: "2026-11-20T12:00:00Z" };

describe("the digest of a content", () => {
  it.each<[string, Partial<Definition>, Partial<Definition>]>([
    ["a service of the settings' account", { services: [checkout()] }, { services: [checkout(account)] }],
    ["the account in capitals", { services: [checkout()] }, { services: [checkout(account.toUpperCase())] }],
    [
      "the order of services of other accounts",
      { services: [checkout(other), searching(another)] },
      { services: [searching(another), checkout(other)] },
    ],
    ["another service name", { services: [checkout()] }, { services: [{ ...checkout(), name: "Pay" }] }],
    ["a notification", updates({}), updates({ notifySubscribers: true }, { notifySubscribers: true })],
    ["a further update", { incidentUpdates: [{ description: "One" }] }, updates({})],
    ["another status of the first update", updates({}), updates({ status: "IDENTIFIED" })],
    ["another date of the first update", updates(morning), updates(noon)],
    ["white space", { name: "Checkout fails" }, { name: " Checkout  fails\n" }],
  ])("is the same with %s", (_, one, same) => {
    expect(digestOf(same)).toBe(digestOf(one));
  });

  it.each<[string, Partial<Definition>, Partial<Definition>]>([
    ["a service of another account", { services: [checkout()] }, { services: [checkout(other)] }],
    [
      "accounts that change places",
      { services: [checkout(other), searching()] },
      { services: [checkout(), searching(other)] },
    ],
    ["another name", {}, { name: "Search fails" }],
    ["another first text", updates({}), updates({ description: "Three" })],
    ["another severity", {}, { severity: "MINOR" }],
  ])("is another with %s", (_, one, different) => {
    expect(digestOf(different)).not.toBe(digestOf(one));
  });

  it("is of another create with the same id where the first update has another status", () => {
    const [one, initial, other] = [{}, { status: "INVESTIGATING" }, { status: "IDENTIFIED" }].map((fields) =>
      contentOf(definition(updates(fields)), incidentId, account),
    ) as [Content, Content, Content];
    expect([one, initial, other].map((each) => isRedefined(one, each))).toEqual([false, false, true]);
    expect([one, initial, other].map((each) => isRedefined(initial, each))).toEqual([false, false, true]);
  });

  it("ignores the letter case of the account of the settings", () => {
    const services = [checkout(account)];
    const content = contentOf(definition({ services }), incidentId, account.toUpperCase());
    expect(content.digest).toBe(digestOf({ services }));
  });

  it("depends on no id of the incident", () => {
    const one = contentOf(definition(), incidentId, account);
    const other = contentOf(definition({ id: incidentId }), undefined, account);
    expect({ digest: other.digest, id: other.body.id }).toEqual({ digest: one.digest, id: undefined });
    expect(one.body.id).toBe(incidentId);
  });
});
