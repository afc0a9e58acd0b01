// A create as an operation: it is found by its id, by the ids that the answers named, or in the list.
import { foreignIdFailure } from "../api/errors.ts";
import { compareIncident, type Difference } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound, keepsIds } from "../journal/client-ids.ts";
import type { Altered, OperationLog } from "../journal/events.ts";
import { claimedFor } from "../journal/model.ts";
import { isGuid } from "../rules/forms.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { checkNotification, replay, warnOfDifferences } from "./creates/declared.ts";
import { canFindCreated, findCreated, idsThere, lookAtOpen } from "./creates/list-look.ts";
import { deliverOnce } from "./deliver.ts";
import {
  budgetUntil,
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

/**
 * Throws a `Failure`; kind "uncertain" when a create was sent and its outcome is not known, and "rejected" where a
 * notification was asked for, and the create that is there did not notify.
 */
export async function createOnce(options: DeliveryOptions, request: DeliveryRequest): Promise<Delivered> {
  const delivered = await deliverOnce(options, createOperation(options, request));
  if (delivered.how === "declared" || options.acceptsAnyContent) return delivered;
  const failure = checkNotification(request.content, delivered);
  if (failure !== undefined) throw failure;
  return delivered;
}

function createOperation(options: DeliveryOptions, planned: DeliveryRequest): Operation {
  const { acceptsAnyContent, alertStarts = [], client } = options;
  const { after, claim, content, hasRandomId, key, log, mayExist } = planned;
  const looksAtOpen = !options.isNew && !acceptsAnyContent;
  return {
    kind: "create",
    key,
    log,
    content,
    ids: () => clientIds(options),
    stepRequest(log) {
      const digest = (acceptsAnyContent ? log.digest : undefined) ?? content.digest;
      const readsId = mayExist && canBeFound(clientIds(options));
      const isFoundByContent = canFindCreated(options, log);
      return { digest, mayExist: readsId || looksAtOpen, isFoundByContent };
    },
    takenBy(model) {
      const newest = claim && !options.isNew ? claimedFor(model, claim) : undefined;
      return newest?.key.id === after ? undefined : newest;
    },
    async prepare() {
      const before = await idsThere(options, planned);
      return {
        ...(claim && { claim }),
        ...(alertStarts.length > 0 && { alertStarts }),
        notify: content.body.incidentUpdates.some((each) => each.notifySubscribers),
        ...(before && { before }),
      };
    },
    canFind: (log) =>
      idsToRead(options, log).length + log.answeredIds.length > 0 || canFindCreated(options, log),
    async find(log, because, until) {
      const { key } = log;
      const request = { ...planned, key };
      const isFirst = because === "may-exist";
      const ids = isFirst && !mayExist ? [] : idsToRead(options, log);
      let missed = 0;
      for (const id of ids) {
        const incident = await client.findIncident(id, { budget: budgetUntil(options, until) });
        const judged = incident && judgeFound(options, request, log, incident, because);
        if (judged !== undefined) return judged;
        if (incident === undefined) missed += 1;
      }
      if (isFirst) return looksAtOpen ? lookAtOpen(options, request, log) : { kind: "absent" };
      if (canFindCreated(options, log)) return findCreated(options, request, log, until);
      // An incident may have the foreign id, so that none counts as absent.
      const foreign = log.answeredIds.find((id) => !isGuid(id));
      if (foreign !== undefined) throw foreignIdFailure(foreign);
      // Only an id that was sent, and that the service's answers have kept, says that it is not there.
      const isProof = ids.includes(key.id) && keepsIds(clientIds(options)) && missed === ids.length;
      return isProof ? { kind: "absent" } : undefined;
    },
    async send({ key }, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = content.body;
      const body = withId ? { ...bare, id: key.id } : bare;
      const created = await client.createIncident(body, {
        ...conditions,
        id: hasRandomId ? "random" : "chosen",
      });
      if (created.kind === "failed")
        return judgeEnding(created, withId ? key.id : undefined, {
          baseUrl: options.service.baseUrl,
          hasRandomId,
        });
      const { differences, incident } = created;
      const isOwn = incident.id.toLowerCase() === key.id;
      const onRecorded = () => {
        warnOfDifferences(options.reporter, incident, differences);
        if (!isOwn)
          options.reporter.warn(
            `the service assigned its own id, ${incident.id}; only the journal links it to ${key.id}`,
          );
      };
      const found = { incident, serviceId: incident.id, altered: alteredIn(differences) };
      return { kind: "created", found, onRecorded, ids: withId && isOwn ? "honoured" : "ignored" };
    },
    replay: (log) => replay(options, planned, log),
  };
}

/** The ids under which it may be found: those of the answers, and its own, unless no attempt has carried it. */
function idsToRead(options: DeliveryOptions, log: OperationLog): readonly string[] {
  const { answeredIds, key, mayBeFoundById, uncertain } = log;
  const isOwn = (uncertain === undefined || mayBeFoundById) && canBeFound(clientIds(options));
  return [...new Set([...answeredIds.filter(isGuid), ...(isOwn ? [key.id] : [])])];
}

/** Judges an incident that was read. One whose id is only in an answer must also have the name: it may be another. */
function judgeFound(
  { acceptsAnyContent, reporter }: DeliveryOptions,
  { content, hasRandomId, key }: DeliveryRequest,
  log: OperationLog,
  incident: Incident,
  because: LookReason | "unclear",
): Looked | undefined {
  const found: Looked = { kind: "found", found: { incident, serviceId: incident.id } };
  const isOwn = incident.id.toLowerCase() === key.id;
  if (isOwn && acceptsAnyContent) return found;
  if (!isOwn && incident.name === undefined) return undefined;
  const isSent = isOwn && (because === "earlier-attempt" || because === "unclear");
  const id = isOwn ? (hasRandomId ? "random" : "chosen") : "unknown";
  const { differences, kind } = compareIncident(content.body, incident, { id, isSent });
  // After a refusal, it may be what was sent before the definition was edited.
  const isEarlier = because === "earlier-attempt" && log.digest !== content.digest && differences.length > 0;
  if (kind === "other" || isEarlier)
    return isOwn ? { kind: "other", failure: conflictFailure(incident, differences) } : undefined;
  warnOfDifferences(reporter, incident, differences);
  return found;
}

/** The differences that the service itself has made, in its answer to what was sent. */
function alteredIn(differences: readonly Difference[]): Altered {
  return Object.fromEntries(differences.map(({ field, found = "" }) => [field, jsonDigest(found)]));
}
