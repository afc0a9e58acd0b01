// The services of a run: those that a text names, those that a person can choose from, and those that a create accepts.
import type { Client } from "../../api/client.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { Failure, ignoreFailure } from "../../failure.ts";
import { type Service, serviceFields } from "../../incident/definition.ts";
import { isSameId } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import { isGuid } from "../../rules/forms.ts";
import { type Catalog, importAdvice, unknownService } from "../../source/resolve-services.ts";
import { shell } from "../../text/advice.ts";

/** Throws a `Failure` "invalid" with the diagnostics of a catalog that is not valid. */
export function checkedCatalog(catalog: Catalog): Catalog {
  if (catalog.diagnostics.length === 0) return catalog;
  throw new Failure("invalid", `the catalog in ${catalog.file} cannot be used`, {
    hint: "correct the problems above",
    diagnostics: catalog.diagnostics,
  });
}

/** A name or a GUID of the catalog, or NAME=GUID. Throws a `Failure`: "usage" for none, "invalid" for a catalog with errors. */
export function findService(text: string, catalog: Catalog): Service {
  const parts = text.split(",").map((part) => part.trim());
  const isService = (part: string) => isGuid(part.slice(-36)) || catalog.services.has(part);
  if (parts.slice(0, -1).some(isService))
    throw new Failure("usage", `--service takes one service, and "${text}" has a comma`, {
      hint: `repeat it: ${parts.map((part) => shell`--service ${part}`).join(" ")}`,
    });
  const [, name = "", id = ""] = /^(.*)=(.*)$/s.exec(text)?.map((part) => part.trim()) ?? [];
  if (name !== "" && isGuid(id)) return { name, id };
  const { services } = checkedCatalog(catalog);
  const all = [...services.values()];
  const [titled, ...others] = all.filter((service) => service.name === text);
  const named = services.get(text) ?? (others.length === 0 ? titled : undefined);
  const found = named ?? all.find((service) => isSameId(service.id, text));
  if (found !== undefined) return found;
  if (text.includes("=") || isGuid(text.slice(-36)))
    throw new Failure("usage", `--service: the catalog has no service "${text}"`, {
      hint: `write its name and its GUID, as NAME=GUID; ${importAdvice}`,
    });
  const { message, hint, example } = unknownService(text, catalog, ", or write --service NAME=GUID");
  throw new Failure("usage", `--service: ${message}`, { hint, example });
}

/** The services to choose from: of the catalog, else of the service. Throws a `Failure` "usage" for none. */
export async function offerServices(context: RunContext, client: Client, { services }: Catalog) {
  if (services.size > 0) return [...services.values()];
  const known = await operationsOf(context, client.settings);
  const list = known instanceof Failure ? undefined : known.services;
  // A person waits for the question.
  const listed = list && (await client.list("services", list, { budget: 2000 }).catch(ignoreFailure));
  const usable = await usableServices(context, listed?.entries ?? [], "the list");
  if (usable.length > 0) return usable;
  throw new Failure("usage", "no service is known to choose from", {
    hint: `give it as --service NAME=GUID; ${importAdvice}; nothing was sent`,
  });
}

/** The services that a create accepts. Warns of each other one. */
export async function usableServices({ warn }: RunContext, entries: readonly unknown[], place: string) {
  const { serviceSchema } = await import("../../incident/schemas.ts");
  // A create would send back fields that the service fills in.
  const fields = serviceFields.filter(({ isFilledIn }) => !isFilledIn).map(({ name }) => name);
  return entries.flatMap((entry): Service[] => {
    const own = Object.entries(entry ?? {}).filter(([name]) => fields.includes(name));
    const { data } = serviceSchema().safeParse(Object.fromEntries(own));
    if (data !== undefined) return [data];
    warn(`a service of ${place} is left out: it has no usable id and name`);
    return [];
  });
}
