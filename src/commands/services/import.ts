// `incident services import`: adds the services of incidents to the catalog, or all of the service where it has a list of them.
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { describedOperation, operationsOf } from "../../api/known-operations.ts";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import type { CommandSpec, Run, RunContext } from "../../kit/command.ts";
import { listReport } from "../../kit/report.ts";
import { writeNamedFile } from "../../platform/write-file.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { withCommas } from "../../text/lengths.ts";
import { entriesOf } from "../../untrusted-data.ts";
import { projectFileName } from "../../workspace/workspace.ts";
import { readIds, readIncident } from "../shared/incident-ids.ts";
import { refuseInRehearsal } from "../shared/questions.ts";
import { checkedCatalog, usableServices } from "../shared/services.ts";

export const spec = {
  operands: "[incident-id...]",
  result: "list",
  examples: {
    "incident services import": "all services, where the service's document describes a list of them",
    "incident services import 7c9e6679-7425-40de-944b-e07fc1f90ae7": "the services of an incident",
  },
  notes: "The catalog is services: in .incident.yaml. An existing entry stays as it is.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { operands }) => {
  const ids = readIds(operands);
  if (context.global.noProject)
    throw new Failure("usage", "the catalog is in the project's file, and --no-project leaves that out", {
      hint: "leave --no-project out; nothing was changed",
    });
  const catalog = checkedCatalog(await context.workspace.project());
  refuseInRehearsal(context, catalog.file);
  const client = await connect(context, { readsDocument: true });
  const services = operands.length === 0 ? await allServices(context, client) : [];
  for (const id of ids) {
    const incident = await readIncident(context, client, id);
    services.push(...(await usableServices(context, entriesOf(incident.services), incident.id)));
  }
  const entries = nameServices(catalog, services);
  const added = entries.filter(({ outcome }) => outcome === "added");
  if (added.length > 0) await addEntries(context, catalog.file, added);
  for (const { name, outcome } of entries)
    context.info(outcome === "added" ? `added ${name} to ${catalog.file}` : `same ${name}`);
  return listReport(
    entries,
    entries.map(({ service }) => service),
  );
};

/**
 * Each service once, with the name of its entry, or a free one that is easy to type: `public-api`, or `public-api-2`. `same`: the
 * catalog has an entry with its id, which stays.
 */
function nameServices(catalog: Catalog, services: readonly Service[]) {
  const byId = new Map(services.map((service) => [service.id.toLowerCase(), service]));
  const known = new Map([...catalog.services].map(([name, { id }]) => [id.toLowerCase(), name]));
  const taken = new Set(catalog.services.keys());
  return [...byId].map(([id, service]) => {
    const own = known.get(id);
    const base = simpleName(service.name);
    let name = own ?? base;
    for (let number = 2; own === undefined && taken.has(name); number += 1) name = `${base}-${number}`;
    taken.add(name);
    return { name, outcome: own === undefined ? "added" : "same", service };
  });
}

function simpleName(name: string): string {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? ["service"];
  return words.join("-");
}

/** All services of the service. Throws a `Failure` where its document does not describe a list. */
async function allServices(context: RunContext, client: Client): Promise<Service[]> {
  const known = await operationsOf(context, client.settings);
  const operation = describedOperation(known, client.settings, "services");
  const { entries, isComplete } = await client.list("services", operation);
  const count = withCommas(entries.length);
  if (!isComplete) context.warn(`the service may have more services than the ${count} that were read`);
  if (entries.length === 0) context.info("the service has no services");
  return usableServices(context, entries, "the list");
}

async function addEntries(context: RunContext, file: string, entries: ReturnType<typeof nameServices>) {
  const { editYaml } = await import("../../source/yaml/write.ts");
  const { readSource } = await import("../../source/read-source.ts");
  const { parseSource } = await import("../../source/yaml/read.ts");
  const exists = context.workspace.projectFile() !== undefined;
  // The text is readable: the catalog was read from it before the first request.
  const text = exists ? parseSource(readSource(context, file)).text : "";
  const edits = entries.map(({ name, service }) => ({ path: ["services", name], value: service }));
  const changed = editYaml(text, edits);
  writeNamedFile(context, exists ? file : projectFileName, changed);
}
