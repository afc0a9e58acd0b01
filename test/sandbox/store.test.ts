import { expect, it } from "vitest";
import type { Incident } from "../../src/sandbox/create-incident.ts";
import { createStore } from "../../src/sandbox/store.ts";

const incident = (id: string, name: string): Incident => ({
  id,
  name,
  severity: "MINOR",
  services: [],
  incidentUpdates: [],
  lastUpdateStatus: "INVESTIGATING",
  duration: null,
  created_at: "2026-03-10",
  updated_at: "2026-03-10",
});

it("counts an incident with the content or client id of an earlier one as a duplicate, once", () => {
  const store = createStore();
  store.put({ incident: incident("1", "a"), clientId: "x" });
  store.put({ incident: incident("2", "a"), clientId: "y" });
  store.put({ incident: incident("3", "b"), clientId: "X" });
  store.put({ incident: incident("4", "b"), clientId: "x" });
  store.put({ incident: incident("5", "c") });
  expect(store.counts()).toEqual({ created: 5, duplicates: 3 });
});

it("counts no duplicate of an incident that was resolved after it was declared", () => {
  const store = createStore();
  store.put({ incident: incident("1", "a") });
  store.put({ incident: { ...incident("1", "a"), lastUpdateStatus: "RESOLVED" }, replaces: true });
  store.put({ incident: { ...incident("2", "a"), lastUpdateStatus: "RESOLVED" } });
  expect(store.counts()).toEqual({ created: 2, duplicates: 0 });
  store.put({ incident: incident("3", "a") });
  expect(store.counts()).toEqual({ created: 3, duplicates: 1 });
});

it("stores two incidents with one id and finds the newer; replace leaves one", () => {
  const store = createStore();
  store.put({ incident: incident("1", "a"), clientId: "1" });
  store.put({ incident: incident("1", "b"), clientId: "1" });
  expect(store.incidents().map(({ name }) => name)).toEqual(["a", "b"]);
  expect(store.find("1")?.name).toBe("b");
  store.put({ incident: incident("1", "c"), replaces: true });
  expect(store.incidents().map(({ name }) => name)).toEqual(["c"]);
  expect(store.counts()).toEqual({ created: 2, duplicates: 1 });
});

it("stores ten thousand incidents", () => {
  const store = createStore();
  for (let n = 0; n < 10_000; n += 1)
    store.put({ incident: incident(`id-${n}`, `n${n}`), clientId: `id-${n}` });
  expect(store.counts()).toEqual({ created: 10_000, duplicates: 0 });
  expect(store.find("id-0")?.name).toBe("n0");
});
