// The definition of a create in the simulation, and the same content as another person declares it.
import type { Definition } from "../../src/incident/definition.ts";
import { definition } from "../harness/builders.ts";

export function definitionOf(name: string, id?: string): Definition {
  return definition({
    name,
    // No service has to keep it as it is.
    incidentUpdates: [{ description: "It's  broken & we look.\n" }],
    ...(id !== undefined && { id }),
  });
}

export function bodyOf(name: string): string {
  return JSON.stringify(definitionOf(name));
}
