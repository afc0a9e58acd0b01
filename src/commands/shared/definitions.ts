// Reads the definitions that a command is given, in files, in flags or both, or fails with all their diagnostics.
import type { Diagnostic, Locate, Location } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { CheckedSources, LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import { type CheckFlags, createIdCheck, invalidFailure, prepareChecks, warningLine } from "./checks.ts";
import { createOverride, flagOf, type IncidentFlags } from "./fields.ts";
import type { AskValue } from "./templates.ts";

export interface ReadOptions extends Omit<CheckFlags, "sources"> {
  readonly recurse: boolean;
  /** Flags that set fields. Without a file they make a definition. */
  readonly fields?: IncidentFlags;
  /** Each definition needs an id. */
  readonly requireIds?: boolean;
  /** The name of a template, in place of files. */
  readonly template?: string | undefined;
  /** Asks for the values that a template needs and that were not given. */
  readonly ask?: AskValue | undefined;
  /** Obeys the rule of the template: its `when`, and its `dedupKey` where the command line has no key. */
  readonly rule?: { readonly needsDedupKey: boolean } | undefined;
}

interface ReadDefinitions {
  readonly definitions: readonly LocatedDefinition[];
  /** Why nothing is to be declared, by the rule of the template. */
  readonly notApplicable?: NotApplicable;
}

/** The definitions of `files`; without files, the one from the flags. Throws a `Failure`. */
export async function readDefinitions(
  context: RunContext,
  files: readonly string[],
  options: ReadOptions,
): Promise<ReadDefinitions> {
  const { checkSources } = await import("../../source/definitions.ts");
  const { findSources } = await import("../../source/files.ts");
  const sources = await findSources(context, files, options);
  const prepared = await prepareChecks(context, { ...options, sources });
  const override = await createOverride(context, options.fields ?? {}, prepared.loadOptions.catalog);
  const loadOptions = { ...prepared.loadOptions, ...(override && { override }) };
  const { template } = options;
  // An input that cannot be read has none of the names that a template needs.
  const unread = template === undefined ? [] : prepared.diagnostics();
  if (unread.length > 0) throw invalidFailure(unread, "correct the input; nothing was sent");
  const checked: CheckedSources & Pick<ReadDefinitions, "notApplicable"> =
    template === undefined
      ? checkSources(sources.read(), loadOptions)
      : await (await import("./templates.ts")).fillNamedTemplate(context, options, template, loadOptions);
  const { definitions, diagnostics, notApplicable, warnings } = checked;
  if (notApplicable !== undefined) return { definitions, notApplicable };
  const checkId = createIdCheck(options.requireIds);
  const found = [...prepared.warnings(), ...warnings];
  const all = [...prepared.diagnostics(), ...diagnostics];
  for (const located of definitions) {
    const problem = checkId(located);
    if (problem !== undefined) (problem.level === "error" ? all : found).push(problem);
  }
  if (all.length > 0) throw invalidFailure(all, "correct the problems above; nothing was sent");
  prepared.warnOfUnused();
  for (const warning of found) context.warn(warningLine(warning));
  const isFromFlags = files.length === 0 && template === undefined;
  const read = isFromFlags ? [await definitionFromFlags(loadOptions, context.warn)] : definitions;
  return { definitions: read };
}

/**
 * The definition from the override in `loadOptions`. Throws a `Failure` "usage" that names the missing flags, or the
 * flag with a value that the service's contract or the policy of the project refuses.
 */
export async function definitionFromFlags(
  loadOptions: LoadOptions,
  warn: RunContext["warn"],
): Promise<LocatedDefinition> {
  const { checkDefinition } = await import("../../source/definitions.ts");
  const position = { line: 1, column: 1 };
  const flagAt = new Map<Location, string>();
  const locate: Locate = (path) => {
    const location: Location = { file: "<flags>", start: position, end: position, source: "" };
    const field = (path[0] === "services" ? path : [...path].reverse()).find((step) =>
      flagOf.has(String(step)),
    );
    flagAt.set(location, flagOf.get(String(field)) ?? String(path.at(-1)));
    return location;
  };
  const { value, diagnostics, warnings } = checkDefinition({}, loadOptions, locate);
  for (const { code, hint, location, message } of warnings)
    warn(`${flagAt.get(location)}: ${message} [${code}]; ${hint}`);
  if (value !== undefined)
    return { definition: value, file: "<flags>", document: 1, documents: 1, locate, start: position };
  // The values of the flags are valid already, so that only the contract and the policy can refuse one.
  const isRule = ({ code }: Diagnostic) =>
    code === "contract" || code === "body-too-large" || code === "leak" || code.startsWith("policy-");
  const [refused] = diagnostics.filter(isRule);
  const missing = diagnostics.filter((diagnostic) => !isRule(diagnostic));
  if (refused !== undefined && missing.length === 0) {
    throw new Failure("usage", `${flagAt.get(refused.location)}: ${refused.message} [${refused.code}]`, {
      hint: `${refused.hint}; nothing was sent`,
    });
  }
  const flags = new Set(missing.map(({ location }) => flagAt.get(location)));
  throw new Failure("usage", `without a file, ${[...flags].join(" and ")} must be given`, {
    hint: "add what is missing, or name a file with -f FILE, or use -f - for stdin; nothing was sent",
  });
}
