// Merges the services of incidents into the catalog: a pure function from a service to the entry that it belongs in.
import type { Service } from "../../incident/definition.ts";
import type { Catalog } from "../../source/catalog.ts";

/** The effect of an import on an entry. */
type Outcome = "added" | "changed" | "same";

export interface MergedEntry {
  readonly name: string;
  readonly outcome: Outcome;
  readonly service: Service;
}

/** Merges a service into the entry with its id, or else into a new entry named after it. */
export function mergeService(
  service: Service,
  catalog: Catalog,
  entries: ReadonlyMap<string, MergedEntry>,
): MergedEntry {
  const services = new Map([
    ...catalog.services,
    ...[...entries.values()].map((entry) => [entry.name, entry.service] as const),
  ]);
  const match = [...services].find(([, other]) => other.id.toLowerCase() === service.id.toLowerCase());
  if (match === undefined) return { name: freeName(service.name, services), outcome: "added", service };
  const [name, current] = match;
  const merged = entries.get(name);
  if (merged !== undefined) return merged;
  return { name, outcome: isSame(current, service) ? "same" : "changed", service };
}

function isSame(one: Service, other: Service): boolean {
  const text = (service: Service) => JSON.stringify(Object.entries(service).sort());
  return text(one) === text(other);
}

/** A name that is easy to type: `Public API` becomes `public-api`, or `public-api-2` where that name is taken. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ["service"];
  const base = words.join("-");
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
