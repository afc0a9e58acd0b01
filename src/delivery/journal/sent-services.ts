// Searches the creates that were sent from this machine: for a service, so that `--service GUID` works without a
// catalog, and for a base URL that is known to work. It opens no journal, and reads none that cannot be read.
import { join } from "node:path";
import type { Service } from "../../incident/definition.ts";
import type { Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { eventName, findLine, readNewestOperations } from "./event-lines.ts";

/** In bytes. */
const maxFileSize = 1024 * 1024;

/** The creates that are searched, the newest. */
const mostCreates = 500;

/**
 * The service with this id in the newest create that has it. `undefined` where there is none, or where the journal
 * cannot be read.
 */
export function findSentService(files: Files, stateDirectory: string, id: string): Service | undefined {
  const wanted = id.toLowerCase();
  for (const log of readNewestOperations(files, stateDirectory, mostCreates)) {
    const { services } = readSentServices(files, stateDirectory, log);
    const service = services.find((candidate) => candidate.id.toLowerCase() === wanted);
    if (service !== undefined) return service;
  }
  return undefined;
}

/** Where a create was sent. */
interface Target {
  readonly baseUrl: string;
  /** In lower case. */
  readonly account: string | undefined;
}

/** Each service of the creates that were sent there, once, as in the newest create that has it; the newest first. */
export function listSentServices(
  files: Files,
  stateDirectory: string,
  { account, baseUrl }: Target,
): readonly Service[] {
  const creates = readNewestOperations(files, stateDirectory, mostCreates)
    .map((log) => readSentServices(files, stateDirectory, log))
    .filter(({ key }) => key?.baseUrl === baseUrl && (key.account ?? undefined) === account)
    .sort((one, other) => (one.at < other.at ? 1 : -1));
  const byId = new Map<string, Service>();
  for (const service of creates.flatMap(({ services }) => services)) {
    const id = service.id.toLowerCase();
    if (!byId.has(id)) byId.set(id, service);
  }
  return [...byId.values()];
}

/** Whether an incident was created at the base URL from this machine. */
export function hasCreatedAt(files: Files, stateDirectory: string, baseUrl: string): boolean {
  return readNewestOperations(files, stateDirectory, mostCreates).some((log) => {
    const { first = 0 } = readRecord(files, stateDirectory, `${log}-first.json`) ?? {};
    for (let number = first; ; number += 1) {
      const record = readRecord(files, stateDirectory, eventName(log, number));
      const { event, key } = record ?? {};
      if (key?.baseUrl !== baseUrl) return false;
      if (event?.type === "created" || event?.summary?.state === "created") return true;
    }
  });
}

/** The services of the first event of a log; none where it cannot be read, or was pruned. */
function readSentServices(
  files: Files,
  stateDirectory: string,
  log: string,
): {
  readonly at: string;
  readonly key: SentRecord["key"];
  readonly services: readonly Service[];
} {
  const { event, key } = readRecord(files, stateDirectory, eventName(log, 0)) ?? {};
  const services = event?.content?.body?.services;
  const sent = Array.isArray(services) ? services.filter(isService) : [];
  return {
    at: String(event?.at),
    key,
    services: sent.map((service) => withoutAccount(service, key?.account)),
  };
}

/** The settings filled in their account, and another profile may have another one. */
function withoutAccount({ accountId, ...service }: Service, account: unknown): Service {
  const isFilledIn = accountId === undefined || accountId.toLowerCase() === account;
  return isFilledIn ? service : { ...service, accountId };
}

/** The parts of a record of the journal that are read here. */
interface SentRecord {
  readonly first?: number;
  readonly key?: { readonly account?: unknown; readonly baseUrl?: unknown };
  readonly event?: {
    readonly type?: unknown;
    readonly at?: unknown;
    readonly content?: { readonly body?: { readonly services?: unknown } };
    readonly summary?: { readonly state?: unknown };
  };
}

/** `undefined` where the file is no JSON object that can be read. */
function readRecord(files: Files, stateDirectory: string, name: string): SentRecord | undefined {
  try {
    const file = join(stateDirectory, "journal", name);
    const read = files.lstatSync(file).isFile() ? readRegularFile(files, file, maxFileSize) : undefined;
    if (read === undefined || read.bytes.length > maxFileSize) return undefined;
    return JSON.parse(findLine(name, Buffer.from(read.bytes).toString("utf8")));
  } catch {
    return undefined;
  }
}

function isService(value: unknown): value is Service {
  const { accountId = "", id, name } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [accountId, id, name].every((field) => typeof field === "string");
}
