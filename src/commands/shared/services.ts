// The services of a run: those that a text of a person names, those that a person can choose from, and those that a create
// accepts.
import type { Client } from "../../api/client.ts";
import { connectTo } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Reporter } from "../../platform/context.ts";
import { isGuid } from "../../rules/forms.ts";
import { ownServices } from "../../sandbox/own-services.ts";
import { type Catalog, importAdvice, unknownService } from "../../source/resolve-services.ts";
import { type Advice, advise } from "../../text/advice.ts";
import { sandboxPin } from "./questions.ts";

/** Throws a `Failure` "invalid" with the diagnostics of a catalog that is not valid. */
export function checkedCatalog(catalog: Catalog): Catalog {
  if (catalog.diagnostics.length === 0) return catalog;
  throw new Failure("invalid", `the catalog in ${catalog.file} cannot be used`, {
    hint: "correct the problems above; nothing was sent",
    diagnostics: catalog.diagnostics,
  });
}

/** Throws a `Failure`: "usage" for an unknown service, "invalid" for a catalog with errors. */
export function findServices(
  context: RunContext,
  given: readonly string[],
  catalog: () => Catalog,
): readonly Service[] {
  return given.map((text) => findService(context, text, catalog));
}

/** A name of the catalog, NAME=GUID, or a GUID of the catalog. The name of a service may have a comma. */
function findService(context: RunContext, text: string, catalog: () => Catalog): Service {
  const parts = text.split(",").map((part) => part.trim());
  const isService = (part: string) => isGuid(part.slice(-36)) || catalog().services.has(part);
  const [, name = "", id = ""] = /^(.*)=(.*)$/s.exec(text)?.map((part) => part.trim()) ?? [];
  if (name !== "" && isGuid(id) && !parts.slice(0, -1).some(isService)) return { name, id };
  const { services } = checkedCatalog(catalog());
  const all = [...services.values()];
  const [titled, ...others] = all.filter((service) => service.name === text);
  const named = services.get(text) ?? (others.length === 0 ? titled : undefined);
  if (named !== undefined) return named;
  const known = all.find((service) => service.id.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  throw notFound(context, text, parts, catalog());
}

function notFound(context: RunContext, text: string, parts: readonly string[], catalog: Catalog): Failure {
  if (isGuid(text))
    return new Failure("usage", `--service: the catalog has no service ${text}`, {
      hint: `write its name as well: --service "NAME=${text}"`,
    });
  const quoted = parts.map((part) => `--service ${/\s/.test(part) ? `"${part}"` : part}`);
  if (parts.length > 1)
    return new Failure("usage", `--service takes one service, and "${text}" has a comma`, {
      hint: `repeat it: ${quoted.join(" ")}`,
    });
  const [, title, id = ""] = /^(.+?)[\s:]+(\S+)$/.exec(text) ?? [];
  if (isGuid(id))
    return new Failure("usage", `--service: an equals sign separates the name from the GUID in "${text}"`, {
      hint: `write --service "${title}=${id}"`,
    });
  if (text.includes("="))
    return new Failure("usage", `--service: the text after "=" in "${text}" is not a GUID`, {
      hint: advise`write NAME=GUID; ${servicesAdvice(context)}`,
    });
  const instead = ", or write --service NAME=GUID";
  const { message, hint, example } = unknownService(text, catalog, instead, servicesAdvice(context));
  return new Failure("usage", `--service: ${message}`, { hint, example });
}

/** Where the services of definitions come from. The import of a rehearsal is refused: it names one of the sandbox. */
export function servicesAdvice({ system }: Pick<RunContext, "system">): Advice {
  const [own] = ownServices;
  if (own === undefined || sandboxPin(system) === undefined) return importAdvice;
  return advise`in this sandbox, --service "${own.name}=${own.id}" works`;
}

/** The most services that are read. */
export const mostServices = 1000;

/** Milliseconds that a question waits for the list. */
const longestWait = 2000;

/**
 * The services that a person can choose from: those of the catalog, else of the service's list, which is read while other
 * questions are answered, else the sandbox's own. A list that cannot be read is empty: a choice needs none.
 */
export function offerServices(context: RunContext, client: Client | undefined, { services }: Catalog) {
  const { system } = context;
  const end = new AbortController();
  const hasCatalog = services.size > 0;
  const listed = client === undefined || hasCatalog ? [] : list(context, client, end.signal).catch(() => []);
  return {
    /** Waits at most two seconds for the list. */
    async read(): Promise<readonly Service[]> {
      if (hasCatalog) return [...services.values()];
      system.abortAfter(longestWait, undefined).addEventListener("abort", () => end.abort());
      const known = await listed;
      return known.length === 0 && sandboxPin(system) !== undefined ? ownServices : known;
    },
    stop: () => end.abort(),
  };
}

async function list(context: RunContext, { deadline, settings }: Client, end: AbortSignal) {
  const { system } = context;
  const quiet = {
    ...context,
    system: { ...system, signal: AbortSignal.any([system.signal, end]) },
    warn: () => undefined,
    progress: () => undefined,
    withSpinner: <T>(_: () => string, work: () => Promise<T>) => work(),
  };
  const known = await operationsOf(quiet, settings);
  const operation = known.isKnown ? known.operations.services : undefined;
  if (operation === undefined) return [];
  const { secrets } = await context.workspace.journal();
  const { client } = connectTo(quiet, settings, { timeout: deadline, maxRetries: 0 }, secrets);
  const { entries } = await client.listServices(operation, { most: mostServices });
  return usableServices(quiet, entries, "the list");
}

/** The services that a create accepts. Warns of each other one. */
export async function usableServices(
  { warn }: Pick<Reporter, "warn">,
  entries: readonly unknown[],
  place: string,
): Promise<Service[]> {
  const { serviceRules } = await import("../../incident/definition.ts");
  const { schemaOf } = await import("../../rules/schema.ts");
  const { fieldsOf } = await import("../../rules/schema-facts.ts");
  // A create would send back fields that the service fills in.
  const fields = fieldsOf(serviceRules).filter((name) => !/^(?:cre|upd)ated_at$/.test(name));
  return entries.flatMap((entry) => {
    const own = Object.entries(entry ?? {}).filter(([name]) => fields.includes(name));
    const { data } = schemaOf(serviceRules).safeParse(Object.fromEntries(own));
    if (data !== undefined) return [data];
    warn(`a service of ${place} is left out: it has no usable id and name`);
    return [];
  });
}
