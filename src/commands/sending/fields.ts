// The flags that set a field of a definition, such as --severity: they override fields of a file, or make a definition or an update.
import { isError, type Location, type Problem } from "../../diagnostic.ts";
import type { AddUpdate } from "../../document/contract.ts";
import { catchFailure, Failure } from "../../failure.ts";
import {
  type Definition,
  incidentTextFields,
  type Service,
  type TextField,
  textFields,
  updateTextFields,
} from "../../incident/definition.ts";
import type { PublicText } from "../../incident/policy.ts";
import { type Severity, severities } from "../../incident/values.ts";
import type { Input, RunContext } from "../../kit/command.ts";
import type { Flags } from "../../kit/flags.ts";
import { fieldFlags, sendFlags } from "../../kit/shared-flags.ts";
import type { LoadOptions, LocatedDefinition } from "../../source/definitions.ts";
import { readSourceOrStdin } from "../../source/read-source.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { decodeUtf8, defined, type Fields, fieldOf, isMapping, ownValue } from "../../untrusted-data.ts";
import { ambiguous, type CheckFlags, invalidFailure, prepareChecks } from "../shared/definitions.ts";

const { notify, noNotify } = sendFlags;
const incidentFlags = { ...fieldFlags, notify, noNotify };

/** The flags of a definition. `startedAt` is the date-time of the first update. */
export type IncidentFlags = {
  readonly [K in keyof typeof incidentFlags]?: Flags<typeof incidentFlags>[K] | undefined;
};

const flagOf: ReadonlyMap<string, string> = new Map([
  ...textFields.map(({ flag, name }) => [name, `--${flag}`] as const),
  ["services", "--service"],
  ["incidentUpdates", "--message"],
  ["notifySubscribers", "--notify"],
]);

/** The flags that a definition without a file still needs. */
export function missingFlags(flags: IncidentFlags): readonly string[] {
  const required = (fields: readonly TextField[]) =>
    fields.flatMap(({ flag, isRequired }) => (isRequired ? flag : []));
  const needed = [...required(incidentTextFields), "service", ...required(updateTextFields)];
  return needed.filter((flag) => ownValue(flags as Fields, flag) === undefined).map((flag) => `--${flag}`);
}

/** Replaces `--message -` by the text of stdin, so that a printed command has the text. */
export async function withTextOfStdin<I extends Input<IncidentFlags>>(
  context: RunContext,
  input: I,
): Promise<I> {
  if (input.flags.message !== "-") return input;
  const text = decodeUtf8((await readSourceOrStdin(context, "-")).bytes);
  if (text === undefined)
    throw new Failure("usage", "--message -: stdin is no text in UTF-8", {
      hint: "convert it to UTF-8; nothing was sent",
    });
  return { ...input, flags: { ...input.flags, message: text.trim() } };
}

export interface Draft {
  readonly incident: Fields;
  readonly update: Fields;
}

/** The document with the fields of a draft, and with `date` as the date of its first update. */
export function withDraft(document: Fields, { incident, update }: Draft, date: string | undefined): Fields {
  const updates = Object.keys(update).length === 0 ? document.incidentUpdates : mergeUpdate(document, update);
  const changed = { ...document, ...incident, ...(updates !== undefined && { incidentUpdates: updates }) };
  if (date === undefined || !Array.isArray(updates) || !isMapping(updates[0])) return changed;
  const first = { ...updates[0], publicIncidentUpdateDate: date };
  return { ...changed, incidentUpdates: [first, ...updates.slice(1)] };
}

function mergeUpdate({ incidentUpdates }: Fields, update: Fields): unknown {
  if (incidentUpdates === undefined) return [update];
  if (!Array.isArray(incidentUpdates)) return incidentUpdates;
  const [only, ...others] = incidentUpdates as unknown[];
  if (others.length > 0) throw ambiguous(`the definition has ${others.length + 1} updates`);
  return only === undefined ? [update] : [isMapping(only) ? { ...only, ...update } : only];
}

/** The fields that the flags set. Throws a `Failure` "usage" for all invalid values. */
export async function readValues(flags: IncidentFlags, catalog: Catalog): Promise<Draft> {
  if (/^(?:-|@\S+)$/.test(flags.message ?? ""))
    throw new Failure("usage", `--message takes the text itself: ${flags.message}`, {
      hint: 'let the shell read the file: --message "$(cat FILE)", or "$(cat)" for stdin',
    });
  const find = flags.service && (await import("../shared/services.ts")).findService;
  const services: Service[] = [];
  const failures = (flags.service ?? []).map((text) =>
    catchFailure(() => find && services.push(find(text, catalog))),
  );
  const validateField = await createFieldValidator();
  const validate = (field: TextField): string | undefined => {
    const given = ownValue(flags as Fields, field.flag) as string | undefined;
    // The letter case may differ.
    const isSame = (allowed: string) => allowed.toLowerCase() === given?.toLowerCase();
    const value = field.values?.find(isSame) ?? given;
    const problem = value === undefined ? undefined : validateField(field, value);
    if (problem !== undefined)
      failures.push(new Failure("usage", `--${field.flag}: ${problem.message}`, { hint: problem.hint }));
    return value;
  };
  const textsOf = (fields: readonly TextField[]) =>
    Object.fromEntries(fields.map((field) => [field.name, validate(field)]));
  const notifySubscribers = flags.notify ? true : flags.noNotify ? false : undefined;
  const draft = {
    incident: defined({ ...textsOf(incidentTextFields), services: flags.service && services }),
    update: defined({ ...textsOf(updateTextFields), notifySubscribers }),
  };
  throwAll(failures);
  return draft;
}

function throwAll(all: readonly (Failure | undefined)[]): void {
  const failures = all.filter((each) => each !== undefined);
  const [first] = failures;
  if (first === undefined) return;
  const isShared = failures.every(({ hint }) => hint === first.hint);
  const texts = failures.map(({ hint, message }) => (isShared ? message : `${message}: ${hint}`));
  const hint = isShared ? first.hint : "correct these flags";
  throw first.with({ message: [...new Set(texts)].join("; "), hint: `${hint}; nothing was sent` });
}

/** Undefined where no flag sets a field. Throws a `Failure` "usage" for an invalid value, and for flags that are ambiguous. */
export async function createOverride(flags: IncidentFlags, catalog: Catalog) {
  const draft = await readValues(flags, catalog);
  const { startedAt } = flags;
  const fields = { ...draft.incident, ...draft.update, ...(startedAt && { startedAt }) };
  if (Object.keys(fields).length === 0) return undefined;
  return (document: unknown) => (isMapping(document) ? withDraft(document, draft, startedAt) : document);
}

/** Loads the check. The validator returns the first problem of a value. */
export async function createFieldValidator() {
  const { checkValue } = await import("../../source/check.ts");
  const { fieldSchema } = await import("../../incident/schemas.ts");
  return (field: TextField, value: string) => checkValue(fieldSchema(field), value, field.name).problems[0];
}

const projectHint =
  "correct the problems above, or leave .incident.yaml out with --no-project; nothing was sent";

/** The flags as a definition; `complete` adds the answers of a person. Throws a `Failure` "usage" that names the refused flags. */
export async function readFlags(
  context: RunContext,
  flags: CheckFlags & IncidentFlags,
  complete = async (draft: Draft, _catalog: Catalog) => draft,
): Promise<LocatedDefinition> {
  const { diagnostics, loadOptions, warnOfUnused } = await prepareChecks(context, flags);
  if (diagnostics.length > 0) throw invalidFailure(diagnostics, projectHint);
  const { catalog } = loadOptions;
  const draft = await complete(await readValues(flags, catalog), catalog);
  warnOfUnused();
  const { checkDefinition } = await import("../../source/definitions.ts");
  const { value, problems } = checkDefinition(withDraft({}, draft, flags.startedAt), loadOptions);
  tellProblems(context, problems);
  const place: Location = { file: "<flags>", start, end: start, source: "" };
  return { definition: value as Definition, place };
}

const start = { line: 1, column: 1 };

function flagAt(path: Problem["path"]): string {
  const inOrder = path[0] === "services" ? path : path.toReversed();
  const field = inOrder.find((step) => flagOf.has(String(step)));
  return flagOf.get(String(field)) ?? String(path.at(-1));
}

/** Throws a `Failure` "usage" for all errors, else warns. */
function tellProblems({ warn }: RunContext, problems: readonly Problem[]): void {
  const words = ({ code, message, path }: Problem) => `${flagAt(path)}: ${message} [${code}]`;
  throwAll(problems.filter(isError).map((each) => new Failure("usage", words(each), { hint: each.hint })));
  for (const each of problems) warn(`${words(each)}; ${each.hint}`);
}

/** Fields of a definition that a change does not have. */
const standIn = {
  name: "An incident",
  services: [{ name: "A service", id: "00000000-0000-4000-8000-000000000000" }],
  incidentUpdates: [{ description: "A text" }],
};

/** Checks changed fields as those of a definition. `severity`: of the incident, once it is read; warnings are told before that. */
export async function checkChange(
  context: RunContext,
  changed: Fields,
  severity?: string,
  addUpdate?: AddUpdate,
): Promise<void> {
  const { checkDefinition, defaultLoadOptions } = await import("../../source/definitions.ts");
  const project = await context.workspace.project();
  if (project.diagnostics.length > 0) throw invalidFailure(project.diagnostics, projectHint);
  const known = severities.find((each) => each === severity) ?? ("MINOR" satisfies Severity);
  const { textsIn } = await import("../../source/variables.ts");
  throwAll(textsIn(changed).map(refusedVariable));
  const rules = addUpdate && (await import("../../document/check-body.ts"));
  const firstOf = (definition: unknown) => fieldOf(fieldOf(definition, "incidentUpdates"), "0");
  const contract: LoadOptions["contract"] =
    rules && ((definition) => rules.checkUpdate(addUpdate, firstOf(definition), 0));
  const options = { ...defaultLoadOptions(), policy: await context.workspace.policy(), contract };
  const { problems } = checkDefinition({ ...standIn, severity: known, ...changed }, options);
  // Problems of `standIn` are not problems of the change.
  const own = problems
    .filter((each) => isError(each) || severity === undefined)
    // No flag gives an id: the service itself answers whether it needs one.
    .filter(({ path }) => ownValue(changed, String(path[0])) !== undefined && path.at(-1) !== "id")
    .filter(({ code }) => code !== "policy-notify" || severity !== undefined);
  tellProblems(context, own);
}

/** The texts of an update are sent as they are. */
function refusedVariable({ path, text }: PublicText): Failure | undefined {
  const [reference] = /\$\{[^\s}]*\}?/.exec(text) ?? [];
  if (reference === undefined) return undefined;
  return new Failure("usage", `${flagAt(path)}: an update has no variables, and this is one: ${reference}`, {
    hint: "write the text itself",
  });
}
