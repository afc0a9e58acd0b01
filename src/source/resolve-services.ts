// Replaces the names of services in a definition by the services of the catalog. Loads neither the YAML parser nor zod.
import { type Diagnostic, maxDiagnostics, type Path, type Problem } from "../diagnostic.ts";
import type { Service } from "../incident/definition.ts";
import { isGuid } from "../rules/forms.ts";
import { quote } from "../rules/quote.ts";
import { firstOf } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { fieldOf } from "../untrusted-data.ts";

/** The services that definitions can name, by the names of the project's file. */
export interface Catalog {
  readonly file: string;
  readonly services: ReadonlyMap<string, Service>;
  /** The errors in the catalog itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** By --no-project. */
  readonly isLeftOut?: boolean | undefined;
}

export function resolveServices(value: unknown, catalog: Catalog) {
  const problems: Problem[] = [];
  const incomplete: Path[] = [];
  const entries = fieldOf(value, "services");
  if (!Array.isArray(entries)) return { value, problems, incomplete };
  const services = entries.map((entry, index) => {
    const service = typeof entry === "string" ? catalog.services.get(entry) : entry;
    const isTold = problems.length <= maxDiagnostics && catalog.diagnostics.length === 0;
    const alone = isTold ? nameAlone(entry, catalog) : undefined;
    if (service !== undefined && alone === undefined) return service;
    const path = ["services", index];
    incomplete.push(alone ? [...path, "id"] : path);
    if (isTold) {
      const words = alone ?? (isGuid(entry) ? idAlone(entry) : unknownService(entry, catalog, alternative));
      problems.push({ code: alone ? "missing-field" : "unknown-service", ...words, path });
    }
    return alone ? { ...standIn, ...entry } : standIn;
  });
  return { value: { ...(value as object), services }, problems, incomplete };
}

/** Stands for an unknown name, so that the check of the definition can go on. Never sent. */
const standIn: Service = { name: "unknown", id: "00000000-0000-0000-0000-000000000000" };

/** The hint for an entry with a name and no id, where the catalog has services. */
function nameAlone(entry: unknown, catalog: Catalog) {
  const name = fieldOf(entry, "name");
  if (typeof name !== "string" || Object.hasOwn(entry as object, "id") || catalog.services.size === 0)
    return undefined;
  const { hint } = unknownService(name, catalog, ", or add its id");
  return { message: "id is missing", hint };
}

/** A warning for each service that has the id of an entry of the catalog, and neither of its names. */
export function findOtherServices(services: readonly Service[], catalog: Catalog) {
  const entries = new Map<string, (readonly [key: string, name: string])[]>();
  for (const [key, { id, name }] of catalog.services)
    entries.set(id.toLowerCase(), [...(entries.get(id.toLowerCase()) ?? []), [key, name]]);
  return services.flatMap(({ id, name }, index): Problem[] => {
    const isOther = (own: string) => own.toLowerCase() !== name.toLowerCase();
    const [other] = entries.get(id.toLowerCase())?.find((own) => own.every(isOther)) ?? [];
    if (other === undefined) return [];
    const message = `the catalog has this id for ${other}, and here it stands for ${quote(name)}`;
    const hint = `write ${other} alone, or the id of ${name}, here or in the catalog`;
    const path = ["services", index, "id"];
    return [{ code: "other-service", level: "warning", message, hint, path }];
  });
}

const alternative = ", or write the service's id and name";

function idAlone(id: string) {
  const message = `${id} is the id of a service, and its name is missing`;
  return { message, hint: `write its name as well: { name: …, id: ${id} }` };
}

export const importAdvice =
  "incident services import adds those that the service lists, or with an ID those of an incident";

export const leftOutAdvice = "leave --no-project out to use the catalog";

/** The message for a name that is not in the catalog. `alternative` completes the hint. */
export function unknownService(name: string, { file, isLeftOut, services }: Catalog, alternative: string) {
  const names = [...services.keys()];
  const [named] = [...services].find((own) => own[1].name === name) ?? [];
  const suggestion = named ?? nearest(name, names);
  const message = `${quote(name)} is not in the catalog of services`;
  if (isLeftOut) return { message, hint: leftOutAdvice + alternative };
  const choices = `write one of ${firstOf(names)}`;
  if (suggestion !== undefined) return { message, hint: withSuggestion(choices + alternative, suggestion) };
  const key = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : JSON.stringify(name);
  const add = `add it under "services:" in ${file}${alternative}; ${importAdvice}`;
  return {
    message,
    hint: names.length === 0 ? add : `${choices}, ${add}`,
    // The id is not a GUID, so that a copied example cannot name a wrong service.
    example: `# ${file}\nservices:\n  ${key}: { id: CHANGEME, name: ${key} }`,
  };
}
