// Reads the catalog of services: `services:` of the project file maps the names that definitions use to services.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import { catalogRules, type Service } from "../incident/definition.ts";
import { fieldOf } from "../own-value.ts";
import { checkValue } from "../source/check.ts";
import { decodeText } from "../source/decode.ts";
import { parseDocuments } from "../source/documents.ts";
import type { Source } from "../source/read-source.ts";
import { type Catalog, catalogExample } from "../source/resolve-services.ts";

export function readCatalog(source: Source): Catalog {
  const { file } = source;
  const empty = { file, services: new Map<string, Service>() };
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return { ...empty, diagnostics: [decoded.diagnostic] };
  const { documents, diagnostics } = parseDocuments(decoded.text, file);
  if (diagnostics.length > 0) return { ...empty, diagnostics };
  const [document, second] = documents;
  if (second !== undefined) {
    const location = second.locate([]);
    return { ...empty, diagnostics: [{ code: "yaml-syntax", level: "error", ...secondDocument, location }] };
  }
  const section = fieldOf(document?.value, "services");
  if (document === undefined || section === undefined) return { ...empty, diagnostics };
  const locate: Locate = (path, ...more) => document.locate(["services", ...path], ...more);
  const checked = checkValue(catalogRules, section, locate, "services");
  const services = new Map(Object.entries(checked.value ?? {}));
  return { file, services, diagnostics: checked.diagnostics.map((each) => withCatalogExample(each, file)) };
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
