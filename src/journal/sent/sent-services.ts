// Searches the creates that were sent from this machine: for a service, so that `--service GUID` works without a
// catalog, and for a base URL that is known to work. It opens no journal, and reads none that cannot be read.
import type { Service } from "../../incident/definition.ts";
import type { Files } from "../../platform/context.ts";
import { eventName, readNewestOperations, sentPlaces } from "../event-lines.ts";
import { readRecord, readSentRecords, type SentRecord } from "./sent-records.ts";

/** The creates that are searched, the newest. */
const mostCreates = 500;

/**
 * The service with this id in the newest create that has it. `undefined` where there is none, or where the journal
 * cannot be read.
 */
export function findSentService(files: Files, stateDirectory: string, id: string): Service | undefined {
  const wanted = id.toLowerCase();
  for (const record of readSentRecords(files, stateDirectory, mostCreates)) {
    const service = servicesOf(record).find((candidate) => candidate.id.toLowerCase() === wanted);
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
  const creates = [...readSentRecords(files, stateDirectory, mostCreates)]
    .filter(({ key }) => key?.baseUrl === baseUrl && (key.account ?? undefined) === account)
    .sort((one, other) => (String(one.event?.at) < String(other.event?.at) ? 1 : -1));
  const byId = new Map<string, Service>();
  for (const service of creates.flatMap(servicesOf)) {
    const id = service.id.toLowerCase();
    if (!byId.has(id)) byId.set(id, service);
  }
  return [...byId.values()];
}

/** Whether an incident was created at the base URL from this machine, with the journal in a folder. */
export function hasCreatedAt(files: Files, stateDirectory: string, baseUrl: string): boolean {
  const place = sentPlaces.folder;
  return readNewestOperations(files, stateDirectory, mostCreates, place).some((log) => {
    const { first = 0 } = readRecord(files, stateDirectory, place, `${log}-first.json`) ?? {};
    for (let number = first; ; number += 1) {
      const record = readRecord(files, stateDirectory, place, eventName(log, number));
      const { event, key } = record ?? {};
      if (key?.baseUrl !== baseUrl) return false;
      if (event?.type === "created" || event?.summary?.state === "created") return true;
    }
  });
}

/** The services of a create; none where its text was pruned. */
function servicesOf({ event, key }: SentRecord): readonly Service[] {
  const services = event?.content?.body?.services;
  const sent = Array.isArray(services) ? services.filter(isService) : [];
  return sent.map((service) => withoutAccount(service, key?.account));
}

/** The settings filled in their account, and another profile may have another one. */
function withoutAccount({ accountId, ...service }: Service, account: unknown): Service {
  const isFilledIn = accountId === undefined || accountId.toLowerCase() === account;
  return isFilledIn ? service : { ...service, accountId };
}

function isService(value: unknown): value is Service {
  const { accountId = "", id, name } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [accountId, id, name].every((field) => typeof field === "string");
}
