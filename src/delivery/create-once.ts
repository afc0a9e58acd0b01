// A create as an operation: it is found by its id, or in the list.
import type { List } from "../api/lists.ts";
import { differencesOf, hasOtherContent } from "../incident/comparison.ts";
import { type Incident, isSameId, normalId } from "../incident/wire.ts";
import { isRedefined } from "../journal/content.ts";
import type { OperationLog } from "../journal/events.ts";
import { claimedFor, operationIn } from "../journal/model.ts";
import { alteredIn, judgeEnding } from "./attempt.ts";
import { checkNotification, differenceWarnings, findCreateById, replay } from "./creates/declared.ts";
import {
  canFindCreated,
  findCreated,
  listBefore,
  lookAtOpen,
  ofSameName,
  otherCreatesOf,
} from "./creates/list-look.ts";
import { deliverOnce } from "./deliver.ts";
import {
  budgetUntil,
  clientIds,
  type Delivered,
  type DeliveryOptions,
  type DeliveryRequest,
  type Found,
  type LookReason,
  type Operation,
  type Sent,
} from "./delivery-options.ts";
import { conflictFailure } from "./failures.ts";

/**
 * Throws a `Failure`: "uncertain" when it was sent and its outcome is not known, "rejected" where a notification was asked for and
 * the incident that exists did not notify.
 */
export async function createOnce(options: DeliveryOptions, request: DeliveryRequest): Promise<Delivered> {
  const delivered = await deliverOnce(options, createOperation(options, request));
  // A definition with an id and one without it can have the same content: the second finds the incident of the first.
  options.memory.answers.set(normalId(delivered.incident.id), request.log.key.id);
  const isNew = delivered.how === "declared" || delivered.how === "unsent";
  if (isNew || options.acceptsAnyContent) return delivered;
  checkNotification(request.content, delivered);
  return delivered;
}

function createOperation(options: DeliveryOptions, planned: DeliveryRequest): Operation {
  const { acceptsAnyContent, alertStarts = [], client } = options;
  const { after, claim, content, log, mayExist } = planned;
  const hasRandomId = claim !== undefined;
  // A create without an id is named by its content.
  const wasRedefined = (log: OperationLog) => !acceptsAnyContent && !hasRandomId && isRedefined(log, content);
  const looksAtOpen = !options.isNew && !acceptsAnyContent;
  /** The list before the first attempt of this run. */
  let seen: List | undefined;

  /** An attempt must have carried the id. */
  function isFoundById({ mayBeFoundById, uncertain }: OperationLog): boolean {
    return (uncertain === undefined || mayBeFoundById) && clientIds(options) !== "ignored";
  }

  /** Judges the incident that has the id. Throws a `Failure` where its content is another. */
  function judge(log: OperationLog, incident: Incident, because: LookReason): Found {
    const found: Found = { incident, serviceId: incident.id };
    if (acceptsAnyContent) return found;
    const isSent = because === "earlier-attempt" || because === "unclear";
    const differences = differencesOf(content.body, incident);
    // No other incident has a random id.
    const isOther = !hasRandomId && hasOtherContent(content.body, incident, { isSent });
    // After a refusal, it may be of the definition before it was changed.
    const isEarlier = because === "earlier-attempt" && isRedefined(log, content) && differences.length > 0;
    if (isOther || isEarlier) throw conflictFailure(incident, differences);
    for (const warning of differenceWarnings(incident, differences)) options.reporter.warn(warning);
    return found;
  }

  return {
    log,
    content,
    stepRequest(log) {
      const canBeFound = isFoundById(log) || canFindCreated(options, log);
      return { isRedefined: wasRedefined(log), mayExist: mayExist || looksAtOpen, canBeFound };
    },
    logIn(model, { key, next }) {
      const isOpen = next === 0 && claim !== undefined && !options.isNew;
      const begun = isOpen ? claimedFor(model, content.digest, claim) : undefined;
      return begun === undefined || begun.key.id === after ? operationIn(model, key) : begun;
    },
    async prepare() {
      seen ??= await listBefore(options);
      const before = seen && ofSameName(planned, seen.entries);
      return {
        ...(claim && { claim }),
        ...(alertStarts.length > 0 && { alertStarts }),
        notify: content.body.incidentUpdates.some((each) => each.notifySubscribers),
        ...(before && { before }),
      };
    },
    async find(log, because, until) {
      const request = { ...planned, log };
      const isFirst = because === "may-exist";
      // A service that ignores ids assigns its own, which a person may have copied into the file.
      const readsId = isFirst ? mayExist : isFoundById(log);
      const budget = budgetUntil(options, until);
      const incident = readsId ? await client.findIncident(log.key.id, { budget }) : undefined;
      if (incident !== undefined) return judge(log, incident, because);
      const isNew = isFirst && readsId && log.next === 0;
      const declared = isNew && findCreateById(options.journal.known(options.service), log.key.id);
      if (declared) {
        const { incident } = await replay(options, request, declared);
        return { incident, serviceId: incident.id };
      }
      if (isFirst) return looksAtOpen ? lookAtOpen(options, request) : "absent";
      const own = canFindCreated(options, log) && (await findCreated(options, request, log, until, seen));
      // A refused create may have been declared by another person since.
      if (because === "earlier-attempt" && looksAtOpen && typeof own !== "object")
        return lookAtOpen(options, request);
      if (own !== false) return own;
      // A miss by id proves an absence only where the service keeps ids.
      return readsId && clientIds(options) === "honoured" ? "absent" : undefined;
    },
    async send({ key }, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = content.body;
      const body = withId ? { ...bare, id: key.id } : bare;
      const created = await client.createIncident(body, {
        ...conditions,
        hasRandomId,
        isOther: (id) =>
          otherCreatesOf(options.journal.known(options.service), key, id).length > 0 ||
          seen?.entries.some((each) => isSameId(each.id, id)) === true,
      });
      const hasId = withId && clientIds(options) !== "honoured";
      if (created.kind === "failed") return judgeEnding(created, { hasId, hasRandomId });
      const { differences, incident } = created;
      const isOwn = isSameId(incident.id, key.id);
      const assigned = `the service assigned its own id, ${incident.id}; only the journal links it to ${key.id}`;
      const warnings = [
        ...differenceWarnings(incident, differences),
        ...(isOwn || hasRandomId ? [] : [assigned]),
      ];
      const ids = withId && isOwn ? "honoured" : "ignored";
      const found = { incident, serviceId: incident.id, altered: alteredIn(differences), ids } as const;
      return { kind: "created", found, warnings };
    },
    replay: (log) => replay(options, planned, log),
  };
}
