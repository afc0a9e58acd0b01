// The flags that set a field of a definition, such as --severity: checked on their own, then written over the fields of
// the file.
import { Failure } from "../../failure.ts";
import { fieldsOfIncident, fieldsOfUpdate, type Service, textFields } from "../../incident/definition.ts";
import type { TextField } from "../../incident/field.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Flags } from "../../kit/flags.ts";
import { fieldFlags, notifyFlags } from "../../kit/shared-flags.ts";
import { isGuid } from "../../rules/forms.ts";
import { readSourceOrStdin } from "../../source/read-source.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { advise } from "../../text/advice.ts";
import { decodeUtf8, type Fields, isMapping, ownValue } from "../../untrusted-data.ts";
import { servicesAdvice } from "./rehearsal.ts";

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

/** The input with the text of stdin in the place of `--message -`, so that a command that is printed has the text. */
export async function withTextOfStdin<
  I extends { readonly flags: { readonly message?: string | undefined } },
>(context: RunContext, input: I): Promise<I> {
  if (input.flags.message !== "-") return input;
  const text = decodeUtf8((await readSourceOrStdin(context, "-")).bytes);
  if (text === undefined)
    throw new Failure("usage", "--message -: stdin is no text in UTF-8", {
      hint: "convert it to UTF-8; nothing was sent",
    });
  return { ...input, flags: { ...input.flags, message: text.trim() } };
}

/** `undefined` where no flag sets a field. Throws a `Failure` "usage" for an invalid value. */
export async function createOverride(
  context: RunContext,
  flags: IncidentFlags,
  catalog: () => Catalog,
): Promise<Override | undefined> {
  const [first] = Object.keys(fieldsOf(flags));
  if (first === undefined) return undefined;
  if (/^(?:-|@\S+)$/.test(flags.message ?? "")) {
    throw new Failure("usage", `--message takes the text itself: ${flags.message}`, {
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
  const position = { line: 1, column: 1 };
  const locate = () => ({ file: "<flags>", start: position, end: position, source: "" });
  return ({ name, rules }: TextField, value: string) => checkValue(rules, value, locate, name).diagnostics[0];
}

/** The allowed value that differs in letter case alone; any other value unchanged, for the validator to refuse. */
function matchCase(value: string | undefined, allowed: readonly string[]): string | undefined {
  return allowed.find((candidate) => candidate.toLowerCase() === value?.toLowerCase()) ?? value;
}

function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Throws a `Failure`: "usage" for an unknown service, "invalid" for a catalog with errors. */
export async function findServices(
  context: RunContext,
  given: readonly string[],
  catalog: () => Catalog,
): Promise<readonly Service[]> {
  const { unknownService } = await import("../../source/resolve-services.ts");
  const find = async (text: string) => {
    const { name, id } = parseService(text);
    const several = text.split(",").map((part) => part.trim());
    const isList = several.length > 1 && several.some((part) => catalog().services.has(part));
    if (name !== undefined && id !== undefined && !isList) return { name, id };
    const { services } = checkedCatalog(catalog());
    const byName = services.get(text);
    if (byName !== undefined) return byName;
    const [byTitle, ...others] = [...services.values()].filter((service) => service.name === text);
    if (byTitle !== undefined && others.length === 0) return byTitle;
    if (id !== undefined && !isList) return knownService(context, id, services);
    if (several.length > 1) {
      throw new Failure("usage", `--service takes one service, and "${text}" has a comma`, {
        hint: `repeat it: ${several.map((part) => `--service ${/\s/.test(part) ? `"${part}"` : part}`).join(" ")}`,
      });
    }
    const [, title, guid = ""] = /^(.+?)[\s:]+(\S+)$/.exec(text) ?? [];
    if (isGuid(guid)) {
      throw new Failure("usage", `--service: an equals sign separates the name from the GUID in "${text}"`, {
        hint: `write --service "${title}=${guid}"`,
      });
    }
    if (text.includes("=")) {
      throw new Failure("usage", `--service: the text after "=" in "${text}" is not a GUID`, {
        hint: advise`write NAME=GUID; ${servicesAdvice(context)}`,
      });
    }
    const instead = ", or write --service NAME=GUID";
    const { message, hint, example } = unknownService(text, catalog(), instead, servicesAdvice(context));
    throw new Failure("usage", `--service: ${message}`, { hint, example });
  };
  return Promise.all(given.map(find));
}

/**
 * Splits NAME=GUID at its last equals sign. A GUID alone has no name, and the name of the catalog no id. A list of several
 * has neither.
 */
function parseService(text: string): { readonly name?: string; readonly id?: string } {
  if (isGuid(text)) return { id: text };
  const at = text.lastIndexOf("=");
  const [name, id] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (at <= 0 || name === "" || !isGuid(id)) return {};
  return name.split(",").some((part) => parseService(part.trim()).id !== undefined) ? {} : { name, id };
}

async function knownService(
  context: RunContext,
  id: string,
  services: Catalog["services"],
): Promise<Service> {
  const inCatalog = [...services.values()].find((service) => service.id.toLowerCase() === id.toLowerCase());
  if (inCatalog !== undefined) return inCatalog;
  const { findSentServices } = await import("../../journal/sent-creates.ts");
  const [sent] = await findSentServices(context, context.workspace.stateDirectory.value, id);
  if (sent !== undefined) return sent;
  throw new Failure("usage", `--service: neither the catalog nor the journal knows a service ${id}`, {
    hint: `write its name as well: --service "NAME=${id}"`,
  });
}

/** Throws a `Failure` "invalid" with the diagnostics of a catalog that is not valid. */
export function checkedCatalog(catalog: Catalog): Catalog {
  if (catalog.diagnostics.length === 0) return catalog;
  throw new Failure("invalid", `the catalog in ${catalog.file} cannot be used`, {
    hint: "correct the problems above; nothing was sent",
    diagnostics: catalog.diagnostics,
  });
}
