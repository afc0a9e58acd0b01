// Finds a service in the creates that were sent from this machine, so that `--service GUID` works without a catalog.
import { join } from "node:path";
import type { Service } from "../../incident/definition.ts";
import type { Files } from "../../platform/context.ts";

/** In bytes. */
const maxFileSize = 1024 * 1024;

/**
 * The service with this id in the newest create that has it. `undefined` where there is none, or where the journal
 * cannot be read.
 */
export function findSentService(
  files: Pick<Files, "lstatSync" | "readdirSync" | "readFileSync">,
  stateDirectory: string,
  id: string,
): Service | undefined {
  const folder = join(stateDirectory, "journal");
  const wanted = id.toLowerCase();
  let newest: { readonly at: string; readonly service: Service } | undefined;
  for (const name of namesIn(files, folder)) {
    const { at, services } = readSentServices(files, join(folder, name));
    const service = services.find((candidate) => candidate.id.toLowerCase() === wanted);
    if (service !== undefined && (newest === undefined || at > newest.at)) newest = { at, service };
  }
  return newest?.service;
}

function namesIn(files: Pick<Files, "readdirSync">, folder: string): readonly string[] {
  try {
    return files.readdirSync(folder).filter((name) => /^op-.*-000\.json$/.test(name));
  } catch {
    return [];
  }
}

/** The services of the first event of a log; none where it cannot be read, or was pruned. */
function readSentServices(
  files: Pick<Files, "lstatSync" | "readFileSync">,
  file: string,
): { readonly at: string; readonly services: readonly Service[] } {
  try {
    const stat = files.lstatSync(file);
    if (!stat.isFile() || stat.size > maxFileSize) return { at: "", services: [] };
    const { event } = JSON.parse(files.readFileSync(file, "utf8"));
    const services: unknown[] = event.content.body.services;
    return { at: String(event.at), services: services.filter(isService) };
  } catch {
    return { at: "", services: [] };
  }
}

function isService(value: unknown): value is Service {
  const { id, name } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof id === "string" && typeof name === "string";
}
