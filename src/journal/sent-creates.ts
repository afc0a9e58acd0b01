// The creates that were sent from this machine, with the journal in its folder. Completion, `--service GUID` without a catalog
// and the check of a base URL need them. A sequence that cannot be read is left out.
import type { Service } from "../incident/definition.ts";
import type { OperationLog, ServiceKey } from "./events.ts";
import { type Model, recent } from "./model.ts";
import { type FolderDeps, openFolderJournal } from "./open-journal.ts";

/** The newest first, without those that are past, which have no text. */
async function readSent(deps: FolderDeps, folder: string): Promise<readonly OperationLog[]> {
  const journal = openFolderJournal(deps, folder);
  const { models } = await journal.models().catch(() => ({ models: [] as readonly Model[] }));
  return models
    .toSorted((one, other) => other.began - one.began)
    .flatMap(recent)
    .filter(({ change }) => change === undefined);
}

/** The services with this id or name, as in each create that has them; the newest first. */
export async function findSentServices(
  deps: FolderDeps,
  folder: string,
  text: string,
): Promise<readonly Service[]> {
  const services = (await readSent(deps, folder)).flatMap(servicesOf);
  return services.filter(({ id, name }) => isSame(id, text) || isSame(name, text));
}

/** Each service of the creates that were sent there, once, as in the newest create that has it; the newest first. */
export async function listSentServices(
  deps: FolderDeps,
  folder: string,
  { account, baseUrl }: ServiceKey,
): Promise<readonly Service[]> {
  const sent = await readSent(deps, folder);
  const services = sent
    .filter(({ key }) => key.baseUrl === baseUrl && key.account === account)
    .flatMap(servicesOf);
  return services.filter(({ id }, index) => services.findIndex((each) => isSame(each.id, id)) === index);
}

/** Whether an incident was created at the base URL from this machine. */
export async function hasCreatedAt(deps: FolderDeps, folder: string, baseUrl: string): Promise<boolean> {
  const sent = await readSent(deps, folder);
  return sent.some(({ created, key }) => key.baseUrl === baseUrl && created !== undefined);
}

const maxIds = 50;

/** For shell completion: the newest first. */
export async function readRecentIds(deps: FolderDeps, folder: string) {
  const sent = await readSent(deps, folder);
  return sent.flatMap(({ key, name }) => (name === undefined ? [] : [{ id: key.id, name }])).slice(0, maxIds);
}

/** The settings filled in their account, and another profile may have another one. */
function servicesOf({ content, key }: OperationLog): readonly Service[] {
  return (content?.body.services ?? []).map(({ accountId, ...service }) => {
    const isFilledIn = accountId === undefined || accountId.toLowerCase() === key.account;
    return isFilledIn ? service : { ...service, accountId };
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
