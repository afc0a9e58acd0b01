// The policy of the project file: reads `policy:`, and checks definitions against it.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import type { Definition } from "../incident/definition.ts";
import { checkPolicy, type PolicyRules } from "../incident/policy.ts";
import { type Policy, policySchema } from "../incident/policy-rules.ts";
import { checkValue } from "../source/check.ts";
import { type Catalog, unknownService } from "../source/resolve-services.ts";
import { fieldOf } from "../untrusted-data.ts";
import type { ProjectFile } from "./project-file.ts";

export interface ProjectPolicy {
  /** The project's file, from the working directory. */
  readonly file: string;
  /** Whether --no-project leaves it out. */
  readonly isLeftOut?: boolean;
  /** Undefined for a policy that is left out, or that has errors. */
  readonly rules?: PolicyRules;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the policy of a project file. Does not check the other sections of the file. */
export function readPolicy(file: ProjectFile, catalog: () => Catalog): ProjectPolicy {
  const { documents, diagnostics } = file.parse();
  const [document] = documents;
  const section = fieldOf(document?.value, "policy");
  if (diagnostics.length > 0 || document === undefined || section === undefined)
    return { file: file.name, diagnostics };
  const locate: Locate = (path, ...more) => document.locate(["policy", ...path], ...more);
  const checked = checkValue(policySchema, section, locate, "policy");
  if (checked.value === undefined) return { file: file.name, diagnostics: checked.diagnostics };
  const policy = checked.value;
  const errors = serviceErrors(policy, locate, catalog);
  if (errors.length > 0) return { file: file.name, diagnostics: errors };
  const names = namesIn(policy).map(({ name }) => name);
  const known = names.length === 0 ? undefined : catalog().services;
  const serviceIds = new Map(names.map((name) => [name, known?.get(name)?.id.toLowerCase() ?? ""]));
  return { file: file.name, rules: { policy, serviceIds }, diagnostics: [] };
}

export function policyDiagnostics(
  definition: Definition,
  rules: PolicyRules,
  locate: Locate,
): readonly Diagnostic[] {
  return checkPolicy(definition, rules).map(({ path, ...violation }) => ({
    ...violation,
    level: "error",
    location: locate(path),
  }));
}

function serviceErrors(policy: Policy, locate: Locate, catalog: () => Catalog): readonly Diagnostic[] {
  return namesIn(policy).flatMap(({ name, path }): Diagnostic[] => {
    const { diagnostics, services } = catalog();
    if (services.has(name) || diagnostics.length > 0) return [];
    const { message, hint } = unknownService(name, catalog());
    return [{ code: "unknown-service", level: "error", message, hint: String(hint), location: locate(path) }];
  });
}

function namesIn({ services: { allowed = [] } = {} }: Policy) {
  return allowed.map((name, index) => ({ name, path: ["services", "allowed", index] }));
}
