// Merges the services of incidents into the catalog: a pure function from a service to the entry that it belongs in.
import type { Service } from "../../incident/definition.ts";
import type { Catalog } from "../../source/resolve-services.ts";

type Outcome = "added" | "changed" | "same";

export interface MergedEntry {
  readonly name: string;
  readonly outcome: Outcome;
  readonly service: Service;
}

export interface ServiceMerge {
  /** The entries so far, each with its effect. */
  readonly entries: ReadonlyMap<string, MergedEntry>;
  /** Merges a service into the entry with its id, or else into a new entry named after it. */
  add(service: Service): void;
}

export function createServiceMerge(catalog: Catalog): ServiceMerge {
  const entries = new Map<string, MergedEntry>();
  const nameOfId = new Map<string, string>();
  for (const [name, { id }] of catalog.services) {
    if (!nameOfId.has(id.toLowerCase())) nameOfId.set(id.toLowerCase(), name);
  }
  const nextNumbers = new Map<string, number>();
  const isTaken = (name: string) => catalog.services.has(name) || entries.has(name);

  /** A name that is easy to type: `Public API` becomes `public-api`, or `public-api-2` where that name is taken. */
  function freeName(base: string): string {
    for (let number = nextNumbers.get(base) ?? 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}-${number}`;
      if (isTaken(candidate)) continue;
      nextNumbers.set(base, number + 1);
      return candidate;
    }
  }

  return {
    entries,
    add(service) {
      const id = service.id.toLowerCase();
      const name = nameOfId.get(id) ?? freeName(simpleName(service.name));
      if (entries.has(name)) return;
      const current = catalog.services.get(name);
      const outcome = current === undefined ? "added" : isSame(current, service) ? "same" : "changed";
      entries.set(name, { name, outcome, service });
      nameOfId.set(id, name);
    },
  };
}

function isSame(one: Service, other: Service): boolean {
  const text = (service: Service) => JSON.stringify(Object.entries(service).sort());
  return text(one) === text(other);
}

/** The letters and digits of a name, in lower case: `Public API` becomes `public-api`. */
function simpleName(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ["service"];
  return words.join("-");
}
