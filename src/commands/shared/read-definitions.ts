// Reads the definitions that a command was given, in files, in flags or both, or fails with everything that is
// wrong with them.

import type { Diagnostic, Location } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import type { LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import { createOverride, type IncidentFlags } from "./flag-overrides.ts";
import { openLoadOptions, type VariableFlags } from "./load-options.ts";

export interface ReadOptions extends Omit<VariableFlags, "files"> {
  readonly recurse: boolean;
  /** Flags that say what a field is; alone they make a definition. */
  readonly fields?: IncidentFlags;
}

/** The definitions of `files`; without a file, the one that the flags make. Throws a `Failure`. */
export async function readDefinitions(
  context: Context & Reporter,
  files: readonly string[],
  options: ReadOptions,
): Promise<readonly LocatedDefinition[]> {
  const { checkSources } = await import("../../source/definitions.ts");
  const { findSources } = await import("../../source/files.ts");
  const sources = await findSources(context, files, options);
  const opened = await openLoadOptions(context, { ...options, files: sources.count });
  const override = await createOverride(options.fields ?? {}, opened.loadOptions.catalog);
  const surroundings: LoadOptions = {
    ...opened.loadOptions,
    ...(override && { override: override.apply }),
  };
  const { definitions, diagnostics } = checkSources(sources.read(), surroundings);
  const all = [...opened.problems(), ...diagnostics];
  if (all.length > 0) throw invalidFailure(all, "correct what is named above; nothing was sent");
  opened.warnOfUnused();
  return files.length === 0 ? [await definitionOfFlags(surroundings)] : definitions;
}

/** Everything that is wrong with files, as one failure. */
export function invalidFailure(diagnostics: readonly Diagnostic[], hint: string): Failure {
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  const problems = diagnostics.length === 1 ? "1 problem" : `${diagnostics.length} problems`;
  return new Failure("invalid", `${problems} in ${files === 1 ? "1 file" : `${files} files`}`, {
    hint,
    diagnostics,
  });
}

/** The flag that gives each field that a definition needs. */
const flagOf: Readonly<Record<string, string>> = {
  name: "--name",
  severity: "--severity",
  services: "--service",
  incidentUpdates: "--message",
  description: "--message",
};

/** The definition that the override of `surroundings` makes. Throws a `Failure` that names the flags that are missing. */
export async function definitionOfFlags(surroundings: LoadOptions): Promise<LocatedDefinition> {
  const { checkDefinition } = await import("../../source/definitions.ts");
  const missing: string[] = [];
  const position = { line: 1, column: 1 };
  const nowhere: Location = { file: "<flags>", start: position, end: position, source: "" };
  // The flags are judged already: only what nobody gave can still be wrong.
  const checked = checkDefinition({}, surroundings, (path) => {
    missing.push(flagOf[String(path.at(-1))] ?? String(path.at(-1)));
    return nowhere;
  });
  if (checked.value !== undefined) {
    return { definition: checked.value, file: "<flags>", document: 1, documents: 1, locate: () => nowhere };
  }
  throw new Failure("usage", `without a file, ${[...new Set(missing)].join(" and ")} must be given`, {
    hint: "add what is missing, or name a file with -f FILE, or - for stdin; nothing was sent",
  });
}
