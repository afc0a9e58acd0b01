// Reads the definitions that a command is given, in files, in flags or both, or fails with all their diagnostics.
import { type FieldRefusal, readFieldRefusals } from "../../api/refusal.ts";
import type { Diagnostic, Locate, Location } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { isGuid } from "../../rules/forms.ts";
import type { CheckedSources, LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import type { AlertRule, NotApplicable } from "../../source/templates/alert-rule.ts";
import { advise, argv } from "../../text/advice.ts";
import { type CheckFlags, invalidFailure, prepareChecks, warningLine } from "./checks.ts";
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
  /** Obeys the rule of the template. */
  readonly rule?: AlertRule | undefined;
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
  if (value !== undefined) return { definition: value, file: "<flags>", document: 1, documents: 1, locate };
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

/** Locates a definition for the diagnostic of a later one. */
type Origin = Pick<LocatedDefinition, "locate">;

/**
 * Returns a function that takes one definition after another, and returns the problem with the id of each, if any.
 * `originOf` selects the part of a definition to keep: all of it, with the text of its file, unless it says otherwise.
 */
export function createIdCheck(
  requireIds = false,
  originOf: (located: LocatedDefinition) => Origin = (located) => located,
): (located: LocatedDefinition) => Diagnostic | undefined {
  const seen = new Map<string, Origin>();
  return (located) => {
    const id = ownText(located.definition.id?.toLowerCase());
    if (id === undefined && requireIds) return missingId(located);
    const identity = id ?? JSON.stringify(located.definition);
    const first = seen.get(identity);
    if (first !== undefined) return (id === undefined ? repeated : duplicateId)(located, first);
    seen.set(identity, originOf(located));
    return undefined;
  };
}

/** A copy: V8 keeps a part of a text as a reference, and with it all of the file in memory. */
function ownText(ascii: string | undefined): string | undefined {
  return ascii && Buffer.from(ascii, "latin1").toString("latin1");
}

function missingId({ file, locate }: LocatedDefinition): Diagnostic {
  return {
    code: "missing-id",
    level: "error",
    message: "the definition has no id, so a rerun could not recognize the incident",
    hint:
      file === "<stdin>"
        ? "write id: in it, or declare it with incident create -f - --key TEXT: every run with the same text declares the same incident"
        : `give it one with incident validate --fix --assign-ids ${file}`,
    location: locate([]),
  };
}

function repeated({ locate }: LocatedDefinition, first: Origin): Diagnostic {
  const { file, start } = first.locate([]);
  return {
    code: "repeated-definition",
    level: "warning",
    message: `this definition has the same content as ${file}:${start.line}:${start.column}, so create declares two incidents`,
    hint: "remove one of the two, or give each an id if both are meant",
    location: locate([]),
  };
}

function duplicateId({ locate }: LocatedDefinition, first: Origin): Diagnostic {
  const { file, start } = first.locate(["id"]);
  return {
    code: "duplicate-id",
    level: "error",
    message: `this id is taken already, at ${file}:${start.line}:${start.column}`,
    hint: "remove the id from one of the two, then run incident validate --fix --assign-ids",
    location: locate(["id"]),
  };
}

/** The files of -f, then the operands. Throws a `Failure` "usage" for an incident's id in place of a file. */
export function namedFiles(operands: readonly string[], file: readonly string[] = []): readonly string[] {
  const id = operands.find(isGuid);
  if (id !== undefined) {
    throw new Failure("usage", `${id} is the id of an incident, and a file is needed`, {
      hint: advise`name the file of a definition; an incident that exists is changed by ${argv`incident update ${id}`}`,
    });
  }
  return [...file, ...operands];
}

/** The failure with a diagnostic for each field that the refusal names. */
export function withRefusedFields(failure: Failure, locate: Locate | undefined): Failure {
  const diagnostics = locate && refusalDiagnostics(failure, locate);
  if (diagnostics === undefined || diagnostics.length === 0) return failure;
  return failure.with({ diagnostics, hint: advise`${failure.details.hint}; ${contractHint}` });
}

/** For definitions to come: the service's own rules are known before anything is sent. */
export const contractHint = advise`${argv`incident contract pull`} saves the service's rules, so that validate can find such errors`;

/** None unless the service refused the body: 400 and 422. */
export function refusalDiagnostics({ details }: Failure, locate: Locate): readonly Diagnostic[] {
  const { response } = details;
  if (response?.status !== 400 && response?.status !== 422) return [];
  return readFieldRefusals(response.body).map((refusal) => ({
    code: "refused",
    level: "error",
    message: `the service refuses this: ${refusal.text}`,
    hint: hintOf(refusal),
    location: locate(refusal.path),
  }));
}

function hintOf({ path }: FieldRefusal): string {
  return path.at(-1) === "accountId"
    ? "set the account in the settings, or write accountId into the service"
    : "correct it, then run it again";
}
