// Looks for a create in the list of the service by its content, which is its name, severity, services and first text. Before it
// is sent for the first time, an open incident with the same content is the answer. After an attempt without a usable answer,
// the one equal incident that was not there before is what it created. Neither is one that another operation has.
import type { List } from "../../api/lists.ts";
import type { Pages } from "../../document/contract.ts";
import { Failure } from "../../failure.ts";
import { isSameIncident } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import {
  type Incident,
  incidentFacts,
  isNewestFirst,
  isResolved,
  normalText,
  timeOf,
} from "../../incident/wire.ts";
import type { OperationKey, OperationLog } from "../../journal/events.ts";
import { altersTexts, type Model, unsettled, withDigest, withId } from "../../journal/model.ts";
import { isGuid } from "../../rules/forms.ts";
import { entriesOf, isMapping } from "../../untrusted-data.ts";
import { firstSending } from "../changes/known-updates.ts";
import {
  budgetUntil,
  clientIds,
  type DeliveryOptions,
  type DeliveryRequest,
  freshness,
  type Looked,
  listOf,
} from "../delivery-options.ts";
import { severalFailure } from "../failures.ts";
import { checkNotification, checkShown, overFailure, readDeclared } from "./declared.ts";

/** Milliseconds for the read before the first attempt, which is never worth a longer wait. */
const readBudget = 5000;

/** The most incidents that are read for one create. */
const mostReads = 10;

type Entries = readonly Incident[];

/** The part that an incident has in common with the create, if any. It reads no other facts: a list has hundreds. */
function likeness({ content: { body } }: DeliveryRequest, { incidentUpdates, name }: Incident) {
  const isText = (value: unknown, text: string) => typeof value === "string" && normalText(value) === text;
  if (isText(name, normalText(body.name))) return "name";
  const text = normalText(body.incidentUpdates[0]?.description ?? "");
  const texts = entriesOf(incidentUpdates).map((update) => (isMapping(update) ? update.description : update));
  return texts.some((each) => isText(each, text)) ? "first text" : undefined;
}

/** The other creates that have it. */
export function othersWith(model: Model, own: OperationKey, id: string): readonly OperationLog[] {
  return withId(model, id).filter(({ change, key }) => change === undefined && key.id !== own.id);
}

/** Whether another create keeps it. One whose id no file has gives it to a file of its content, and to a create like itself. */
function isTaken(
  { named }: Pick<DeliveryOptions, "named">,
  model: Model,
  { claim, log }: DeliveryRequest,
  id: string,
): boolean {
  const hasKey = ({ events }: OperationLog) =>
    events.some((event) => event.type === "sending" && (event.key ?? event.dedupKey) !== undefined);
  const isGiven = (other: OperationLog) =>
    claim === undefined
      ? other.claim !== undefined || (named?.key === undefined && hasKey(other))
      : other.claim === claim || other.events.every(({ type }) => type !== "sending");
  return othersWith(model, log.key, id).some((other) => !isGiven(other));
}

/** The list, as far as it can be read within the budget. Unless `toItsEnd`, a beginning that has the newest is enough. */
async function readNewest(
  { client, system: { clock } }: DeliveryOptions,
  pages: Pages,
  budget: number,
  toItsEnd = false,
): Promise<List<Incident>> {
  const until = clock.monotonic() + budget;
  const isEnough = (read: readonly unknown[]) =>
    (!toItsEnd && isNewestFirst(read as Entries)) || clock.monotonic() >= until;
  return client.listIncidents(pages, { most: 1000, isEnough, budget });
}

/** Whether a new incident would be in it. Dates that fall are a sign of it, and no proof: another field may sort the list. */
function hasNewest({ entries, isComplete }: List<Incident>): boolean {
  return isComplete || isNewestFirst(entries);
}

/** Whether it may have come about after this time, by clocks that differ by a day at most. */
function mayFollow(incident: Incident, at = ""): boolean {
  const time = timeOf(incident);
  return time === undefined || !(time < Date.parse(at) - 24 * 60 * 60 * 1000);
}

/** One read serves the creates of a run while it is fresh. One that fails serves those that wait for it alone. */
async function readFresh(options: DeliveryOptions, pages: Pages): Promise<List<Incident>> {
  const { memory, system } = options;
  const at = system.clock.monotonic();
  if (memory.list === undefined || at - memory.list.at > freshness)
    memory.list = { at, newest: readNewest(options, pages, readBudget) };
  const { list } = memory;
  try {
    return await list.newest;
  } catch (error) {
    if (memory.list === list) memory.list = undefined;
    throw error;
  }
}

/**
 * A look before the first attempt. Throws a `Failure` where the incident that is there did not notify as this create would, and
 * where a person declines another incident like an open one. Where the list cannot be read, it warns. A file that ends in
 * RESOLVED, or that has a later text of an incident that is over, may tell of that one, or of another one in the same words, so
 * that nothing is sent or found.
 */
export async function lookAtOpen(options: DeliveryOptions, request: DeliveryRequest): Promise<Looked> {
  const { claim, content, updates = [] } = request;
  const model = await options.journal.model(options.service);
  const alike: Incident[] = [];
  const hasId = claim === undefined && options.named?.key === undefined;
  const tellsEnd = hasId && updates.at(-1)?.status === "RESOLVED";
  const later = hasId ? updates.slice(1) : [];
  const own = await readOwn(options, model, request);
  for (const incident of [...own, ...(await readAlike(options, request, tellsEnd || later.length > 0))]) {
    const { id } = incident;
    const isOver = isResolved(incident);
    const { severity, updates: shown } = incidentFacts(incident);
    const hasLater = later.some((update) => shown.some((each) => isSameUpdate(each, update)));
    if (isOver && !tellsEnd && !hasLater) continue;
    // The severity of one that is over, or that has a later text of the file, may have been raised.
    const body = isOver || hasLater ? ({ ...content.body, severity } as CreateBody) : content.body;
    const isSame = own.includes(incident) || isSameIncident(body, incident);
    const isFree = (now: Model) => !isTaken(options, now, request, id);
    const isIt = isSame && isFree(model);
    if (isIt && isOver) throw overFailure(incident);
    if (isIt && takes(options, request, id)) {
      checkShown(options, model, incident);
      checkNotification(content, { incident });
      return { incident, serviceId: id, how: "open", isAnswer: claim !== undefined, isFree };
    }
    alike.push(incident);
  }
  await tell(options, request, alike[0]);
  return "absent";
}

/** The newest incident of this content that was declared from here, and that no file has: a list may be missing, or behind. */
async function readOwn(options: DeliveryOptions, model: Model, request: DeliveryRequest): Promise<Entries> {
  const { claim, content, log } = request;
  // One without an id was looked for by its claim.
  const own = claim === undefined ? withDigest(model, content.digest).at(-1) : undefined;
  if (own?.created === undefined || own.key.id === log.key.id) return [];
  if (isTaken(options, model, request, own.created.serviceId)) return [];
  const incident = await readDeclared(options, own);
  return incident === undefined ? [] : [incident];
}

/** The incidents of the list with the name or the first text of the create, the open ones first. */
async function readAlike(
  options: DeliveryOptions,
  request: DeliveryRequest,
  mayBeOver: boolean,
): Promise<Entries> {
  const { client, reporter, system } = options;
  const isAlike = (entry: Incident) => isGuid(entry.id) && likeness(request, entry) !== undefined;
  try {
    const pages = await listOf(options);
    if (pages === undefined) return [];
    const found: Incident[] = [];
    const alike = (await readFresh(options, pages)).entries.filter(isAlike);
    const over = alike.filter(isResolved);
    const open = alike.filter((entry) => !over.includes(entry));
    for (const { id } of [...open, ...(mayBeOver ? over : [])].slice(0, mostReads)) {
      const incident = await client.findIncident(id, { budget: readBudget });
      if (incident !== undefined) found.push(incident);
    }
    return found;
  } catch (error) {
    if (!(error instanceof Failure) || system.signal.aborted) throw error;
    reporter.warn(`no equal incident could be looked for, so one may be open already: ${error.message}`);
    return [];
  }
}

/** One incident answers one create of a run: two creates with the same content may look at the same time. */
function takes({ memory: { answers } }: DeliveryOptions, { log }: DeliveryRequest, id: string): boolean {
  if (!answers.has(id)) answers.set(id, log.key.id);
  return answers.get(id) === log.key.id;
}

/** Warns, and asks a person, where there is one. Throws a `Failure` where the person declines. */
async function tell(
  { confirmSimilar, memory: { similar }, reporter }: DeliveryOptions,
  request: DeliveryRequest,
  incident: Incident | undefined,
): Promise<void> {
  if (incident === undefined || similar.has(request.log.key.id)) return;
  const { id, status } = incidentFacts(incident);
  const part = likeness(request, incident) ?? "first text";
  const state = isResolved(incident) ? "over" : "open";
  similar.add(request.log.key.id);
  reporter.warn(
    `an incident with the same ${part} is ${state}: ${id}${status === undefined ? "" : ` (${status})`}; this declares another, and incident update ${id} changes the one that is ${state}`,
  );
  await confirmSimilar?.();
}

/**
 * The incidents that exist before an attempt; undefined where its own id finds it, where the list is not known, and where not
 * all of them can be read.
 */
export async function incidentsThere(options: DeliveryOptions): Promise<List<Incident> | undefined> {
  if (clientIds(options) === "honoured") return undefined;
  try {
    const pages = await listOf(options);
    const list = pages && (await readFresh(options, pages));
    return list && hasNewest(list) ? list : undefined;
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    // A look at the open incidents has warned already.
    if (options.isNew)
      options.reporter.warn(`a lost answer could not be found by its content: ${error.message}`);
    return undefined;
  }
}

/** The ids of those that have the name of the create. */
export function ofSameName(request: DeliveryRequest, entries: Entries): readonly string[] {
  return entries.filter((entry) => likeness(request, entry) === "name").map(({ id }) => id.toLowerCase());
}

/** Whether the log has the ids of the incidents that existed before the attempt. */
export function canFindCreated(options: DeliveryOptions, log: OperationLog): boolean {
  return clientIds(options) !== "honoured" && firstSending(log)?.before !== undefined;
}

/**
 * One look after an attempt. It must be the only new one, so that each that may be it is read. In a list that was not read to
 * its end, it may be missed, or be another one. `there`: the incidents that this run saw before its attempt. Without them,
 * one in other words may be it, so that no miss shows that it is not there.
 */
export async function findCreated(
  options: DeliveryOptions,
  planned: DeliveryRequest,
  log: OperationLog,
  until: number,
  there: List<Incident> | undefined,
): Promise<Looked> {
  // The text of an alert differs from run to run: the words that were sent are looked for.
  const content = log.content ?? planned.content;
  if (log.digest !== content.digest) return undefined;
  const request = { ...planned, content };
  const before = firstSending(log)?.before;
  const pages = await listOf(options);
  if (pages === undefined || before === undefined) return undefined;
  const mayBeMissed = log.mayBeRepeated && there !== undefined;
  const list = await readNewest(options, pages, budgetUntil(options, until), mayBeMissed);
  if (!hasNewest(list)) return undefined;
  const { entries, isComplete } = list;
  const wasThere = ({ id }: Incident) => there?.entries.some((each) => each.id === id) === true;
  // Of a list that was not read to its end before, an entry behind those that were read can be older.
  const isRead = there === undefined || there.isComplete;
  const own = isRead ? entries : entries.slice(0, entries.findLastIndex(wasThere) + 1);
  const same: Incident[] = [];
  for (const { id } of own.filter((entry) => likeness(request, entry) === "name")) {
    if (!isGuid(id) || before.includes(id.toLowerCase())) continue;
    const incident = await options.client.findIncident(id, { budget: budgetUntil(options, until) });
    if (incident === undefined) return undefined;
    // With another update, it is an older one, or a person has taken it over.
    const { length } = (log.parts ?? request.content.parts).updates;
    const isWhole = incidentFacts(incident).updates.length === length;
    if (isWhole && !isResolved(incident) && isSameIncident(content.body, incident)) same.push(incident);
  }
  // After the service was read, so that a create that the list shows has its entry.
  const model = await options.journal.model(options.service);
  const { key } = log;
  const candidates = same.filter(({ id }) => othersWith(model, key, id).length === 0);
  const [only] = candidates;
  if (only === undefined) {
    const isNew = (entry: Incident) => !wasThere(entry) && mayFollow(entry, firstSending(log)?.at);
    const mayBeIt = entries.some((each) => isNew(each) && othersWith(model, key, each.id).length === 0);
    const isAbsent = isComplete && there !== undefined && !altersTexts(model) && !mayBeIt;
    return isAbsent ? "absent" : undefined;
  }
  // Another create of the same content without a known outcome: the incident may be of either.
  const hasTwin = unsettled(model).some((each) => each.key.id !== key.id && each.digest === content.digest);
  if (candidates.length === 1 && !hasTwin) return { incident: only, serviceId: only.id };
  const ids = candidates.map(({ id }) => id);
  throw severalFailure(options, log, ids);
}
