// Flags that say what a field of a definition is, such as --severity: judged by themselves, then put in the place
// of what the file says.
import { Failure } from "../../failure.ts";
import { severities, statuses } from "../../incident/definition.ts";
import type { Catalog } from "../../source/catalog.ts";

export interface IncidentFlags {
  readonly name?: string | undefined;
  readonly severity?: string | undefined;
  /** Names of the catalog. */
  readonly service?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly status?: string | undefined;
  readonly notify?: boolean | undefined;
  readonly noNotify?: boolean | undefined;
}

/** Whether the flags say all that a definition needs. */
export function isComplete({ name, severity, service, message }: IncidentFlags): boolean {
  return [name, severity, service, message].every((value) => value !== undefined);
}

export interface Override {
  /** The document with the fields of the flags. Throws a `Failure` where they could mean several things. */
  readonly apply: (document: unknown) => unknown;
}

/** Of a command's flags, those that say what a field is. */
export function fieldsOf({ name, severity, service, message, status, notify, noNotify }: IncidentFlags) {
  const flags = { name, severity, service, message, status, notify, noNotify };
  return Object.fromEntries(
    Object.entries(flags).filter(([, value]) => value !== undefined),
  ) as IncidentFlags;
}

type Fields = Readonly<Record<string, unknown>>;

/** `undefined` where no flag says anything. Throws a `Failure` "usage" for a flag with a value that no field has. */
export async function createOverride(
  flags: IncidentFlags,
  catalog: () => Catalog,
): Promise<Override | undefined> {
  const [first] = Object.keys(fieldsOf(flags));
  if (first === undefined) return undefined;
  if (flags.notify && flags.noNotify) {
    throw new Failure("usage", "--notify and --no-notify cannot both be meant", { hint: "leave one out" });
  }
  const check = await createCheck();
  const services = flags.service && (await findServices(flags.service, catalog()));
  const fields = present({
    name: check("--name", "name", flags.name),
    severity: check("--severity", "severity", inCase(flags.severity, severities)),
    services,
  });
  const update = present({
    description: check("--message", "description", flags.message),
    status: check("--status", "status", inCase(flags.status, statuses)),
    notifySubscribers: flags.notify ? true : flags.noNotify ? false : undefined,
  });
  const flag = `--${first === "noNotify" ? "no-notify" : first}`;
  let documents = 0;
  return {
    apply: (document) => {
      documents += 1;
      if (documents > 1) throw ambiguous(flag, "there are several definitions");
      if (!isMapping(document)) return document;
      const changed = { ...document, ...fields };
      return Object.keys(update).length === 0
        ? changed
        : { ...changed, incidentUpdates: merged(document, update) };
    },
  };
}

function merged(document: Fields, update: Fields): unknown {
  const { incidentUpdates } = document;
  if (incidentUpdates === undefined) return [update];
  if (!Array.isArray(incidentUpdates)) return incidentUpdates;
  const [only, ...others] = incidentUpdates as unknown[];
  if (others.length > 0) {
    const flag = { description: "--message", status: "--status" }[Object.keys(update)[0] ?? ""] ?? "--notify";
    throw ambiguous(flag, `the definition has ${others.length + 1} updates`);
  }
  return only === undefined ? [update] : [isMapping(only) ? { ...only, ...update } : only];
}

function ambiguous(flag: string, why: string): Failure {
  return new Failure("usage", `${flag} could mean any of several: ${why}`, {
    hint: "change the file instead, or give one definition at a time; nothing was sent",
  });
}

/** What is wrong with a field's value, and what to write instead. */
export async function createJudge() {
  const { fieldSchema } = await import("../../incident/definition.ts");
  const { checkValue } = await import("../../source/check.ts");
  const position = { line: 1, column: 1 };
  const locate = () => ({ file: "<flags>", start: position, end: position, source: "" });
  return (field: Parameters<typeof fieldSchema>[0], value: string) =>
    checkValue<unknown>(fieldSchema(field), { [field]: value }, locate).diagnostics[0];
}

/** Judges a flag's value by the field that it stands for. */
async function createCheck() {
  const judge = await createJudge();
  return (
    flag: string,
    field: Parameters<typeof judge>[0],
    value: string | undefined,
  ): string | undefined => {
    const problem = value === undefined ? undefined : judge(field, value);
    if (problem === undefined) return value;
    throw new Failure("usage", `${flag}: ${problem.message}`, { hint: problem.hint });
  };
}

async function findServices(names: readonly string[], catalog: Catalog): Promise<readonly unknown[]> {
  const { unknownService } = await import("../../source/catalog.ts");
  if (catalog.diagnostics.length > 0) {
    throw new Failure("invalid", `the catalog in ${catalog.file} cannot be used`, {
      hint: "correct what is named above; nothing was sent",
      diagnostics: catalog.diagnostics,
    });
  }
  return names.map((name) => {
    const service = catalog.services.get(name);
    if (service !== undefined) return service;
    const { message, hint } = unknownService(name, catalog);
    throw new Failure("usage", `--service: ${message}`, { hint });
  });
}

/** The allowed value that is the same but for its letter case; anything else stays, to be refused as it is. */
function inCase(value: string | undefined, allowed: readonly string[]): string | undefined {
  return allowed.find((candidate) => candidate.toLowerCase() === value?.toLowerCase()) ?? value;
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isMapping(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
