// Replaces the names of services in a definition by the services of the catalog. Loads neither the YAML parser nor zod.
import {
  type Diagnostic,
  type DiagnosticMessage,
  errorAt,
  type Locate,
  maxDiagnostics,
  type Path,
} from "../diagnostic.ts";
import type { Service } from "../incident/definition.ts";
import { isGuid } from "../rules/forms.ts";
import { quote } from "../rules/quote.ts";
import { advise, argv } from "../text/advice.ts";
import { firstOf } from "../text/lengths.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { fieldOf, isMapping } from "../untrusted-data.ts";

/** The services that definitions can name: those of the project file, and those of the user's profile. */
export interface Catalog {
  readonly file: string;
  readonly services: ReadonlyMap<string, Service>;
  /** The errors in the catalog itself. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Replaces the names of services by the services of the catalog. */
export function resolveServices(value: unknown, catalog: Catalog, locate: Locate) {
  const entries = fieldOf(value, "services");
  if (!Array.isArray(entries) || !entries.some((entry) => typeof entry === "string" || isWithoutId(entry))) {
    return { value, diagnostics: [], incomplete: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const incomplete: Path[] = [];
  const services = entries.map((entry, index) => {
    const service = typeof entry === "string" ? catalog.services.get(entry) : entry;
    const isTold = diagnostics.length <= maxDiagnostics && catalog.diagnostics.length === 0;
    const alone = isWithoutId(entry) && isTold ? nameAlone(entry.name, catalog) : undefined;
    if (alone !== undefined) {
      incomplete.push(["services", index, "id"]);
      diagnostics.push(errorAt("missing-field", alone, locate(["services", index])));
      return { ...placeholder, ...entry };
    }
    if (service !== undefined) return service;
    incomplete.push(["services", index]);
    if (isTold) {
      const words = isGuid(entry) ? idAlone(entry) : unknownService(entry, catalog, alternative);
      diagnostics.push(errorAt("unknown-service", words, locate(["services", index])));
    }
    return placeholder;
  });
  return { value: { ...(value as object), services }, diagnostics, incomplete };
}

/** Replaces an unknown name, so that the check of the definition can go on. Never sent. */
const placeholder: Service = { name: "unknown", id: "00000000-0000-0000-0000-000000000000" };

/** An entry with a name alone. */
function isWithoutId(entry: unknown): entry is { readonly name: string } {
  return isMapping(entry) && typeof entry.name === "string" && !Object.hasOwn(entry, "id");
}

const indexes = new WeakMap<Catalog, ReturnType<typeof indexOf>>();

/** In lower case: the entries by their names and those of their services, and these names by the id. */
function indexOf({ services }: Catalog) {
  const keys = new Map<string, string>();
  const names = new Map<string, string[]>();
  for (const [key, { id, name }] of services) {
    const own = names.get(id.toLowerCase()) ?? [];
    names.set(id.toLowerCase(), own);
    for (const each of [key.toLowerCase(), name.toLowerCase()]) {
      own.push(each);
      keys.set(each, key);
    }
  }
  return { keys, names };
}

function indexed(catalog: Catalog) {
  const index = indexes.get(catalog) ?? indexOf(catalog);
  indexes.set(catalog, index);
  return index;
}

/** For the name of a service of the catalog, or one that is near it. */
function nameAlone(name: string, catalog: Catalog): DiagnosticMessage | undefined {
  const { keys } = indexed(catalog);
  const own = keys.get(name.toLowerCase());
  const meant = own ?? nearest(name, [...catalog.services.keys()]);
  if (meant === undefined) return undefined;
  const id = catalog.services.get(meant)?.id;
  const hint = `write - ${meant}, as the catalog names it`;
  return {
    message: "id is missing",
    hint: own === undefined ? withSuggestion(hint, meant) : `${hint}, or add id: ${id}`,
  };
}

/** A warning for each service that has the id of an entry of the catalog, and neither of its names. */
export function findOtherServices(
  services: readonly Service[],
  catalog: Catalog,
  locate: Locate,
): readonly Diagnostic[] {
  const { keys, names } = indexed(catalog);
  return services.flatMap(({ id, name }, index): Diagnostic[] => {
    const [first, ...others] = names.get(id.toLowerCase()) ?? [];
    if (first === undefined || [first, ...others].includes(name.toLowerCase())) return [];
    const key = keys.get(first) ?? first;
    const message = `the catalog has this id for ${key}, and not for ${quote(name)}`;
    const hint = `write - ${key}, or the id of ${name}`;
    const location = locate(["services", index, "id"]);
    return [{ code: "other-service", level: "warning", message, hint, location }];
  });
}

const alternative = ", or write the service's id and name";

function idAlone(id: string): DiagnosticMessage {
  const message = `${id} is the id of a service, and its name is missing`;
  return { message, hint: `write its name as well: { name: …, id: ${id} }` };
}

export const importAdvice = advise`${argv`incident services import`} adds those that the service lists, or with an ID those of an incident`;

/** The message for a name that is not in the catalog. `alternative` completes the hint. */
export function unknownService(
  name: string,
  { file, services }: Catalog,
  alternative: string,
): DiagnosticMessage {
  const names = [...services.keys()];
  const suggestion = nearest(name, names);
  const message = `${quote(name)} is not in the catalog of services`;
  const choices = `write one of ${firstOf(names)}`;
  if (suggestion !== undefined) return { message, hint: withSuggestion(choices + alternative, suggestion) };
  const add = advise`add it under "services:" in ${file}${alternative}; ${importAdvice}`;
  return {
    message,
    hint: names.length === 0 ? add : advise`${choices}, ${add}`,
    example: catalogExample(name, file),
  };
}

/** The lines that add a service. The id is not a GUID, so that a copied example cannot name a wrong service. */
export function catalogExample(name: string, file: string): string {
  const key = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : JSON.stringify(name);
  return `# ${file}\nservices:\n  ${key}: { id: CHANGEME, name: ${key} }`;
}
