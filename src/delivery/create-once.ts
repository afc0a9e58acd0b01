// A create as an operation: it is found by its id, or by the ids that the answers named.
import { foreignIdFailure } from "../api/errors.ts";
import { Failure } from "../failure.ts";
import { compareIncident, type Difference, differencesOf } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound, keepsIds } from "../journal/client-ids.ts";
import type { OperationLog } from "../journal/events.ts";
import { isGuid } from "../rules/forms.ts";
import { replay, warnOfDifferences } from "./creates/declared.ts";
import { canFindCreated, createOpenLook, findCreated, idsThere, type ReadPage } from "./creates/list-look.ts";
import { deliverOnce } from "./deliver.ts";
import {
  type Delivered,
  type DeliveryOptions,
  type DeliveryRequest,
  type Found,
  freshness,
  type LookOnce,
  type Operation,
  type Sent,
} from "./delivery-options.ts";
import { judgeEnding } from "./endings.ts";
import { conflictFailure } from "./failures.ts";
import { readWithin } from "./read-back.ts";
import { alteredIn } from "./timeline/plan-changes.ts";

/** Throws a `Failure`; kind "uncertain" when a create was sent and its outcome is not known. */
export async function createOnce(options: DeliveryOptions, request: DeliveryRequest): Promise<Delivered> {
  return deliverOnce(options, createOperation(options, request));
}

function createOperation(options: DeliveryOptions, planned: DeliveryRequest): Operation {
  const { acceptsAnyContent, alertStarts = [], client, clientIds, settleFor, system } = options;
  const { key, log } = planned;
  const looksAtOpen = options.list !== undefined && !options.isNew && !acceptsAnyContent;
  let page: ReadPage | undefined;
  const lookAtOpen = createOpenLook(options, (read) => {
    page = read;
  });
  let request = planned;
  /** An incident with the id, from here or from another machine. */
  const findById = async (log: OperationLog, isSent: boolean): Promise<Found | Failure | undefined> => {
    const incident = await client.findIncident(key.id, { budget: settleFor });
    if (incident === undefined) return undefined;
    const { differences, kind } = recognize(options, request, incident, isSent);
    if (kind === "other") return conflictFailure(incident, differences);
    const isOfEarlierContent = isSent && isOfContentOf(log, request, incident, differences);
    if (!isOfEarlierContent) warnOfDifferences(options.reporter, incident, differences);
    return { incident, serviceId: incident.id, isOfEarlierContent };
  };
  return {
    kind: "create",
    key,
    log,
    get content() {
      return request.content;
    },
    ids: clientIds,
    stepRequest(log) {
      request = asBegun(planned, log);
      const digest = (acceptsAnyContent ? log.digest : undefined) ?? request.content.digest;
      const readsId = planned.mayExist && canBeFound(clientIds());
      const isFoundByContent = canFindCreated(options, log);
      return { digest, mayExist: readsId || looksAtOpen, isFoundByContent };
    },
    async prepare() {
      const isFresh = page !== undefined && system.clock.monotonic() - page.at <= freshness;
      const before = await idsThere(options, request, isFresh ? page?.entries : undefined);
      // Another attempt comes after a wait, and after what this one may have created.
      page = undefined;
      return {
        ...(alertStarts.length > 0 && { alertStarts }),
        notify: request.content.body.incidentUpdates.some((each) => each.notifySubscribers),
        ...(before && { before }),
      };
    },
    async look(log, because) {
      const isSent = because === "earlier-attempt";
      const isFirst = because === "may-exist";
      const readsId = canBeFound(clientIds()) && (!isFirst || planned.mayExist);
      const found = readsId ? await findById(log, isSent) : undefined;
      if (found !== undefined) return found;
      if (isSent && canFindCreated(options, log)) return lookByContent(options, request, log);
      return isFirst && looksAtOpen ? lookAtOpen(request) : undefined;
    },
    async send(_log, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = request.content.body;
      const body = withId ? { ...bare, id: key.id } : bare;
      const { hasRandomId } = request;
      const id = hasRandomId ? "random" : "chosen";
      const created = await client.createIncident(body, { ...conditions, id });
      if (created.kind === "failed")
        return judgeEnding(created, withId ? key.id : undefined, {
          baseUrl: options.service.baseUrl,
          hasRandomId,
        });
      const { differences, incident, requestId } = created;
      const onRecorded = () => {
        warnOfDifferences(options.reporter, incident, differences);
        tellOwnId(options, incident, key.id);
      };
      const found = { incident, serviceId: incident.id, altered: alteredIn(differences) };
      const isOwn = incident.id.toLowerCase() === key.id;
      const ids = withId && isOwn ? "honoured" : "ignored";
      return { kind: "created", found, onRecorded, requestId, ids };
    },
    reads(log) {
      const own = log.mayBeFoundById && canBeFound(clientIds()) ? [key.id] : [];
      const ids = [...new Set([...log.answeredIds.filter(isGuid), ...own])];
      const foreign = log.answeredIds.find((id) => !isGuid(id));
      return {
        look:
          ids.length === 0 && !canFindCreated(options, log)
            ? undefined
            : async (until) => {
                const byId = await lookForIds(options, request, ids, until);
                if (byId?.kind === "found" || byId?.kind === "failed") return byId;
                if (canFindCreated(options, log)) return findCreated(options, request, log, until);
                // Only an id that was sent, and that the service's answers have kept, says that it is not there.
                return own.length > 0 && keepsIds(clientIds()) ? byId : undefined;
              },
        // An incident may have the foreign id, so that none counts as absent.
        absent:
          foreign === undefined ? { kind: "absent" } : { kind: "failed", failure: foreignIdFailure(foreign) },
      };
    },
    replay: (log) => replay(options, request, log),
  };
}

/** Whether the incident has the content of an earlier attempt that was refused, and not that of the edited definition. */
function isOfContentOf(
  { content, digest }: OperationLog,
  request: DeliveryRequest,
  incident: Incident,
  differences: readonly Difference[],
): boolean {
  if (digest === request.content.digest) return false;
  const earlier = content?.body === undefined ? [] : differencesOf(content.body, incident);
  return differences.length > earlier.length;
}

/** A create that may have arrived is finished with the updates that it was begun with. */
function asBegun(request: DeliveryRequest, { created, digest, uncertain }: OperationLog): DeliveryRequest {
  const isFixed = created !== undefined || uncertain !== undefined;
  const content = isFixed ? request.contents?.find((each) => each.digest === digest) : undefined;
  return { ...request, content: content ?? request.content };
}

function tellOwnId({ isShared, reporter }: DeliveryOptions, { id: serviceId }: Incident, id: string): void {
  if (serviceId.toLowerCase() === id) return;
  reporter.warn(
    isShared
      ? `the service assigned its own id, ${serviceId}; only the journal links it to ${id}`
      : `the service assigned its own id, ${serviceId}; only this machine's journal links it to ${id}, so keep the state directory between runs`,
  );
}

async function lookForIds(
  options: DeliveryOptions,
  request: DeliveryRequest,
  ids: readonly string[],
  until: number,
): ReturnType<LookOnce> {
  const failures: Failure[] = [];
  let missed = 0;
  for (const id of ids) {
    const read = await readWithin(options, until, async (budget) => ({
      incident: await options.client.findIncident(id, { budget }),
    }));
    if (read instanceof Failure) failures.push(read);
    else if (read !== undefined) {
      const judged = read.incident && judgeFound(options, request, read.incident);
      if (judged !== undefined) return judged;
      missed += 1;
    }
  }
  const [failure] = failures;
  if (failure !== undefined && failures.length === ids.length) return { kind: "failed", failure };
  return missed === ids.length ? { kind: "absent" } : undefined;
}

/** Looks for what an attempt that was refused may have created. Throws a `Failure` where it could not look. */
async function lookByContent(
  options: DeliveryOptions,
  request: DeliveryRequest,
  log: OperationLog,
): Promise<Found | Failure | undefined> {
  const until = options.system.clock.monotonic() + options.settleFor;
  const looked = await findCreated({ ...options, looksOnce: true }, request, log, until);
  if (looked?.kind === "failed") throw looked.failure;
  return looked?.kind === "found" ? looked.found : undefined;
}

/** Judges an incident that was read. One whose id is only in an answer must also have the name: it may be another. */
function judgeFound(
  options: DeliveryOptions,
  request: DeliveryRequest,
  incident: Incident,
): Awaited<ReturnType<LookOnce>> {
  const isOwn = incident.id.toLowerCase() === request.key.id;
  if (!isOwn && incident.name === undefined) return undefined;
  const { differences, kind } = recognize(options, request, incident, isOwn);
  if (kind === "other")
    return isOwn ? { kind: "failed", failure: conflictFailure(incident, differences) } : undefined;
  warnOfDifferences(options.reporter, incident, differences);
  return { kind: "found", found: { incident, serviceId: incident.id } };
}

function recognize(
  { acceptsAnyContent }: Pick<DeliveryOptions, "acceptsAnyContent">,
  { content, hasRandomId, key }: DeliveryRequest,
  incident: Incident,
  isSent: boolean,
): ReturnType<typeof compareIncident> {
  const isOwn = incident.id.toLowerCase() === key.id;
  if (acceptsAnyContent && isOwn) return { kind: "equal", differences: [] };
  const id = isOwn ? (hasRandomId ? "random" : "chosen") : "unknown";
  return compareIncident(content.body, incident, { id, isSent });
}
