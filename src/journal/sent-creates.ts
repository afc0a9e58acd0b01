// The creates that were sent from this machine, with the journal in its folder. Completion, `--service GUID` without a catalog
// and the check of a base URL need them. A sequence that cannot be read is left out.
import type { Service } from "../incident/definition.ts";
import type { OperationLog, ServiceKey } from "./events.ts";
import { type Model, recent } from "./model.ts";
import { type FolderDeps, openFolderJournal } from "./open-journal.ts";

/** Without those that are past, which have no text: the newest first. */
async function readSent(deps: FolderDeps, stateDirectory: string): Promise<readonly OperationLog[]> {
  const { models } = await openFolderJournal(deps, stateDirectory)
    .models()
    .catch(() => ({ models: [] as readonly Model[] }));
  return models
    .toSorted((one, other) => other.began - one.began)
    .flatMap((model) => recent(model).filter(({ change }) => change === undefined));
}

/** The services with this id or name, as in each create that has them; the newest first. */
export async function findSentServices(
  deps: FolderDeps,
  stateDirectory: string,
  text: string,
): Promise<readonly Service[]> {
  return (await readSent(deps, stateDirectory))
    .flatMap(servicesOf)
    .filter(({ id, name }) => isSame(id, text) || isSame(name, text));
}

/** Each service of the creates that were sent there, once, as in the newest create that has it; the newest first. */
export async function listSentServices(
  deps: FolderDeps,
  stateDirectory: string,
  { account, baseUrl }: ServiceKey,
): Promise<readonly Service[]> {
  const services = (await readSent(deps, stateDirectory))
    .filter(({ key }) => key.baseUrl === baseUrl && key.account === account)
    .flatMap(servicesOf);
  return services.filter(({ id }, index) => services.findIndex((each) => isSame(each.id, id)) === index);
}

/** Whether an incident was created at the base URL from this machine. */
export async function hasCreatedAt(
  deps: FolderDeps,
  stateDirectory: string,
  baseUrl: string,
): Promise<boolean> {
  return (await readSent(deps, stateDirectory)).some(
    ({ created, key }) => key.baseUrl === baseUrl && created !== undefined,
  );
}

const maxIds = 50;

/** For shell completion: the newest first. */
export async function readRecentIds(deps: FolderDeps, stateDirectory: string) {
  return (await readSent(deps, stateDirectory))
    .flatMap(({ key, name }) => (name === undefined ? [] : [{ id: key.id, name }]))
    .slice(0, maxIds);
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
