// The policy of the project file: reads `policy:`, and checks definitions against it.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import type { Definition } from "../incident/definition.ts";
import { checkPolicy } from "../incident/policy.ts";
import { type Policy, policySchema } from "../incident/policy-rules.ts";
import { checkValue } from "../source/check.ts";
import { fieldOf } from "../untrusted-data.ts";
import type { ProjectFile } from "./project-file.ts";

export interface ProjectPolicy {
  /** The project's file, from the working directory. */
  readonly file: string;
  /** Whether --no-project leaves it out. */
  readonly isLeftOut?: boolean;
  /** Undefined for a policy that is left out, or that has errors. */
  readonly rules?: Policy;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the policy of a project file. Does not check the other sections of the file. */
export function readPolicy(file: ProjectFile): ProjectPolicy {
  const { documents, diagnostics } = file.parse();
  const [document] = documents;
  const section = fieldOf(document?.value, "policy");
  if (diagnostics.length > 0 || document === undefined || section === undefined)
    return { file: file.name, diagnostics };
  const locate: Locate = (path, ...more) => document.locate(["policy", ...path], ...more);
  const checked = checkValue(policySchema, section, locate, "policy");
  if (checked.value === undefined) return { file: file.name, diagnostics: checked.diagnostics };
  return { file: file.name, rules: checked.value, diagnostics: [] };
}

export function policyDiagnostics(
  definition: Definition,
  rules: Policy,
  locate: Locate,
): readonly Diagnostic[] {
  return checkPolicy(definition, rules).map(({ path, ...violation }) => ({
    ...violation,
    level: "error",
    location: locate(path),
  }));
}
