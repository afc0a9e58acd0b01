// The policy of the project file: reads `policy:`, and checks definitions against it.
import type { Diagnostic, Locate } from "../diagnostic.ts";
import type { Definition } from "../incident/definition.ts";
import { checkPolicy, type PolicyRules } from "../incident/policy.ts";
import { type Policy, policyRules } from "../incident/policy-rules.ts";
import { fieldOf } from "../own-value.ts";
import type { CompilePattern } from "../rules/patterns.ts";
import { checkValue } from "../source/check.ts";
import { decodeText } from "../source/decode.ts";
import { parseDocuments } from "../source/documents.ts";
import type { Source } from "../source/read-source.ts";
import { type Catalog, unknownService } from "../source/resolve-services.ts";

export interface ReadPolicy {
  /** Undefined where the file has no policy, or one with errors. */
  readonly rules: PolicyRules | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function readPolicy(
  source: Source,
  catalog: () => Catalog,
  compilePattern: CompilePattern,
): ReadPolicy {
  const decoded = decodeText(source);
  if ("diagnostic" in decoded) return { rules: undefined, diagnostics: [decoded.diagnostic] };
  const { documents, diagnostics } = parseDocuments(decoded.text, source.file);
  const [document] = documents;
  const section = fieldOf(document?.value, "policy");
  if (diagnostics.length > 0 || document === undefined || section === undefined)
    return { rules: undefined, diagnostics };
  const locate: Locate = (path, ...more) => document.locate(["policy", ...path], ...more);
  const checked = checkValue(policyRules, section, locate, "policy");
  if (checked.value === undefined) return { rules: undefined, diagnostics: checked.diagnostics };
  const policy = checked.value;
  const errors = [
    ...patternErrors(policy, locate, compilePattern),
    ...serviceErrors(policy, locate, catalog),
  ];
  if (errors.length > 0) return { rules: undefined, diagnostics: errors };
  const names = namesIn(policy).map(({ name }) => name);
  const known = names.length === 0 ? undefined : catalog().services;
  const serviceIds = new Map(names.map((name) => [name, known?.get(name)?.id.toLowerCase() ?? ""]));
  return { rules: { policy, serviceIds, compilePattern }, diagnostics: [] };
}

export function policyDiagnostics(
  definition: Definition,
  rules: PolicyRules,
  locate: Locate,
  level: Diagnostic["level"],
): readonly Diagnostic[] {
  return checkPolicy(definition, rules).map(({ path, ...violation }) => ({
    ...violation,
    level,
    location: locate(path),
  }));
}

function patternErrors(
  policy: Policy,
  locate: Locate,
  compilePattern: CompilePattern,
): readonly Diagnostic[] {
  return (["name", "description"] as const).flatMap((field): Diagnostic[] => {
    const pattern = policy[field]?.pattern;
    if (pattern === undefined || compilePattern(pattern) !== undefined) return [];
    return [
      {
        code: "bad-pattern",
        level: "error",
        message: `${JSON.stringify(pattern)} is not a pattern that can be used`,
        hint: "write a regular expression without lookaround and back references",
        location: locate([field, "pattern"]),
      },
    ];
  });
}

function serviceErrors(policy: Policy, locate: Locate, catalog: () => Catalog): readonly Diagnostic[] {
  return namesIn(policy).flatMap(({ name, path }): Diagnostic[] => {
    const { diagnostics, services } = catalog();
    if (services.has(name) || diagnostics.length > 0) return [];
    const { message, hint } = unknownService(name, catalog());
    return [{ code: "unknown-service", level: "error", message, hint, location: locate(path) }];
  });
}

function namesIn({ services: { allowed = [], together = [] } = {} }: Policy) {
  return [
    ...allowed.map((name, index) => ({ name, path: ["services", "allowed", index] })),
    ...together.flatMap((group, at) =>
      group.map((name, index) => ({ name, path: ["services", "together", at, index] })),
    ),
  ];
}
