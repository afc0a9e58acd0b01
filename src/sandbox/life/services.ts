// The services that the sandbox lists: three of its own, then those of its incidents.
import type { Incident } from "../create-incident.ts";

export const ownServices = [
  { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" },
  { name: "Search", id: "8a1d5f70-2c3b-4e9a-b6d4-0f1e2d3c4b5a" },
  { name: "Sign-in", id: "c4e7a912-6b5d-4f38-8e01-9d2c3b4a5f6e" },
];

export function servicesOf(incidents: readonly Incident[], accountId: string): Incident["services"] {
  const listed = ownServices.map((service) => ({ ...service, accountId, created_at: "2026-01-01" }));
  const all = [...listed, ...incidents.flatMap(({ services }) => services)];
  const byId = new Map<string, Incident["services"][number]>();
  for (const service of all) {
    const id = service.id.toLowerCase();
    if (!byId.has(id)) byId.set(id, service);
  }
  return [...byId.values()];
}
