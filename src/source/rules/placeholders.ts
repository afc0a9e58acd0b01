// Finds the placeholders that `incident new` writes, so that a sample can never be declared as it is.
import type { Diagnostic, Locate, Path } from "../../diagnostic.ts";
import { placeholder } from "../../incident/values.ts";

export interface FoundPlaceholders {
  readonly diagnostics: readonly Diagnostic[];
  readonly paths: readonly Path[];
}

export function findPlaceholders(value: unknown, locate: Locate): FoundPlaceholders {
  const paths = [...pathsOf(value, [])];
  const diagnostics = paths.map((path): Diagnostic => {
    const field = path.findLast((step) => typeof step === "string") ?? "the document";
    return {
      code: "placeholder",
      level: "error",
      message: `${field} still has the placeholder ${placeholder}`,
      hint: corrections.get(path[0] === "services" ? `service ${field}` : String(field)) ?? otherCorrection,
      location: locate(path, "value", placeholder),
    };
  });
  return { diagnostics, paths };
}

const otherCorrection = "replace it with the value that you mean";

const corrections: ReadonlyMap<string, string> = new Map([
  ["name", "replace it with the headline that customers read"],
  ["description", "replace it with the text that customers read"],
  ["service name", "replace it with the name of the service, as customers know it"],
  ["service id", "replace it with the id of the service, a GUID"],
]);

function* pathsOf(value: unknown, path: Path): Iterable<Path> {
  if (typeof value === "string") {
    if (value.includes(placeholder)) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* pathsOf(entry, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) yield* pathsOf(field, [...path, name]);
  }
}
