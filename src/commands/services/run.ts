// `incident services`: the project's catalog, which gives services names that definitions can use. The API has no
// operation that lists services (spec 4), so they are taken from incidents that carry them.
import { relative, resolve } from "node:path";
import { connect } from "../../api/connect.ts";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import { isGuid } from "../../incident/rules.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { findProjectFile, projectFileName } from "../../settings/project.ts";
import type { Catalog } from "../../source/catalog.ts";
import type { YamlEdit } from "../../source/yaml.ts";
import type { GlobalFlags, Run } from "../define-command.ts";
import { confirm } from "../shared/confirm.ts";
import { openLoadOptions } from "../shared/load-options.ts";

export const list: Run = async (context, { global }) => {
  const { file, services } = await readCatalog(context, global);
  const entries = Object.fromEntries(services);
  if (services.size === 0)
    context.info(`there is no service in ${file}; see incident services import --help`);
  return {
    data: entries,
    ids: [...services.values()].map(({ id }) => id),
    page: async (style) => {
      const { renderTable } = await import("../../view/terminal/table.ts");
      const rows = [...services].map(([name, service]) => [
        style.line(name),
        style.line(service.name),
        style.line(service.id),
      ]);
      return rows.length === 0 ? "" : renderTable(style, ["NAME", "SERVICE", "ID"], rows);
    },
  };
};

/** What became of a service: `same` is left as it is. */
type Outcome = "added" | "changed" | "same";

interface Entry {
  readonly name: string;
  readonly outcome: Outcome;
  readonly service: Service;
}

export const importFrom: Run = async (context, { operands, global }) => {
  const odd = operands.find((id) => !isGuid(id));
  if (odd !== undefined) {
    throw new Failure("usage", `"${odd}" cannot be an incident's id`, {
      hint: "an id is a GUID, such as 7c9e6679-7425-40de-944b-e07fc1f90ae7; nothing was changed",
    });
  }
  if (global.noProject) {
    throw new Failure("usage", "the catalog is in the project's file, and --no-project leaves that out", {
      hint: "leave --no-project out; nothing was changed",
    });
  }
  const catalog = await readCatalog(context, global);
  const client = await connect(context, global);
  const entries = new Map<string, Entry>();
  for (const id of operands) {
    const incident = await client.getIncident(id);
    for (const service of await servicesOf(context, incident)) {
      const entry = place(service, catalog, entries);
      entries.set(entry.name, entry);
    }
  }
  const edits = [...entries.values()].filter(({ outcome }) => outcome !== "same");
  const changed = edits.filter(({ outcome }) => outcome === "changed").map(({ name }) => name);
  const which = `${changed.length === 1 ? "service" : "services"} ${changed.join(", ")}`;
  if (changed.length > 0) await confirm(context, global, `change the ${which} in ${catalog.file}?`);
  if (edits.length > 0) await write(context, catalog.file, edits);
  for (const { name, outcome } of entries.values()) context.info(`${outcome} ${name}`);
  return { data: [...entries.values()] };
};

/** The catalog that can be used. Throws a `Failure` "invalid" with what is wrong with it. */
async function readCatalog(context: Context & Reporter, { noProject }: GlobalFlags): Promise<Catalog> {
  const catalog = (await openLoadOptions(context, { noProject })).loadOptions.catalog();
  if (catalog.diagnostics.length === 0) return catalog;
  throw new Failure("invalid", `the catalog in ${catalog.file} cannot be used`, {
    hint: "correct what is named above",
    diagnostics: catalog.diagnostics,
  });
}

/** The services of an answer that a create would take; the others are told. */
async function servicesOf(context: Reporter, incident: Incident): Promise<readonly Service[]> {
  const { serviceSchema } = await import("../../incident/definition.ts");
  const fields = Object.keys(serviceSchema.shape);
  const found = Array.isArray(incident.services) ? (incident.services as unknown[]) : [];
  return found.flatMap((entry) => {
    const known = Object.entries(entry ?? {}).filter(([name]) => fields.includes(name));
    const { success, data } = serviceSchema.safeParse(Object.fromEntries(known));
    if (success) return [data];
    context.warn(`a service of ${incident.id} is left out: it has no usable id and name`);
    return [];
  });
}

/** Where a service belongs: in the entry with its id, else in a new one that is named after it. */
function place(service: Service, catalog: Catalog, entries: ReadonlyMap<string, Entry>): Entry {
  const known = new Map([
    ...catalog.services,
    ...[...entries.values()].map((entry) => [entry.name, entry.service] as const),
  ]);
  const same = [...known].find(([, other]) => other.id.toLowerCase() === service.id.toLowerCase());
  if (same === undefined) return { name: freeName(service.name, known), outcome: "added", service };
  const [name, before] = same;
  const earlier = entries.get(name);
  if (earlier !== undefined) return earlier;
  return { name, outcome: isSame(before, service) ? "same" : "changed", service };
}

function isSame(one: Service, other: Service): boolean {
  const text = (service: Service) => JSON.stringify(Object.entries(service).sort());
  return text(one) === text(other);
}

/** A name that is easy to type: `Public API` becomes `public-api`, and `public-api-2` where that is taken. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ["service"];
  const plain = words.join("-");
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? plain : `${plain}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

async function write(context: Context, file: string, edits: readonly Entry[]): Promise<void> {
  const { editYaml } = await import("../../source/yaml.ts");
  const { readSource } = await import("../../source/files.ts");
  const { decodeText } = await import("../../source/decode.ts");
  const isThere = findProjectFile(context) !== undefined;
  const read = isThere ? decodeText(readSource(context, file)) : { text: "" };
  // What cannot be read was refused before the first request.
  const text = "text" in read ? read.text : "";
  const { serviceSchema } = await import("../../incident/definition.ts");
  const fields = Object.keys(serviceSchema.shape) as (keyof Service)[];
  // An entry that is there is changed field by field: that keeps its comments.
  const changed = editYaml(
    text,
    edits.flatMap(({ name, outcome, service }): YamlEdit[] =>
      outcome === "added"
        ? [{ path: ["services", name], value: service }]
        : fields.map((field) => ({ path: ["services", name, field], value: service[field] })),
    ),
  );
  const path = resolve(context.cwd, isThere ? file : projectFileName);
  try {
    replaceFile(context, path, changed, 0o644);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Failure("usage", `${relative(context.cwd, path)} could not be written (${error.code})`, {
      hint: "check its permissions and the space on its disk; nothing was changed",
      cause: error,
    });
  }
}
