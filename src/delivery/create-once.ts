// A create as an operation: it is found by its id, or by the ids that the answers named.
import { foreignIdFailure } from "../api/errors.ts";
import { Failure } from "../failure.ts";
import { compareIncident, type Difference, differencesOf } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound, keepsIds } from "../journal/client-ids.ts";
import type { OperationLog } from "../journal/events.ts";
import { isGuid } from "../rules/forms.ts";
import { replay, warnOfDifferences, warnOfSilence } from "./creates/declared.ts";
import { canFindCreated, createOpenLook, findCreated, idsThere } from "./creates/list-look.ts";
import { deliverOnce } from "./deliver.ts";
import {
  clientIds,
  type Delivered,
  type DeliveryOptions,
  type DeliveryRequest,
  type Looked,
  type LookReason,
  type Operation,
  type Sent,
} from "./delivery-options.ts";
import { judgeEnding } from "./endings.ts";
import { conflictFailure } from "./failures.ts";
import { readWithin } from "./read-back.ts";
import { alteredIn } from "./timeline/plan-changes.ts";

/** Throws a `Failure`; kind "uncertain" when a create was sent and its outcome is not known. */
export async function createOnce(options: DeliveryOptions, request: DeliveryRequest): Promise<Delivered> {
  const delivered = await deliverOnce(options, createOperation(options, request));
  if (delivered.how === "found" && !options.acceptsAnyContent)
    warnOfSilence(options, request.content, delivered);
  return delivered;
}

function createOperation(options: DeliveryOptions, planned: DeliveryRequest): Operation {
  const { acceptsAnyContent, alertStarts = [], client } = options;
  const { hasRandomId, key, log } = planned;
  const looksAtOpen = options.list !== undefined && !options.isNew && !acceptsAnyContent;
  const lookAtOpen = createOpenLook(options);
  let request = planned;
  return {
    kind: "create",
    key,
    log,
    get content() {
      return request.content;
    },
    ids: () => clientIds(options),
    stepRequest(log) {
      request = asBegun(planned, log);
      const digest = (acceptsAnyContent ? log.digest : undefined) ?? request.content.digest;
      const readsId = planned.mayExist && canBeFound(clientIds(options));
      const isFoundByContent = canFindCreated(options, log);
      return { digest, mayExist: readsId || looksAtOpen, isFoundByContent };
    },
    async prepare() {
      const before = await idsThere(options, request);
      return {
        ...(alertStarts.length > 0 && { alertStarts }),
        notify: request.content.body.incidentUpdates.some((each) => each.notifySubscribers),
        ...(before && { before }),
      };
    },
    canFind: (log) =>
      idsToRead(options, log).length + log.answeredIds.length > 0 || canFindCreated(options, log),
    async find(log, because, until) {
      const looking = because === "unclear" ? options : { ...options, looksOnce: true };
      const isFirst = because === "may-exist";
      const ids = isFirst && !planned.mayExist ? [] : idsToRead(options, log);
      const byId = await lookForIds(looking, request, log, { because, ids, until });
      if (byId !== undefined && byId.kind !== "absent") return byId;
      if (isFirst) return looksAtOpen ? lookAtOpen(request, log) : byId;
      const foreign = log.answeredIds.find((id) => !isGuid(id));
      if (canFindCreated(options, log)) return findCreated(looking, request, log, until);
      // An incident may have the foreign id, so that none counts as absent.
      if (foreign !== undefined) return { kind: "failed", failure: foreignIdFailure(foreign) };
      // Only an id that was sent, and that the service's answers have kept, says that it is not there.
      return ids.includes(key.id) && keepsIds(clientIds(options)) ? byId : undefined;
    },
    async send(_log, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = request.content.body;
      const body = withId ? { ...bare, id: key.id } : bare;
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
    replay: (log) => replay(options, request, log),
  };
}

/** The ids under which it may be found: those of the answers, and its own, unless no attempt has carried it. */
function idsToRead(options: DeliveryOptions, log: OperationLog): readonly string[] {
  const { answeredIds, key, mayBeFoundById, uncertain } = log;
  const isOwn = (uncertain === undefined || mayBeFoundById) && canBeFound(clientIds(options));
  return [...new Set([...answeredIds.filter(isGuid), ...(isOwn ? [key.id] : [])])];
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

interface IdLook {
  readonly because: LookReason | "unclear";
  readonly ids: readonly string[];
  readonly until: number;
}

async function lookForIds(
  options: DeliveryOptions,
  request: DeliveryRequest,
  log: OperationLog,
  { because, ids, until }: IdLook,
): Promise<Looked | undefined> {
  const failures: Failure[] = [];
  let missed = 0;
  for (const id of ids) {
    const read = await readWithin(options, until, async (budget) => ({
      incident: await options.client.findIncident(id, { budget }),
    }));
    if (read instanceof Failure) failures.push(read);
    else if (read !== undefined) {
      const judged = read.incident && judgeFound(options, request, log, read.incident, because);
      if (judged !== undefined) return judged;
      missed += 1;
    }
  }
  const [failure] = failures;
  if (failure !== undefined && failures.length === ids.length) return { kind: "failed", failure };
  return missed === ids.length ? { kind: "absent" } : undefined;
}

/** Judges an incident that was read. One whose id is only in an answer must also have the name: it may be another. */
function judgeFound(
  options: DeliveryOptions,
  request: DeliveryRequest,
  log: OperationLog,
  incident: Incident,
  because: IdLook["because"],
): Looked | undefined {
  const isOwn = incident.id.toLowerCase() === request.key.id;
  if (!isOwn && incident.name === undefined) return undefined;
  const isAfterRefusal = because === "earlier-attempt";
  const isSent = isOwn && (isAfterRefusal || because === "unclear");
  const { differences, kind } = recognize(options, request, incident, isSent);
  if (kind === "other")
    return isOwn ? { kind: "other", failure: conflictFailure(incident, differences) } : undefined;
  const isOfEarlierContent = isAfterRefusal && isOfContentOf(log, request, incident, differences);
  if (!isOfEarlierContent) warnOfDifferences(options.reporter, incident, differences);
  return { kind: "found", found: { incident, serviceId: incident.id, isOfEarlierContent } };
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
