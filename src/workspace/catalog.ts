// The catalog of services: `services:` of the project's file and of the profile maps the names that definitions use to
// services. It is read when a definition uses a name.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import type { Service } from "../incident/definition.ts";
import { catalogSchema } from "../incident/definition-schema.ts";
import { checkValue } from "../source/check.ts";
import type { ParsedText } from "../source/documents.ts";
import { checkSettings } from "../source/parse-settings.ts";
import { type Catalog, catalogExample } from "../source/resolve-services.ts";
import { repeatedIds } from "../source/rules/warnings.ts";
import { fieldOf } from "../untrusted-data.ts";
import type { EffectiveSettings } from "./precedence.ts";
import type { ProjectFile } from "./project-file.ts";

export interface LazyCatalog {
  /** Throws a `Failure` for a file that cannot be used. */
  readonly read: () => Catalog;
  /** The catalog if something has read it. */
  readonly peek: () => Catalog | undefined;
}

function lazyCatalog(work: () => Catalog): LazyCatalog {
  let catalog: Catalog | undefined;
  return {
    read: () => {
      catalog ??= work();
      return catalog;
    },
    peek: () => catalog,
  };
}

/** The catalog of the project. */
export function createCatalog(file: ProjectFile): LazyCatalog {
  return lazyCatalog(() => readCatalog(file.parse(), file.name));
}

/**
 * With the services of the profile, which is more specific than the project. Settings that cannot be read are a
 * failure of `read` alone: only a definition that names a service needs them.
 */
export async function withUserServices(
  project: LazyCatalog,
  settings: () => Promise<EffectiveSettings>,
): Promise<LazyCatalog> {
  const effective = await settings().catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  return lazyCatalog(() => {
    const catalog = project.read();
    if (effective instanceof Failure) throw effective;
    const section = effective.selectedProfile?.services;
    if (section === undefined) return catalog;
    const own = Object.entries(checkSettings(section, catalogSchema));
    return { ...catalog, services: new Map([...catalog.services, ...own]) };
  });
}

/** Reads the catalog of a project file. Does not check the other sections of the file. */
export function readCatalog(parsed: ParsedText, file: string): Catalog {
  const empty = { file, services: new Map<string, Service>() };
  if (parsed.diagnostics.length > 0) return { ...empty, diagnostics: parsed.diagnostics };
  const [document, second] = parsed.documents;
  if (second !== undefined) {
    const location = second.locate([]);
    return { ...empty, diagnostics: [{ code: "yaml-syntax", level: "error", ...secondDocument, location }] };
  }
  const section = fieldOf(document?.value, "services");
  if (document === undefined || section === undefined) return { ...empty, diagnostics: [] };
  const locate: Locate = (path, ...more) => document.locate(["services", ...path], ...more);
  const checked = checkValue(catalogSchema, section, locate, "services");
  const services = new Map(Object.entries(checked.value ?? {}));
  const diagnostics = checked.diagnostics.map((each) => withCatalogExample(each, file));
  return { file, services, diagnostics, warnings: repeatedIds(services, locate) };
}

/** Shows the form of the catalog where a part of it is of another kind. */
function withCatalogExample(diagnostic: Diagnostic, file: string): Diagnostic {
  const isForm = diagnostic.code === "wrong-type" || diagnostic.code === "missing-field";
  return isForm ? { ...diagnostic, example: catalogExample("checkout", file) } : diagnostic;
}

const secondDocument = {
  message: "a project file is one document, and here a second one starts",
  hint: "remove the line with ---",
};
