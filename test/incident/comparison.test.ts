import { describe, expect, it } from "vitest";
import { describeDifferences, differencesOf, hasOtherContent } from "../../src/incident/comparison.ts";
import { createBody } from "../../src/incident/create-body.ts";
import type { Incident } from "../../src/incident/wire.ts";
import { definition, incidentId as id, service } from "../harness/builders.ts";

const search = { name: "Search", id: service.id.replace("6b", "6c") };
const body = createBody(
  definition({ id, incidentUpdates: [{ description: "We are looking into it.", status: "INVESTIGATING" }] }),
  id,
  undefined,
);
const kindOf = (own: typeof body, incident: Incident, isSent = true) =>
  hasOtherContent(own, incident, { isSent })
    ? "other"
    : differencesOf(own, incident).length
      ? "changed"
      : "equal";
const echo: Incident = { ...body, id, lastUpdateStatus: "INVESTIGATING" };
const other = { name: "Search fails", severity: "MINOR" };
const foreign = { services: [search], incidentUpdates: [{ description: "Search is slow." }] };
const long = "Checkout fails for some customers in Europe and in Asia who pay by card";

describe("an incident under an id that was sent", () => {
  it.each([
    ["is equal", {}, "equal"],
    ["says nothing", { name: undefined, severity: null, services: "?", incidentUpdates: undefined }, "equal"],
    ["has another name", { name: other.name }, "changed"],
    ["has another severity", { severity: "MINOR" }, "changed"],
    ["has another name, and its services", { ...foreign, name: other.name, services: [service] }, "changed"],
    ["has another name, and its texts", { ...foreign, name: other.name, ...echo, services: [] }, "changed"],
    ["has another name, and nothing else in common", { ...foreign, name: other.name }, "other"],
    ["has another name and severity", other, "other"],
    ["has other texts and services", foreign, "changed"],
  ])("that %s", (_, fields, kind) => {
    expect(kindOf(body, { ...echo, ...fields })).toBe(kind);
  });
});

describe("a file with an update that is new", () => {
  const added = { description: "The cause is a full disk.", status: "IDENTIFIED" as const };
  const file = createBody(
    definition({ id, incidentUpdates: [...(body.incidentUpdates ?? []), added] }),
    id,
    undefined,
  );

  it("is told that the live incident has none, not that it has the text of another one", () => {
    expect(differencesOf(file, echo)).toEqual([
      { field: "incidentUpdates[1].description", wanted: added.description, found: undefined },
    ]);
  });

  it("is told the text that stands in its place, whatever the order of the list", () => {
    const found = "The cause is a full disc.";
    const live = [{ ...added, description: found }, ...(echo.incidentUpdates as object[])];
    expect(differencesOf(file, { ...echo, incidentUpdates: live })).toEqual([
      { field: "incidentUpdates[1].description", wanted: added.description, found },
    ]);
  });
});

describe("an incident under an id that nobody here has sent", () => {
  it.each([
    ["another name", {}, { name: "Checkout" }, "other"],
    ["the name in another notation", {}, { name: "Checkout&nbsp;fails " }, "equal"],
    ["a name that was cut", { name: long }, { name: long.slice(0, 64) }, "changed"],
    ["a name that was cut visibly", { name: long }, { name: `${long.slice(0, 10)}...` }, "changed"],
    ["the start of the name", { name: long }, { name: "Checkout fails for some customers" }, "other"],
    ["another severity", {}, { severity: "MINOR" }, "other"],
    ["other texts and services", {}, foreign, "changed"],
  ])("with %s", (_, wanted, fields, kind) => {
    expect(kindOf({ ...body, ...wanted }, { ...echo, ...fields }, false)).toBe(kind);
  });
});

it("names each difference, with what the service has", () => {
  const found = { ...echo, ...other, ...foreign, services: ["Checkout", "Shop"], duration: 17 };
  expect(describeDifferences(differencesOf({ ...body, duration: 5 }, found))).toBe(
    'name is "Search fails", not "Checkout fails"; severity is "MINOR", not "MAJOR"; duration is "17", not "5"; ' +
      `services is "${service.id}, Shop", not "${service.id}"; ` +
      'incidentUpdates[0].description is "Search is slow.", not "We are looking into it."',
  );
});

it("compares the status of the update with the same text", () => {
  const updates = (...statuses: (string | undefined)[]) => ({
    ...echo,
    incidentUpdates: statuses.map((status) => ({ description: "We are looking into it.", status })),
  });
  expect(kindOf(body, updates("MONITORING", "investigating"))).toBe("equal");
  expect(kindOf(body, updates(undefined))).toBe("equal");
  expect(differencesOf(body, updates("MONITORING"))).toEqual([
    { field: "incidentUpdates[0].status", wanted: "INVESTIGATING", found: "MONITORING" },
  ]);
  expect(differencesOf(body, updates())).toEqual([
    { field: "incidentUpdates[0].description", wanted: "We are looking into it.", found: undefined },
  ]);
});

it("does not take the text of one update for that of another", () => {
  const [first] = body.incidentUpdates;
  const two = { ...body, incidentUpdates: [{ ...first, description: "Solved." }, ...body.incidentUpdates] };
  const foundIn = (...texts: readonly string[]) =>
    differencesOf(two as typeof body, {
      ...echo,
      incidentUpdates: texts.map((description) => ({ description, status: "INVESTIGATING" })),
    });
  const field = "incidentUpdates[0].description";
  const ours = "We are looking into it.";
  expect(foundIn(ours)).toEqual([{ field, wanted: "Solved.", found: undefined }]);
  expect(foundIn("It is over.", ours)).toEqual([{ field, wanted: "Solved.", found: "It is over." }]);
  expect(foundIn(ours, "It is over.")).toEqual([{ field, wanted: "Solved.", found: "It is over." }]);
  expect(foundIn(ours, "Not ours.", "It is over.")).toEqual([{ field, wanted: "Solved.", found: undefined }]);
});
