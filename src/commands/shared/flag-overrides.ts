// Flags that set a field of a definition, such as --severity: validated on their own, then written over the
// fields of the file.
import { Failure } from "../../failure.ts";
import { fieldsOfIncident, fieldsOfUpdate, type TextField, textFields } from "../../incident/fields.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Flags } from "../../kit/flags.ts";
import { fieldFlags, notifyFlags } from "../../kit/shared-flags.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { type Fields, isMapping, ownValue } from "../../untrusted-data.ts";
import { findServices } from "./find-services.ts";

const incidentFlags = { ...fieldFlags, ...notifyFlags };

/** The flags of a definition. `startedAt` is the date-time of the first update. */
export type IncidentFlags = {
  readonly [K in keyof typeof incidentFlags]?: Flags<typeof incidentFlags>[K] | undefined;
};

/** The flag that sets each field of a definition. */
export const flagOf: ReadonlyMap<string, string> = new Map([
  ...textFields.map(({ flag, name }) => [name, `--${flag}`] as const),
  ["services", "--service"],
  ["incidentUpdates", "--message"],
  ["notifySubscribers", "--notify"],
]);

/** The text that a flag or an answer gives a field. */
function textIn(values: object, { key }: TextField): string | undefined {
  return ownValue(values as Fields, key) as string | undefined;
}

/** Whether the flags set every field that a definition needs. */
export function isComplete(flags: IncidentFlags): boolean {
  const needed = textFields.filter(({ isRequired }) => isRequired);
  return flags.service !== undefined && needed.every((field) => textIn(flags, field) !== undefined);
}

/** The document with the fields of the flags. Throws a `Failure` where the flags are ambiguous. */
type Override = (document: unknown) => unknown;

/** The flags that set a field. */
export function fieldsOf(flags: IncidentFlags): IncidentFlags {
  return withoutUndefined(Object.fromEntries(fieldNames.map((name) => [name, flags[name]])));
}

const fieldNames = Object.keys(incidentFlags) as (keyof IncidentFlags)[];

/** `undefined` where no flag sets a field. Throws a `Failure` "usage" for an invalid value. */
export async function createOverride(
  context: RunContext,
  flags: IncidentFlags,
  catalog: () => Catalog,
): Promise<Override | undefined> {
  const [first] = Object.keys(fieldsOf(flags));
  if (first === undefined) return undefined;
  if (/^(?:-|@\S+)$/.test(flags.message ?? "")) {
    throw new Failure("usage", `--message takes the text itself, not a file or stdin: ${flags.message}`, {
      hint: 'let the shell read the file: --message "$(cat FILE)"',
    });
  }
  const validateField = await createFieldValidator();
  const validate = (field: TextField): string | undefined => {
    const given = textIn(flags, field);
    const value = matchCase(given, field.rules.enum?.map(String) ?? []);
    const diagnostic = value === undefined ? undefined : validateField(field, value);
    if (diagnostic === undefined) return value;
    throw new Failure("usage", `--${field.flag}: ${diagnostic.message}`, { hint: diagnostic.hint });
  };
  const textsOf = (fields: readonly TextField[]) =>
    Object.fromEntries(fields.map((field) => [field.name, validate(field)]));
  const services = flags.service && (await findServices(context, flags.service, catalog));
  const fields = withoutUndefined({ ...textsOf(fieldsOfIncident), services });
  const notifySubscribers = flags.notify ? true : flags.noNotify ? false : undefined;
  const update = withoutUndefined({ ...textsOf(fieldsOfUpdate), notifySubscribers });
  const flag = `--${first.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  let documents = 0;
  return (document) => {
    documents += 1;
    if (documents > 1) throw ambiguous(flag, "there are several definitions");
    if (!isMapping(document)) return document;
    const changed = { ...document, ...fields };
    const updates =
      Object.keys(update).length === 0 ? changed.incidentUpdates : mergeUpdate(document, update);
    const updated = updates === undefined ? changed : { ...changed, incidentUpdates: updates };
    return dateFirst(updated, flags.startedAt);
  };
}

function mergeUpdate(document: Fields, update: Fields): unknown {
  const { incidentUpdates } = document;
  if (incidentUpdates === undefined) return [update];
  if (!Array.isArray(incidentUpdates)) return incidentUpdates;
  const [only, ...others] = incidentUpdates as unknown[];
  if (others.length > 0) {
    const [field = ""] = Object.keys(update);
    throw ambiguous(flagOf.get(field) ?? field, `the definition has ${others.length + 1} updates`);
  }
  return only === undefined ? [update] : [isMapping(only) ? { ...only, ...update } : only];
}

/** The document with `date` as the date of its first update. */
export function dateFirst(document: Fields, date: string | undefined): Fields {
  const { incidentUpdates: updates } = document;
  if (date === undefined || !Array.isArray(updates) || !isMapping(updates[0])) return document;
  const first = { ...updates[0], publicIncidentUpdateDate: date };
  return { ...document, incidentUpdates: [first, ...updates.slice(1)] };
}

function ambiguous(flag: string, why: string): Failure {
  return new Failure("usage", `${flag} is ambiguous: ${why}`, {
    hint: "change the file instead, or give one definition at a time; nothing was sent",
  });
}

/** Loads the check. The validator returns the first diagnostic of a value. */
export async function createFieldValidator() {
  const { checkValue } = await import("../../source/check.ts");
  const { schemaOf } = await import("../../rules/schema.ts");
  const position = { line: 1, column: 1 };
  const locate = () => ({ file: "<flags>", start: position, end: position, source: "" });
  return ({ name, rules }: TextField, value: string) =>
    checkValue(schemaOf(rules), value, locate, name).diagnostics[0];
}

/** The allowed value that differs in letter case alone; any other value unchanged, for the validator to refuse. */
function matchCase(value: string | undefined, allowed: readonly string[]): string | undefined {
  return allowed.find((candidate) => candidate.toLowerCase() === value?.toLowerCase()) ?? value;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
