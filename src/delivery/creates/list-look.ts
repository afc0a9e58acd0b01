// Looks for a create in the list of the service by its content: its name, severity, services and first text. Before the first
// attempt, an open incident with the same content is the answer. After an attempt without a usable answer, the only equal
// incident that is new was created by it. An incident that another operation of the journal has is never taken.
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
  isSameId,
  latestTimeOf,
  normalId,
  normalText,
} from "../../incident/wire.ts";
import type { OperationKey, OperationLog } from "../../journal/events.ts";
import { altersTexts, findByDigest, findById, type Model, unsettled } from "../../journal/model.ts";
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
  pagesOf,
} from "../delivery-options.ts";
import { severalFailure } from "../failures.ts";
import { checkNotification, checkShown, overFailure, readDeclared } from "./declared.ts";

/** Milliseconds for the read before the first attempt, which is never worth a longer wait. */
const readBudget = 5000;

/** The most incidents that are read for one create. */
const mostReads = 10;

/** The part that an incident shares with the create, if any. It parses no other field, because a list has hundreds of entries. */
function likeness(body: CreateBody, { incidentUpdates, name }: Incident) {
  const isText = (value: unknown, text: string) => typeof value === "string" && normalText(value) === text;
  if (isText(name, normalText(body.name))) return "name";
  const text = normalText(body.incidentUpdates[0]?.description ?? "");
  const texts = entriesOf(incidentUpdates).map((update) => (isMapping(update) ? update.description : update));
  return texts.some((each) => isText(each, text)) ? "first text" : undefined;
}

/** The other creates that have the incident with this id. */
export function otherCreatesOf(model: Model, own: OperationKey, id: string): readonly OperationLog[] {
  return findById(model, id).filter(({ change, key }) => change === undefined && key.id !== own.id);
}

/** The list, as far as the budget allows. Unless `toItsEnd`, it stops after a page once the newest incidents are read. */
async function readNewest(
  { client, system: { clock } }: DeliveryOptions,
  pages: Pages,
  budget: number,
  { toItsEnd = false } = {},
): Promise<List> {
  const until = clock.monotonic() + budget;
  const isEnough = (read: readonly Incident[]) =>
    (!toItsEnd && isNewestFirst(read)) || clock.monotonic() >= until;
  return client.list("incidents", pages, { isEnough, budget });
}

/** Whether a new incident would be in the list. Falling dates are a sign, not a proof: another field may sort the list. */
function hasNewest({ entries, isComplete }: List): boolean {
  return isComplete || isNewestFirst(entries);
}

/** Whether the incident may be newer than this time. The clocks differ by a day at most. */
function mayFollow(incident: Incident, at = ""): boolean {
  const time = latestTimeOf(incident);
  return time === undefined || !(time < Date.parse(at) - 24 * 60 * 60 * 1000);
}

/** While it is fresh, one read serves all creates of a run. A failed read is repeated for the next create. */
async function readFresh(options: DeliveryOptions, pages: Pages): Promise<List> {
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

/** Whether another create owns it. A create without an id in its file yields to a file with one, and to an equal create. */
function isTaken(model: Model, { claim, log, updates }: DeliveryRequest, id: string): boolean {
  const sendings = ({ events }: OperationLog) =>
    events.flatMap((each) => (each.type === "sending" ? each : []));
  const yields = (other: OperationLog) => {
    if (claim !== undefined) return other.claim === claim || sendings(other).length === 0;
    const isNamed = sendings(other).some(({ dedupKey, key }) => (key ?? dedupKey) !== undefined);
    return other.claim !== undefined || (updates !== undefined && isNamed);
  };
  return otherCreatesOf(model, log.key, id).some((other) => !yields(other));
}

/** The newest incident of this content in the journal that no file has: the service may have no list, or one that is behind. */
async function readOwn(options: DeliveryOptions, request: DeliveryRequest, model: Model) {
  const { claim, content, log } = request;
  // A create without an id was looked for by its claim.
  const own = claim === undefined ? findByDigest(model, content.digest).at(-1) : undefined;
  if (own?.created === undefined || own.key.id === log.key.id) return undefined;
  return isTaken(model, request, own.created.serviceId) ? undefined : readDeclared(options, own);
}

/** Reads the incidents of the list with the name or the first text of the create, the open ones first. */
async function readAlike(
  options: DeliveryOptions,
  { content, updates = [] }: DeliveryRequest,
): Promise<readonly Incident[]> {
  const mayBeOver = updates.length > 1 || updates[0]?.status === "RESOLVED";
  try {
    const pages = await pagesOf(options);
    if (pages === undefined) return [];
    const found: Incident[] = [];
    const { entries } = await readFresh(options, pages);
    const alike = entries.filter((entry) => isGuid(entry.id) && likeness(content.body, entry) !== undefined);
    const open = alike.filter((entry) => !isResolved(entry));
    const over = mayBeOver ? alike.filter(isResolved) : [];
    for (const { id } of [...open, ...over].slice(0, mostReads)) {
      const incident = await options.client.findIncident(id, { budget: readBudget });
      if (incident !== undefined) found.push(incident);
    }
    return found;
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    options.reporter.warn(
      `no equal incident could be looked for, so one may be open already: ${error.message}`,
    );
    return [];
  }
}

/** `over`: the incident is resolved: it is the one of the file, or the same has happened again. `isOwn`: its content is equal. */
function relationOf({ content, updates = [] }: DeliveryRequest, incident: Incident, isOwn: boolean) {
  const facts = incidentFacts(incident);
  const isOver = isResolved(incident);
  const hasLater = updates.slice(1).some((later) => facts.updates.some((each) => isSameUpdate(each, later)));
  if (isOver && !hasLater && updates.at(-1)?.status !== "RESOLVED") return "none";
  // The severity may have been raised since the first update.
  const { severity } = isOver || hasLater ? facts : content.body;
  if (!isOwn && !isSameIncident({ ...content.body, severity } as CreateBody, incident)) return "alike";
  return isOver ? "over" : "answer";
}

/** Warns of a similar incident, and asks at a terminal. Throws a `Failure` where the person declines. */
async function tellSimilar(
  { confirmSimilar, memory, reporter }: DeliveryOptions,
  { content, log }: DeliveryRequest,
  incident: Incident,
): Promise<void> {
  if (memory.similar.has(log.key.id)) return;
  memory.similar.add(log.key.id);
  const { id, status } = incidentFacts(incident);
  const part = likeness(content.body, incident) ?? "first text";
  const state = isResolved(incident) ? "over" : "open";
  const shown = status === undefined ? "" : ` (${status})`;
  reporter.warn(
    `an incident with the same ${part} is ${state}: ${id}${shown}; this declares another, and incident update ${id} changes the one that is ${state}`,
  );
  await confirmSimilar?.();
}

/**
 * Looks for the answer before the first attempt. Throws a `Failure` where it did not notify as this create would, where a resolved
 * incident may be the answer, and where a person declines to declare a similar one. Warns where the list cannot be read.
 */
export async function lookAtOpen(options: DeliveryOptions, request: DeliveryRequest): Promise<Looked> {
  const { claim, content, log } = request;
  const { answers } = options.memory;
  const model = await options.journal.model(options.service);
  const own = await readOwn(options, request, model);
  let similar: Incident | undefined;
  for (const incident of [own ?? [], await readAlike(options, request)].flat()) {
    const { id } = incident;
    const relation = relationOf(request, incident, incident === own);
    if (relation === "none") continue;
    const isFree = (now: Model) => !isTaken(now, request, id);
    const isMatch = relation !== "alike" && isFree(model);
    if (isMatch && relation === "over") throw overFailure(incident);
    // One incident answers one create of a run: two creates with the same content may look at the same time.
    if (isMatch && (answers.get(normalId(id)) ?? log.key.id) === log.key.id) {
      answers.set(normalId(id), log.key.id);
      checkShown(options, model, incident);
      checkNotification(content, { incident });
      return { incident, serviceId: id, how: "open", isAnswer: claim !== undefined, isFree };
    }
    similar ??= incident;
  }
  if (similar !== undefined) await tellSimilar(options, request, similar);
  return "absent";
}

/** The list before an attempt; undefined where the create's own id finds it, and where the newest incidents cannot be read. */
export async function listBefore(options: DeliveryOptions): Promise<List | undefined> {
  if (clientIds(options) === "honoured") return undefined;
  try {
    const pages = await pagesOf(options);
    const list = pages && (await readFresh(options, pages));
    return list && hasNewest(list) ? list : undefined;
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    // Without --new, `readAlike` has warned already.
    if (options.isNew)
      options.reporter.warn(`a lost answer could not be found by its content: ${error.message}`);
    return undefined;
  }
}

/** The ids of the incidents with the name of the create. */
export function ofSameName({ content }: DeliveryRequest, entries: readonly Incident[]): readonly string[] {
  return entries
    .filter((entry) => likeness(content.body, entry) === "name")
    .map(({ id }) => id.toLowerCase());
}

/** Whether the log has the ids of the incidents that existed before the attempt. */
export function canFindCreated(options: DeliveryOptions, log: OperationLog): boolean {
  return clientIds(options) !== "honoured" && firstSending(log)?.before !== undefined;
}

/**
 * Looks once for the incident of an attempt: the only new one with the same content. Throws a `Failure` where several may be
 * it. `seen`: the list as this run read it before its attempt. Without it, an incident in other words may be it, so that a miss
 * does not show that nothing was created.
 */
export async function findCreated(
  options: DeliveryOptions,
  planned: DeliveryRequest,
  log: OperationLog,
  until: number,
  seen: List | undefined,
): Promise<Looked> {
  // The text of an alert differs from run to run, so the content that was sent is looked for.
  const content = log.content ?? planned.content;
  if (log.digest !== content.digest) return undefined;
  const { at, before } = firstSending(log) ?? {};
  const pages = await pagesOf(options);
  if (pages === undefined || before === undefined) return undefined;
  const mayBeMissed = log.mayBeRepeated && seen !== undefined;
  const list = await readNewest(options, pages, budgetUntil(options, until), { toItsEnd: mayBeMissed });
  const { entries, isComplete } = list;
  if (!hasNewest(list)) return undefined;
  const wasSeen = ({ id }: Incident) => seen?.entries.some((each) => isSameId(each.id, id)) === true;
  // An entry behind the last one of an incomplete list can be older than the attempt.
  const isWholeList = seen === undefined || seen.isComplete;
  const listed = isWholeList ? entries : entries.slice(0, entries.findLastIndex(wasSeen) + 1);
  const same: Incident[] = [];
  for (const { id } of listed.filter((entry) => likeness(content.body, entry) === "name")) {
    if (!isGuid(id) || before.includes(id.toLowerCase())) continue;
    const incident = await options.client.findIncident(id, { budget: budgetUntil(options, until) });
    if (incident === undefined) return undefined;
    // An incident with another number of updates is older, or a person has updated it.
    const { length } = (log.parts ?? content.parts).updates;
    const isWhole = incidentFacts(incident).updates.length === length;
    if (isWhole && !isResolved(incident) && isSameIncident(content.body, incident)) same.push(incident);
  }
  // Read after the list, so that the journal has every create that the list shows.
  const model = await options.journal.model(options.service);
  const { key } = log;
  const candidates = same.filter(({ id }) => otherCreatesOf(model, key, id).length === 0);
  const [only] = candidates;
  if (only === undefined) {
    const isNew = (entry: Incident) => !wasSeen(entry) && mayFollow(entry, at);
    const mayBeIt = entries.some((each) => isNew(each) && otherCreatesOf(model, key, each.id).length === 0);
    const isAbsent = isComplete && seen !== undefined && !altersTexts(model) && !mayBeIt;
    return isAbsent ? "absent" : undefined;
  }
  // The incident may be of another create with the same content, whose outcome is not known.
  const hasTwin = unsettled(model).some((each) => each.key.id !== key.id && each.digest === content.digest);
  if (candidates.length === 1 && !hasTwin) return { incident: only, serviceId: only.id };
  const ids = candidates.map(({ id }) => id);
  throw severalFailure(options, log, ids);
}
