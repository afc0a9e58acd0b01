// The services that a project names once and its definitions use by name: `services:` of the project file. It
// hides where a service's id and account come from.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { catalogSchema } from "../incident/catalog-schema.ts";
import type { Service } from "../incident/definition.ts";
import { nearest } from "../incident/rules.ts";
import { checkValue } from "./check.ts";
import { readText } from "./decode.ts";
import { parseDocuments } from "./documents.ts";
import type { Source } from "./files.ts";
import { quote, withGuess } from "./messages.ts";
import type { Wording } from "./text-errors.ts";

/** The catalog of a project; without a project file, or without services in it, it is empty. */
export interface Catalog {
  /** The project file's name, as a person would find it. */
  readonly file: string;
  readonly services: ReadonlyMap<string, Service>;
  /** What is wrong with the catalog itself. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the catalog of a project file; its other sections are not judged here. */
export function readCatalog(source: Source): Catalog {
  const { file } = source;
  const empty = { file, services: new Map<string, Service>() };
  const read = readText(source);
  if ("refused" in read) return { ...empty, diagnostics: [read.refused] };
  const { documents, diagnostics } = parseDocuments(read.text, file);
  if (diagnostics.length > 0) return { ...empty, diagnostics };
  const [document, second] = documents;
  if (second !== undefined) {
    const location = second.locate([]);
    return { ...empty, diagnostics: [{ code: "yaml-syntax", level: "error", ...oneDocument, location }] };
  }
  const section = fieldOf(document?.value, "services");
  if (document === undefined || section === undefined) return { ...empty, diagnostics };
  const locate: Locate = (path, ...more) => document.locate(["services", ...path], ...more);
  const checked = checkValue(catalogSchema, section, locate);
  const services = new Map(Object.entries(checked.value ?? {}));
  return { file, services, diagnostics: checked.diagnostics };
}

export interface Resolved {
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether each name stands for a service; without a diagnostic where the catalog itself has some. */
  readonly isComplete: boolean;
}

/**
 * A definition's value with the services of the catalog in the place of their names. The catalog is asked for
 * only where a name is used.
 */
export function replaceServices(value: unknown, catalog: () => Catalog, locate: Locate): Resolved {
  const entries = fieldOf(value, "services");
  if (!Array.isArray(entries) || !entries.some((entry) => typeof entry === "string")) {
    return { value, diagnostics: [], isComplete: true };
  }
  const diagnostics: Diagnostic[] = [];
  let isComplete = true;
  const services = entries.map((entry, index) => {
    if (typeof entry !== "string") return entry;
    const service = catalog().services.get(entry);
    if (service !== undefined) return service;
    isComplete = false;
    const location = locate(["services", index]);
    if (catalog().diagnostics.length === 0)
      diagnostics.push({
        code: "unknown-service",
        level: "error",
        ...unknownService(entry, catalog(), ", or write the service's id and name"),
        location,
      });
    return stranger;
  });
  return { value: { ...(value as object), services }, diagnostics, isComplete };
}

/** Stands where a name is unknown, so that the rest of the definition can be judged. It is never sent. */
const stranger: Service = { name: "unknown", id: "00000000-0000-0000-0000-000000000000" };

/** What is said of a name that the catalog does not have. `instead` is what else could be written there. */
export function unknownService(name: string, { file, services }: Catalog, instead = ""): Wording {
  const known = [...services.keys()];
  const hint =
    known.length === 0
      ? `add it under "services:" in ${file}${instead}`
      : withGuess(`write one of ${known.join(", ")}${instead}`, nearest(name, known));
  return { message: `${quote(name)} is not in the catalog of services`, hint };
}

const oneDocument = {
  message: "a project file is one document, and here a second one starts",
  hint: "remove the line with ---",
};

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
