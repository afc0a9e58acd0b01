// The sections of the project's file that are checked where they are used, whatever else is wrong with the file: the
// catalog of services, and the policy.
import { type Diagnostic, errorAt, type Locate } from "../diagnostic.ts";
import { catchFailure } from "../failure.ts";
import type { Definition, Service } from "../incident/definition.ts";
import { checkPolicy, policySchema } from "../incident/policy.ts";
import { catalogSchema } from "../incident/schemas.ts";
import type { Schema } from "../rules/kinds.ts";
import { checkValue } from "../source/check.ts";
import type { CheckOptions } from "../source/definitions.ts";
import { byPosition, withoutDuplicates } from "../source/diagnostic-list.ts";
import { settingsProblems } from "../source/parse-settings.ts";
import { type Catalog, catalogExample } from "../source/resolve-services.ts";
import type { ParsedText } from "../source/yaml/read.ts";
import { fieldOf } from "../untrusted-data.ts";
import { type ProjectFile, projectSettingsSchema } from "./project-file.ts";

function readSection<T>({ documents: [document, second] }: ParsedText, name: string, schema: Schema<T>) {
  const section = fieldOf(document?.value, name);
  if (document === undefined || section === undefined) return undefined;
  const locate: Locate = (path, ...more) => document.locate([name, ...path], ...more);
  const { diagnostics, value } = checkValue(schema, section, locate, name);
  if (second === undefined) return { diagnostics, locate, section, value };
  return { diagnostics: [errorAt("yaml-syntax", secondDocument, second.locate([]))], locate, section };
}

const secondDocument = {
  message: "a project file is one document, and here a second one starts",
  hint: "remove the line with ---",
};

/** The problems of the file beside those in its catalog and its policy. */
function fieldProblems({ documents: [document] }: ParsedText): readonly Diagnostic[] {
  return document === undefined ? [] : settingsProblems(document, projectSettingsSchema());
}

/** All problems of the file in the order of its lines: a part that cannot be used is told with those of the others. */
export function projectProblems(parsed: ParsedText, file: string): readonly Diagnostic[] {
  if (parsed.diagnostics.length > 0) return parsed.diagnostics;
  const catalog = readSection(parsed, "services", catalogSchema())?.diagnostics ?? [];
  const policy = readSection(parsed, "policy", policySchema())?.diagnostics ?? [];
  const all = [...fieldProblems(parsed), ...catalog.map((each) => withExample(each, file)), ...policy];
  return withoutDuplicates(all.sort(byPosition));
}

/** Reads the catalog of a project file, `services:`, which maps the names that definitions use to services. */
export function readCatalog(parsed: ParsedText, file: string): Catalog {
  const none = new Map<string, Service>();
  if (parsed.diagnostics.length > 0) return { file, services: none, diagnostics: parsed.diagnostics };
  const found = readSection(parsed, "services", catalogSchema());
  if (found === undefined) return { file, services: none, diagnostics: [] };
  const services = new Map(Object.entries(found.value ?? {}));
  const diagnostics = found.diagnostics.length === 0 ? [] : projectProblems(parsed, file);
  return { file, services, diagnostics };
}

/** Shows the form of the catalog where a part of it is of another kind. */
function withExample(diagnostic: Diagnostic, file: string): Diagnostic {
  const isForm = diagnostic.code === "wrong-type" || diagnostic.code === "missing-field";
  return isForm ? { ...diagnostic, example: catalogExample("checkout", file) } : diagnostic;
}

export interface ProjectPolicy {
  /** Undefined where there is no policy, or the file has errors. */
  readonly check?: CheckOptions["policy"];
  readonly diagnostics: readonly Diagnostic[];
}

export function readPolicy({ name, parse }: Pick<ProjectFile, "name" | "parse">): ProjectPolicy {
  const parsed = parse();
  // A text that is no YAML stops nothing unless it may state a policy.
  if (parsed.diagnostics.length > 0)
    return { diagnostics: parsed.text.includes("policy") ? parsed.diagnostics : [] };
  const found = readSection(parsed, "policy", policySchema());
  const own = [...fieldProblems(parsed), ...(found?.diagnostics ?? [])];
  if (own.length > 0) return { diagnostics: projectProblems(parsed, name) };
  const rules = found?.value;
  if (rules === undefined) return { diagnostics: [] };
  const check = (definition: Definition, locate: Locate) =>
    checkPolicy(definition, rules).map(({ path, ...message }) => ({
      ...message,
      level: "error" as const,
      location: locate(path),
    }));
  return { check: { check, leaks: rules.leaks }, diagnostics: [] };
}

/** False for a file that cannot be read. */
export function statesPolicy({ parse }: Pick<ProjectFile, "parse">): boolean {
  return catchFailure(parse) === undefined && fieldOf(parse().documents[0]?.value, "policy") !== undefined;
}
