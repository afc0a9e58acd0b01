// Flags that set a field of a definition, such as --severity: validated on their own, then written over the
// fields of the file.
import { Failure } from "../../failure.ts";
import { severities, statuses } from "../../incident/values.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Flags } from "../../kit/flags.ts";
import { fieldFlags, notifyFlags } from "../../kit/shared-flags.ts";
import { type Fields, isMapping } from "../../own-value.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { findServices } from "./find-services.ts";

const incidentFlags = { ...fieldFlags, ...notifyFlags };

/** The flags of a definition. `startedAt` is the date-time of the first update. */
export type IncidentFlags = {
  readonly [K in keyof typeof incidentFlags]?: Flags<typeof incidentFlags>[K] | undefined;
};

/** The flag that sets each field of a definition. */
export const flagOf: ReadonlyMap<string, string> = new Map([
  ["name", "--name"],
  ["severity", "--severity"],
  ["services", "--service"],
  ["incidentUpdates", "--message"],
  ["description", "--message"],
  ["status", "--status"],
  ["notifySubscribers", "--notify"],
]);

/** Whether the flags set every field that a definition needs. */
export function isComplete({ name, severity, service, message }: IncidentFlags): boolean {
  return [name, severity, service, message].every((value) => value !== undefined);
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
  if (flags.notify && flags.noNotify) {
    throw new Failure("usage", "--notify and --no-notify cannot be used together", { hint: "leave one out" });
  }
  if (/^(?:-|@\S+)$/.test(flags.message ?? "")) {
    throw new Failure("usage", `--message takes the text itself, not a file or stdin: ${flags.message}`, {
      hint: 'let the shell read the file: --message "$(cat FILE)"',
    });
  }
  const validateField = await createFieldValidator();
  const validate = (field: keyof typeof flagFields, value: string | undefined): string | undefined => {
    const diagnostic = value === undefined ? undefined : validateField(field, value);
    if (diagnostic === undefined) return value;
    throw new Failure("usage", `${flagOf.get(field)}: ${diagnostic.message}`, { hint: diagnostic.hint });
  };
  const services = flags.service && (await findServices(context, flags.service, catalog));
  const fields = withoutUndefined({
    name: validate("name", flags.name),
    severity: validate("severity", matchCase(flags.severity, severities)),
    services,
  });
  const update = withoutUndefined({
    description: validate("description", flags.message),
    status: validate("status", matchCase(flags.status, statuses)),
    notifySubscribers: flags.notify ? true : flags.noNotify ? false : undefined,
  });
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

/** The fields that a flag sets with one text. */
const flagFields = {
  name: "name",
  severity: "severity",
  description: "incidentUpdates[].description",
  status: "incidentUpdates[].status",
} as const;

/** Loads the rules of the fields. The validator returns the first diagnostic of a value. */
export async function createFieldValidator() {
  const { definitionRules } = await import("../../incident/definition.ts");
  const { rulesOf } = await import("../../rules/schema-facts.ts");
  const { checkValue } = await import("../../source/check.ts");
  const position = { line: 1, column: 1 };
  const locate = () => ({ file: "<flags>", start: position, end: position, source: "" });
  return (field: keyof typeof flagFields, value: string) =>
    checkValue(rulesOf(definitionRules, flagFields[field]) ?? {}, value, locate, field).diagnostics[0];
}

/** The allowed value that differs in letter case alone; any other value unchanged, for the validator to refuse. */
function matchCase(value: string | undefined, allowed: readonly string[]): string | undefined {
  return allowed.find((candidate) => candidate.toLowerCase() === value?.toLowerCase()) ?? value;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
