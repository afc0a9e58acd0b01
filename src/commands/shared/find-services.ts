// The services that `--service` names: by a name of the catalog or the displayed name of one entry, as NAME=GUID, or by a
// GUID that the catalog or the journal of this machine knows.
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { isGuid } from "../../rules/forms.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { advise } from "../../text/advice.ts";

/** Throws a `Failure`: "usage" for an unknown service, "invalid" for a catalog with errors. */
export async function findServices(
  context: RunContext,
  given: readonly string[],
  catalog: () => Catalog,
): Promise<readonly Service[]> {
  const { importAdvice, unknownService } = await import("../../source/resolve-services.ts");
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
        hint: advise`write NAME=GUID; ${importAdvice}`,
      });
    }
    const { message, hint, example } = unknownService(text, catalog(), ", or write --service NAME=GUID");
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
  for await (const sent of findSentServices(context, context.workspace.stateDirectory.value, id)) return sent;
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
