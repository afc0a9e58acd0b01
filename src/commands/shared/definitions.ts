// Reads the definitions that a command is given, in files, in flags or both, and the update that flags give, or fails with
// their diagnostics.
import type { Diagnostic, Locate, Location, Path } from "../../diagnostic.ts";
import type { CheckBody } from "../../document/check-body.ts";
import type { AddUpdate } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { type Severity, severities } from "../../incident/values.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { CheckedSources, LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import { type Fields, fieldOf } from "../../untrusted-data.ts";
import {
  type CheckFlags,
  createIdCheck,
  invalidFailure,
  prepareChecks,
  readPolicy,
  warningLine,
} from "./checks.ts";
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
  const { flagAt, locate, start } = locateFlags();
  const { value, diagnostics, warnings } = checkDefinition({}, loadOptions, locate);
  for (const { code, hint, location, message } of warnings)
    warn(`${flagAt(location)}: ${message} [${code}]; ${hint}`);
  if (value !== undefined)
    return { definition: value, file: "<flags>", document: 1, documents: 1, locate, start };
  // The values of the flags are valid already, so that only the contract and the policy can refuse one.
  const isRule = ({ code }: Diagnostic) =>
    code === "contract" || code === "body-too-large" || code === "leak" || code.startsWith("policy-");
  const [refused] = diagnostics.filter(isRule);
  const missing = diagnostics.filter((diagnostic) => !isRule(diagnostic));
  if (refused !== undefined && missing.length === 0) throw refusedFlag(flagAt, refused);
  const flags = new Set(missing.map(({ location }) => flagAt(location)));
  throw new Failure("usage", `without a file, ${[...flags].join(" and ")} must be given`, {
    hint: "add what is missing, or name a file with -f FILE, or use -f - for stdin; nothing was sent",
  });
}

/** Locates the parts of a definition that flags give. `fieldAt`: the field of the definition that a part is in. */
function locateFlags() {
  const paths = new Map<Location, Path>();
  const start = { line: 1, column: 1 };
  const locate: Locate = (path) => {
    const location = { file: "<flags>", start, end: start, source: "" };
    paths.set(location, path);
    return location;
  };
  const flagAt = (location: Location) => {
    const path = paths.get(location) ?? [];
    const inOrder = path[0] === "services" ? path : path.toReversed();
    const field = inOrder.find((step) => flagOf.has(String(step)));
    return flagOf.get(String(field)) ?? String(path.at(-1));
  };
  return { fieldAt: (location: Location) => paths.get(location)?.[0], flagAt, locate, start };
}

function refusedFlag(flagAt: (location: Location) => string, diagnostic: Diagnostic): Failure {
  const { code, hint, location, message } = diagnostic;
  return new Failure("usage", `${flagAt(location)}: ${message} [${code}]`, {
    hint: `${hint}; nothing was sent`,
  });
}

/** Stands for the fields that an update does not change. */
const standIn = {
  name: "An incident",
  services: [{ name: "A service", id: "00000000-0000-4000-8000-000000000000" }],
};

interface KnownOfIncident {
  /** The policy says which severities may notify. */
  readonly severity?: string;
  /** Its body has rules of the service. */
  readonly addUpdate?: AddUpdate | undefined;
}

/** Checks it by the rules of definitions, of the policy of the project, and of the service. */
export async function checkEntry(
  context: RunContext,
  flags: Pick<CheckFlags, "ignoreContract">,
  entry: Fields,
  { addUpdate, severity }: KnownOfIncident = {},
): Promise<Update> {
  const { checkDefinition, defaultLoadOptions } = await import("../../source/definitions.ts");
  const policy = await readPolicy(context);
  const known = severities.find((each) => each === severity) ?? ("MINOR" satisfies Severity);
  const { fieldAt, flagAt, locate } = locateFlags();
  const document = { ...standIn, severity: known, incidentUpdates: [entry] };
  const { diagnostics } = checkDefinition(
    document,
    {
      ...defaultLoadOptions(),
      policy: policy.check,
      contract: addUpdate && !flags.ignoreContract ? await createRulesCheck(addUpdate) : undefined,
    },
    locate,
  );
  // Its place in the history and the unchanged fields are not faults of the entry.
  const own = diagnostics.filter(
    ({ code, level, location }) =>
      level !== "warning" &&
      fieldAt(location) === "incidentUpdates" &&
      (code !== "policy-notify" || severity !== undefined),
  );
  const [first] = [...policy.diagnostics, ...own];
  if (first !== undefined) throw refusedFlag(flagAt, first);
  return entry as Update;
}

/** The rules of the body of an added update, at the entry of a definition. */
async function createRulesCheck(addUpdate: AddUpdate): Promise<CheckBody> {
  const { createUpdateCheck } = await import("../../document/check-body.ts");
  const check = createUpdateCheck(addUpdate);
  return (definition) => check(fieldOf(fieldOf(definition, "incidentUpdates"), "0"), 0);
}
