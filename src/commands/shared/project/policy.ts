// The policy of the project: reads it, and gives the check of definitions against it. Without a policy, nothing of it is
// loaded.
import { relative } from "node:path";
import type { Diagnostic } from "../../../diagnostic.ts";
import { Failure } from "../../../failure.ts";
import type { Context, Reporter } from "../../../platform/context.ts";
import type { LoadOptions, LocatedDefinition } from "../../../source/definitions.ts";
import { findProjectFile } from "../../../workspace/locations.ts";
import { warningLine } from "../invalid-failure.ts";

export interface PolicyFlags {
  readonly noProject?: boolean | undefined;
  /** The reason to go on although a definition breaks the policy. */
  readonly overridePolicy?: string | undefined;
}

export interface OpenPolicy {
  /** Undefined where there is no policy, or where it is overridden. */
  readonly check: LoadOptions["policy"];
  /** The errors in the policy itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** With an override: says which rules it concerns. */
  report(definitions: readonly LocatedDefinition[]): Promise<void>;
}

const none: OpenPolicy = { check: undefined, diagnostics: [], report: async () => undefined };

/** Throws a `Failure` "usage" for an override without a reason. */
export async function openPolicy(
  context: Context & Pick<Reporter, "warn">,
  { noProject, overridePolicy: reason }: PolicyFlags,
  catalog: LoadOptions["catalog"],
): Promise<OpenPolicy> {
  if (reason?.trim() === "") {
    throw new Failure("usage", "--override-policy needs a reason", {
      hint: "give the reason: the journal keeps it",
    });
  }
  const path = findProjectFile(context);
  if (path === undefined || !context.files.lstatSync(path).isFile()) return none;
  const { includesWord, readSource } = await import("../../../source/read-source.ts");
  const file = relative(context.system.cwd, path);
  const source = readSource(context, file);
  if (!includesWord(source, "policy")) return none;
  if (noProject) {
    context.warn(`the policy in ${file} is not checked (--no-project)`);
    return none;
  }
  const { policyDiagnostics, readPolicy } = await import("../../../workspace/policy.ts");
  const { openPatterns } = await import("../templates.ts");
  const { diagnostics, rules } = readPolicy(source, catalog, await openPatterns(source));
  if (rules === undefined) return { ...none, diagnostics: reason === undefined ? diagnostics : [] };
  const { leaks } = rules.policy;
  if (reason === undefined) {
    const find: NonNullable<LoadOptions["policy"]>["check"] = (definition, locate) =>
      policyDiagnostics(definition, rules, locate, "error");
    return { ...none, check: { check: find, leaks } };
  }
  const report = async (definitions: readonly LocatedDefinition[]) => {
    for (const { definition, locate } of definitions)
      for (const found of policyDiagnostics(definition, rules, locate, "warning"))
        context.warn(warningLine(found));
    context.warn(`the policy of this project is overridden: ${reason}`);
  };
  return { ...none, check: { check: () => [], leaks: leaks && "warn" }, report };
}
