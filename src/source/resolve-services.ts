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
import { fieldOf } from "../untrusted-data.ts";

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
  if (!Array.isArray(entries) || !entries.some((entry) => typeof entry === "string")) {
    return { value, diagnostics: [], incomplete: [] };
  }
  const diagnostics: Diagnostic[] = [];
  const incomplete: Path[] = [];
  const services = entries.map((entry, index) => {
    const service = typeof entry === "string" ? catalog.services.get(entry) : entry;
    if (service !== undefined) return service;
    incomplete.push(["services", index]);
    if (diagnostics.length <= maxDiagnostics && catalog.diagnostics.length === 0) {
      const words = isGuid(entry) ? idAlone(entry) : unknownService(entry, catalog, alternative);
      diagnostics.push(errorAt("unknown-service", words, locate(["services", index])));
    }
    return placeholder;
  });
  return { value: { ...(value as object), services }, diagnostics, incomplete };
}

/** Replaces an unknown name, so that the check of the definition can go on. Never sent. */
const placeholder: Service = { name: "unknown", id: "00000000-0000-0000-0000-000000000000" };

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
