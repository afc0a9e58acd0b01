// `incident services`: the project's catalog, which names services for definitions. An import takes the services of
// incidents, or all of the service where its own document describes a list.
import { relative, resolve } from "node:path";
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { needOperation } from "../../api/known-operations.ts";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import { defineCommand, type Run, type RunContext } from "../../kit/define-command.ts";
import { noPage } from "../../kit/report.ts";
import { replaceFile, writeOrFail } from "../../platform/write-file.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import type { YamlEdit } from "../../source/yaml/write.ts";
import { withCommas } from "../../text/lengths.ts";
import { entriesOf } from "../../untrusted-data.ts";
import { projectFileName } from "../../workspace/locations.ts";
import { confirm, refuseInRehearsal } from "../shared/questions.ts";
import { checkedCatalog, mostServices, usableServices } from "../shared/services.ts";
import { findIds, searchJournal } from "../shared/which-incident.ts";

export const spec = defineCommand({
  name: "services import",
  operands: "[incident-id...]",
  completions: "incidents",
  flags: {},
  result: "list",
  examples: {
    "incident services import": "all services, where the service's document describes a list of them",
    "incident services import 7c9e6679-7425-40de-944b-e07fc1f90ae7": "the services of an incident",
  },
  notes: "The catalog is services: in .incident.yaml. An existing entry changes only after a confirmation.",
});

export const run: Run<typeof spec> = async (context, input) => {
  const { global, operands } = input;
  const ids = await findIds(context, operands, () => searchJournal(context), true);
  if (global.noProject) {
    throw new Failure("usage", "the catalog is in the project's file, and --no-project leaves that out", {
      hint: "leave --no-project out; nothing was changed",
    });
  }
  const catalog = checkedCatalog((await context.workspace.projectCatalog()).read());
  refuseInRehearsal(context, global, { data: "the sandbox's services", file: catalog.file });
  const { client } = await connect(context, { ...global, readsDocument: true });
  const services = operands.length === 0 ? await allServices(context, client) : [];
  for (const id of ids) {
    const incident = await client.getIncident(id);
    services.push(...(await usableServices(context, entriesOf(incident.services), incident.id)));
  }
  const entries = mergeServices(catalog, services);
  const edits = entries.filter(({ outcome }) => outcome !== "same");
  const changed = edits.filter(({ outcome }) => outcome === "changed").map(({ name }) => name);
  const which = `${changed.length === 1 ? "service" : "services"} ${changed.join(", ")}`;
  if (changed.length > 0) await confirm(context, spec, input, `change the ${which} in ${catalog.file}?`);
  if (edits.length > 0) await writeEntries(context, catalog.file, edits);
  for (const { name, outcome } of entries) context.info(`${outcome} ${name}`);
  return { is: "list", data: entries, ids: entries.map(({ service }) => service.id), page: noPage };
};

interface MergedEntry {
  readonly name: string;
  readonly outcome: "added" | "changed" | "same";
  readonly service: Service;
}

/** For each service the entry with its id, or else a new entry that is named after it. */
function mergeServices(catalog: Catalog, services: readonly Service[]): readonly MergedEntry[] {
  const entries = new Map<string, MergedEntry>();
  const nameOfId = new Map<string, string>();
  for (const [name, { id }] of catalog.services) {
    if (!nameOfId.has(id.toLowerCase())) nameOfId.set(id.toLowerCase(), name);
  }

  const nextNumbers = new Map<string, number>();

  /** A name that is easy to type: `Public API` becomes `public-api`, or `public-api-2` where that name is taken. */
  function freeName(base: string): string {
    for (let number = nextNumbers.get(base) ?? 1; ; number += 1) {
      const candidate = number === 1 ? base : `${base}-${number}`;
      if (catalog.services.has(candidate) || entries.has(candidate)) continue;
      nextNumbers.set(base, number + 1);
      return candidate;
    }
  }

  for (const service of services) {
    const id = service.id.toLowerCase();
    const name = nameOfId.get(id) ?? freeName(simpleName(service.name));
    if (entries.has(name)) continue;
    const current = catalog.services.get(name);
    const outcome =
      current === undefined
        ? "added"
        : JSON.stringify(current) === JSON.stringify(service)
          ? "same"
          : "changed";
    entries.set(name, { name, outcome, service });
    nameOfId.set(id, name);
  }
  return [...entries.values()];
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
  const operation = await needOperation(context, client.settings, "services");
  const { entries, isComplete } = await client.listServices(operation, {
    most: mostServices,
  });
  const count = withCommas(entries.length);
  if (!isComplete) context.warn(`the service may have more services than the ${count} that were read`);
  if (entries.length === 0) context.info("the service has no services");
  return usableServices(context, entries, "the list");
}

async function writeEntries(context: RunContext, file: string, edits: readonly MergedEntry[]): Promise<void> {
  const { editYaml } = await import("../../source/yaml/write.ts");
  const { readSource } = await import("../../source/read-source.ts");
  const { decodeText } = await import("../../source/documents.ts");
  const exists = context.workspace.projectFile() !== undefined;
  const read = exists ? decodeText(readSource(context, file)) : { text: "" };
  // The text is readable: the catalog was read from it before the first request.
  const text = "text" in read ? read.text : "";
  const { serviceRules } = await import("../../incident/definition.ts");
  const { fieldsOf } = await import("../../rules/schema-facts.ts");
  const fields = fieldsOf(serviceRules) as (keyof Service)[];
  await checkSpace(file, text, edits);
  // Edit an existing entry field by field, which keeps its comments.
  const changed = editYaml(
    text,
    edits.flatMap(({ name, outcome, service }): YamlEdit[] =>
      outcome === "added"
        ? [{ path: ["services", name], value: service }]
        : fields.map((field) => ({ path: ["services", name, field], value: service[field] })),
    ),
  );
  const path = resolve(context.system.cwd, exists ? file : projectFileName);
  await checkReadable(file, changed, edits);
  const hint = "check its permissions and the space on its disk; nothing was changed";
  writeOrFail(relative(context.system.cwd, path), hint, () => replaceFile(context, path, changed, 0o644));
}

/** Refuses more entries than the file can hold before they are composed, which takes seconds. */
async function checkSpace(file: string, text: string, edits: readonly MergedEntry[]): Promise<void> {
  const { maxFileSize } = await import("../../source/read-source.ts");
  const added = edits.filter(({ outcome }) => outcome === "added");
  // The shortest form of an entry is `web: {id: …, name: …}`.
  const length = added.reduce(
    (sum, { name, service }) => sum + [name, ...Object.entries(service).flat()].join("  ").length,
    text.length,
  );
  if (length <= maxFileSize) return;
  const count = withCommas(added.length);
  throw new Failure("usage", `the services cannot be added to ${file}: with ${count} more it exceeds 1 MiB`, {
    hint: "the file is unchanged; add the services that definitions use by hand",
  });
}

/** Reads the new file back before it replaces the old one, as the next command does. */
async function checkReadable(file: string, text: string, edits: readonly MergedEntry[]): Promise<void> {
  const { readCatalog } = await import("../../workspace/project-sections.ts");
  const { parseSource } = await import("../../source/documents.ts");
  const { services, diagnostics } = readCatalog(parseSource({ file, bytes: Buffer.from(text) }), file);
  const isComplete = edits.every(({ name, service }) => services.get(name)?.id === service.id);
  if (diagnostics.length === 0 && isComplete) return;
  throw new Failure("usage", `the services cannot be added to ${file}: the next command could not read it`, {
    hint: "the file is unchanged; add them by hand",
    diagnostics,
  });
}
