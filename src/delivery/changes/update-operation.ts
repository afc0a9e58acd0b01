// An update as an operation: it is found by the id that its definition gives it, or as the only new update with equal content that
// no other operation has.
import type { AddUpdate } from "../../document/contract.ts";
import { updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import { describeDifferences } from "../../incident/comparison.ts";
import type { Update } from "../../incident/definition.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, isResolved, isSameId, type UpdateFacts } from "../../incident/wire.ts";
import type { Change, OperationLog } from "../../journal/events.ts";
import { altersTexts, findByDigest, operationIn } from "../../journal/model.ts";
import { alteredIn, judgeEnding } from "../attempt.ts";
import { checkStatus, readKnown } from "../creates/declared.ts";
import { deliverOnce } from "../deliver.ts";
import {
  budgetUntil,
  type Delivered,
  type DeliveryOptions,
  type Found,
  isStale,
  type Operation,
  type Sent,
} from "../delivery-options.ts";
import { resolvedFailure, severalFailure } from "../failures.ts";
import { readAgain } from "../read-back.ts";
import { firstSending, isEqualTo, updateDigest } from "./known-updates.ts";

export interface PostRequest {
  /** As the service showed it, with its own id. */
  readonly incident: Incident;
  readonly update: Update;
  /** The log of its operation, read before the incident. */
  readonly log: OperationLog;
  /** Whether it may follow a RESOLVED: with `--reopen`, or where the file has a RESOLVED before it. */
  readonly reopens?: boolean;
  /** It is of a command line: no file says how many equal updates are before it. */
  readonly isUnnumbered?: boolean;
  /** The status that the incident must have right before each attempt. */
  readonly ifStatus?: string | undefined;
}

/** The operation of an update in the journal, to look for it alone: its text may be missing. */
export function loggedUpdate(options: DeliveryOptions, log: OperationLog, incident: Incident): Operation {
  const { description = "", notify = false, status } = log.change?.kind === "update" ? log.change : {};
  const known = statuses.find((each) => each === status);
  const update: Update = { description, notifySubscribers: notify, status: known };
  return updateOperation(options, { incident, update, log }, undefined);
}

/** An incident, to be compared with a later read of it: its duration grows without an update. */
function withoutDuration({ duration: _, ...incident }: Incident): string {
  return JSON.stringify(incident);
}

/** `addUpdate` is undefined where nothing may be sent. */
function updateOperation(
  options: DeliveryOptions,
  request: PostRequest,
  addUpdate: AddUpdate | undefined,
): Operation {
  const { client, journal, service, settleFor } = options;
  const { incident: atStart, isUnnumbered, log, reopens, update } = request;
  const incidentId = atStart.id;
  let incident = atStart;
  let beforeSending: Incident | undefined;
  const { key } = log;
  // The text may be gone from the journal.
  const digest = log.digest ?? updateDigest(incidentId, update);
  const change: Change = {
    kind: "update",
    incidentId,
    status: update.status,
    notify: (addUpdate ? updateBody(addUpdate, update) : update).notifySubscribers ?? false,
    description: update.description,
    ...(isUnnumbered && { isUnnumbered }),
  };
  const content = { change, digest, name: incidentFacts(incident).name };
  const isOver = () => isResolved(incident) && !reopens;
  const read = async (budget: number): Promise<Incident> => {
    incident = await readKnown(options, incidentId, { budget });
    return incident;
  };

  const isEqual = (each: UpdateFacts) => isEqualTo(content, each);

  const hasOwnId = ({ id }: UpdateFacts) => isSameId(id, update.id);

  /** Throws a `Failure` where another update had the id of the definition before the first attempt. */
  function checkId(log: OperationLog): void {
    const first = beforeSending ?? (firstSending(log) === undefined ? incident : undefined);
    const other = first && incidentFacts(first).updates.some((each) => hasOwnId(each) && !isEqual(each));
    if (!other) return;
    const message = `another update of ${incidentId} has the id ${update.id?.toLowerCase()}`;
    throw new Failure("rejected", message, { hint: "remove the id from the definition; nothing was sent" });
  }

  const equalIn = (shown: Incident) => incidentFacts(shown).updates.filter(isEqual);

  /** The ids of the equal updates of other operations, with the status or without one. */
  async function readOthers(): Promise<readonly string[]> {
    const { updates } = incidentFacts(incident);
    const model = await journal.model(service);
    const { description } = updates.find(isEqual) ?? update;
    const same = update.status === undefined ? statuses : [update.status];
    const logs = [undefined, ...same].flatMap((status) =>
      findByDigest(model, updateDigest(incidentId, { description, status })),
    );
    const own = logs.flatMap(({ created, key: { id } }) =>
      id === key.id ? [] : (created?.serviceId.toLowerCase() ?? []),
    );
    // The service may show an update without a status with that of the incident: then it is not equal.
    return own.filter((id) => updates.every((each) => !isSameId(each.id, id) || isEqual(each)));
  }

  /** The number of equal updates that no other operation has posted. */
  const countFree = (shown: Incident, others: readonly string[]) =>
    Math.max(0, equalIn(shown).length - others.length);

  /** The ids of the new equal updates: each may be this one. */
  async function findOwn(log: OperationLog): Promise<readonly string[]> {
    const named = incidentFacts(incident).updates.find(hasOwnId)?.id;
    if (named !== undefined) return [named.toLowerCase()];
    const others = await readOthers();
    // After a refused attempt whose log was pruned, each equal update may be this one.
    const atFirst = log.wasRefused ? 0 : countFree(atStart, others);
    const more = countFree(incident, others) - (firstSending(log)?.unclaimed ?? atFirst);
    const ids = equalIn(incident).map(({ id = key.id }) => id.toLowerCase());
    return more > 0 ? ids.filter((id) => !others.includes(id)).slice(-more) : [];
  }

  return {
    log,
    content,
    logIn: (model) => operationIn(model, key),
    // A person may have settled an earlier attempt while the incident was resolved.
    async prepare(log) {
      checkId(log);
      if (request.ifStatus) checkStatus(await read(settleFor), request.ifStatus);
      if (isOver()) throw resolvedFailure(options, incident);
      return { unclaimed: countFree(incident, await readOthers()) };
    },
    stepRequest: () => ({
      isRedefined: false,
      mayExist: isStale(options),
      canBeFound: true,
    }),
    async find(log, because, until) {
      await read(budgetUntil(options, until));
      if (because !== "unclear") checkId(log);
      const own = await findOwn(log);
      if (own.length > 1 && because !== "may-exist") throw severalFailure(options, log, own);
      const serviceId = own.at(-1);
      if (serviceId !== undefined) return { incident, serviceId };
      // Fails before a person is asked.
      if (because !== "unclear" && isOver()) throw resolvedFailure(options, incident);
      if (because !== "unclear") return "absent";
      // A new update with another text may be this one, and an incident may show only a part of its updates.
      const isSame =
        beforeSending !== undefined && withoutDuration(beforeSending) === withoutDuration(incident);
      const isAbsent = isSame && !altersTexts(await journal.model(service));
      return isAbsent ? "absent" : undefined;
    },
    async send(_log, _withId, conditions): Promise<Sent> {
      beforeSending ??= incident;
      const body = updateBody(addUpdate as AddUpdate, update);
      const sending = { ...conditions, known: incidentFacts(incident).updates };
      const ended = await client.addUpdate(addUpdate as AddUpdate, incidentId, body, sending);
      if (ended.kind === "failed") return judgeEnding(ended);
      const altered = alteredIn(ended.differences);
      const found: Found = { incident, serviceId: ended.id ?? key.id, altered };
      const changed = `the service changed the update of ${incidentId}: ${describeDifferences(ended.differences)}`;
      return { kind: "created", found, warnings: ended.differences.length > 0 ? [changed] : [] };
    },
    async replay(log) {
      return { incident, log, how: "found", since: log.created?.at };
    },
  };
}

/** `incident`: as it was read after the post, or before it where that fails. */
export interface Posted extends Pick<Delivered, "failure" | "incident" | "since"> {
  /** `posted-before`: it was sent before, from here or by another person. `unsent`: a dry run would post it. */
  readonly how: "posted" | "posted-before" | "unsent";
}

const postedHow = {
  declared: "posted",
  found: "posted-before",
  open: "posted-before",
  unsent: "unsent",
} as const satisfies Record<Delivered["how"], Posted["how"]>;

/**
 * Posts one update exactly once. `planUpdate` asks whether an equal one is shown, for an update of a command line. Throws a
 * `Failure`: "uncertain" when it was sent and its outcome is not known, "rejected" after a RESOLVED without `reopens`.
 */
export async function postOnce(
  options: DeliveryOptions,
  addUpdate: AddUpdate,
  request: PostRequest,
): Promise<Posted> {
  const delivered = await deliverOnce(options, updateOperation(options, request, addUpdate));
  const { failure, how, since } = delivered;
  const incident = how === "unsent" ? request.incident : delivered.incident;
  const isOld = how === "declared" || since !== undefined;
  return {
    how: postedHow[how],
    incident: (isOld ? await readAgain(options, incident.id) : undefined) ?? incident,
    since,
    failure,
  };
}
