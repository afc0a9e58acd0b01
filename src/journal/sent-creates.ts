// Reads the creates that were sent from this machine, with the journal in its folder. Completion, `--service GUID` without a catalog and
// the check of a base URL need them. An entry that cannot be read is left out.
import type { Service } from "../incident/definition.ts";
import type { OperationLog, ServiceKey } from "./events.ts";
import { firstTime, readLog } from "./journal.ts";
import { type FolderDeps, openFolderStore } from "./open-store.ts";

/** The creates that are searched, the newest. */
const mostCreates = 500;

/** The newest first. */
async function* readSent(
  deps: FolderDeps,
  stateDirectory: string,
  limit = mostCreates,
): AsyncGenerator<OperationLog, void> {
  const store = openFolderStore(deps, stateDirectory);
  for (const name of await store.newest(limit).catch(() => [])) {
    const log = await readLog(store, name).catch(() => undefined);
    if (log !== undefined && log.change === undefined) yield log;
  }
}

/** The services with this id or name, as in each create that has them; the newest first. */
export async function* findSentServices(
  deps: FolderDeps,
  stateDirectory: string,
  text: string,
): AsyncGenerator<Service, void> {
  for await (const create of readSent(deps, stateDirectory))
    yield* servicesOf(create).filter(({ id, name }) => isSame(id, text) || isSame(name, text));
}

/** Each service of the creates that were sent there, once, as in the newest create that has it; the newest first. */
export async function listSentServices(
  deps: FolderDeps,
  stateDirectory: string,
  { account, baseUrl }: ServiceKey,
): Promise<readonly Service[]> {
  const creates: OperationLog[] = [];
  for await (const create of readSent(deps, stateDirectory))
    if (create.key.baseUrl === baseUrl && create.key.account === account) creates.push(create);
  const services = creates
    .sort((one, other) => firstTime(other).localeCompare(firstTime(one)))
    .flatMap(servicesOf);
  return services.filter(({ id }, index) => services.findIndex((each) => isSame(each.id, id)) === index);
}

/** Whether an incident was created at the base URL from this machine. */
export async function hasCreatedAt(
  deps: FolderDeps,
  stateDirectory: string,
  baseUrl: string,
): Promise<boolean> {
  for await (const { created, key } of readSent(deps, stateDirectory))
    if (key.baseUrl === baseUrl && created !== undefined) return true;
  return false;
}

const maxIds = 50;

/** For shell completion: the newest first. */
export async function readRecentIds(deps: FolderDeps, stateDirectory: string) {
  const recent: { readonly id: string; readonly name: string }[] = [];
  for await (const { key, name } of readSent(deps, stateDirectory, maxIds))
    if (name !== undefined) recent.push({ id: key.id, name });
  return recent;
}

/**
 * The services of a create; none where its text was pruned. The settings filled in their account, and another profile
 * may have another one.
 */
function servicesOf({ content, key }: OperationLog): readonly Service[] {
  return (content?.body.services ?? []).map(({ accountId, ...service }) => {
    const isFilledIn = accountId === undefined || accountId.toLowerCase() === key.account;
    return isFilledIn ? service : { ...service, accountId };
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
