// An edit of an incident as an operation, exactly once: it is found by its values, and nothing else of the incident changes.
import { Failure } from "../../failure.ts";
import { normalId, normalText } from "../../incident/normal-form.ts";
import { type Incident, type IncidentFacts, incidentFacts } from "../../incident/wire.ts";
import type { Change, OperationKey, OperationLog } from "../../journal/events.ts";
import type { Edit } from "../../rules/openapi/operations.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { listOf } from "../../text/lengths.ts";
import { entriesOf, type Fields, fieldOf, ownValue } from "../../untrusted-data.ts";
import { deliverOnce } from "../deliver-once.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { judgeEnding } from "../endings.ts";
import type { Operation, Sent } from "../operation.ts";
import { readWithin } from "../read-back.ts";
import { statusFailure } from "./change-failures.ts";
import { type EditedFields, editKey, liveTextsOf, textsOf, valuesOf } from "./edit-identity.ts";
import { withoutIds } from "./update-operation.ts";

export interface EditOptions extends DeliveryOptions {
  /** As the service's document describes it. */
  readonly edit: Edit;
}

export interface EditRequest {
  /** As it was read last. */
  readonly incident: Incident;
  readonly fields: EditedFields;
  /** The status that the incident must have right before each attempt. */
  readonly ifStatus?: string | undefined;
}

export interface Edited {
  /** `edited`: by this run. `found`: by an earlier attempt. `edited-before`: the incident has these values already. */
  readonly how: "edited" | "found" | "edited-before";
  readonly incident: Incident;
  /** When it was read, on the monotonic clock. */
  readonly readAt: number;
  /** It is made, and something about it went wrong. */
  readonly failure?: Failure;
}

/** The fields whose values differ from those of the incident. */
export function fieldsToEdit(incident: Incident, fields: EditedFields): EditedFields {
  const live = liveTextsOf(incident, fields);
  const wanted = textsOf(fields);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => normalText(ownValue(live, name) ?? "") !== normalText(ownValue(wanted, name) ?? ""),
    ),
  );
}

/**
 * Makes one edit exactly once. Where the incident has the values already, nothing is sent. Throws a `Failure`: "uncertain"
 * when it was sent and its outcome is not known.
 */
export async function editOnce(
  options: EditOptions,
  { fields, ifStatus, incident }: EditRequest,
): Promise<Edited> {
  const { client, reporter, settleFor, system } = options;
  const chosen = await chooseOperation(options, incident.id, fields);
  const isOpen = chosen.log.uncertain !== undefined;
  if (!isOpen && Object.keys(fieldsToEdit(incident, fields)).length === 0)
    return { how: "edited-before", incident, readAt: system.clock.monotonic() };
  const operation = editOperation(options, { ...chosen, incident, fields, ifStatus });
  const { failure, how, incident: answered } = await deliverOnce(options, operation);
  if (how !== "declared") return { how: "found", incident: answered, readAt: system.clock.monotonic() };
  const after = await client.findIncident(incident.id, { budget: settleFor }).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    reporter.warn(`the edit is made, and the incident could not be read after it: ${error.message}`);
    return undefined;
  });
  if (after !== undefined) warnOfOthers(options, operation.latest(), after, fields);
  const readAt = system.clock.monotonic();
  return { how: "edited", incident: after ?? answered, readAt, ...(failure && { failure }) };
}

/** The operation of the edit: an unfinished one with the same values, else the next. */
async function chooseOperation(options: DeliveryOptions, id: string, fields: EditedFields) {
  for (let occurrence = 0; ; occurrence += 1) {
    const key = editKey(options, id, fields, occurrence);
    const log = await options.journal.read(key);
    if (log.state !== "created")
      return { key, log, digest: jsonDigest(["edit", id.toLowerCase(), valuesOf(fields)]) };
  }
}

/** One more look for an edit of the journal; undefined where its values are not in the journal. */
export function loggedEdit(
  options: DeliveryOptions,
  log: OperationLog,
  incident: Incident,
): Operation | undefined {
  const { change, digest, key } = log;
  if (change?.kind !== "edit" || digest === undefined) return undefined;
  const values = Object.entries(change.fields).map(([name, { to }]) => [
    name,
    name === "services" ? to?.split(", ").map((id) => ({ id })) : to,
  ]);
  if (values.some(([, to]) => to === undefined)) return undefined;
  const nothing = { method: "PATCH", properties: [] } as const;
  const request = { key, log, digest, incident, fields: Object.fromEntries(values) };
  return editOperation({ ...options, edit: nothing }, request);
}

interface LoggedEdit extends EditRequest {
  readonly key: OperationKey;
  readonly log: OperationLog;
  readonly digest: string;
}

/** `latest`: the incident as it was read before the edit. */
function editOperation(
  options: EditOptions,
  { digest, fields, ifStatus, incident: known, key, log }: LoggedEdit,
): Operation & { readonly latest: () => Incident } {
  const { client, edit, service, settleFor } = options;
  let incident = known;
  let etag: string | undefined;
  const facts = incidentFacts(known);
  const live = liveTextsOf(known, fields);
  const changed = Object.entries(textsOf(fields)).map(([name, to]) => {
    const from = ownValue(live, name);
    return [name, { to, ...(from !== undefined && { from }) }];
  });
  const change: Change = { kind: "edit", incidentId: known.id, fields: Object.fromEntries(changed) };
  const read = (budget: number) => client.getForEdit(known.id, { budget });
  const isMade = (read: Incident) => Object.keys(fieldsToEdit(read, fields)).length === 0;
  return {
    kind: "edit",
    key,
    log,
    content: { change, digest, name: facts.name },
    ids: withoutIds,
    latest: () => incident,
    // It is read right before it is sent: a PUT carries the other fields.
    stepRequest: () => ({
      digest,
      mayExist: true,
      isFoundByContent: true,
    }),
    async prepare() {
      if (ifStatus === undefined) return;
      ({ incident, etag } = await read(settleFor));
      const moved = statusFailure(incident, ifStatus);
      if (moved !== undefined) throw moved;
    },
    async look() {
      ({ incident, etag } = await read(settleFor));
      return isMade(incident) ? { incident, serviceId: known.id } : undefined;
    },
    async send(_log, _withId, conditions): Promise<Sent> {
      const body = editBody(edit, incident, fields);
      const ended = await client.editIncident(edit, known.id, body, { ...conditions, ifMatch: etag });
      if (ended.kind === "failed") return { ...judgeEnding(ended, undefined, service), ids: [] };
      const found = { incident: ended.incident, serviceId: known.id };
      return { kind: "created", found, onRecorded: () => undefined, requestId: ended.requestId };
    },
    reads: () => ({
      absent: { kind: "absent" },
      look: async (until) => {
        const found = await readWithin(options, until, read);
        if (found instanceof Failure) return { kind: "failed", failure: found };
        if (found === undefined) return undefined;
        if (!isMade(found.incident)) return { kind: "absent" };
        return { kind: "found", found: { incident: found.incident, serviceId: known.id } };
      },
    }),
    replay: async (log) => ({ incident, log, how: "remembered" }),
  };
}

/** The fields that the service fills in, and the history: an edit carries none of them. */
const leftOut = ["id", "created_at", "updated_at", "lastUpdateStatus", "duration", "incidentUpdates"];

/** A PUT replaces the incident, so that it carries each field that the document names and the incident has. */
function editBody(
  { method, properties }: Edit,
  incident: Incident,
  { services, ...texts }: EditedFields,
): Fields {
  // A service that stays is sent as it was read.
  const shown = entriesOf(incident.services);
  const asRead = (id: string) => shown.find((each) => normalId(String(fieldOf(each, "id"))) === normalId(id));
  const fields = { ...texts, ...(services && { services: services.map((each) => asRead(each.id) ?? each) }) };
  if (method === "PATCH") return fields;
  const carried = Object.entries(incident).filter(
    ([name]) => properties.includes(name) && !leftOut.includes(name),
  );
  return { ...Object.fromEntries(carried), ...fields };
}

/** Another person, or the service, may have changed the other fields. */
function warnOfOthers(
  { reporter }: DeliveryOptions,
  before: Incident,
  after: Incident,
  fields: EditedFields,
): void {
  const [old, now] = [incidentFacts(before), incidentFacts(after)];
  const texts = ({ updates }: IncidentFacts) =>
    updates.map(({ description = "" }) => normalText(description));
  const views = {
    name: ({ name = "" }) => normalText(name),
    severity: ({ severity = "" }) => severity,
    status: ({ status = "" }) => status,
    services: ({ services }) => services.map(({ id, name = "" }) => id?.toLowerCase() ?? name).sort(),
    updates: (facts) => texts(facts).sort(),
  } as const satisfies Readonly<Record<string, (facts: IncidentFacts) => unknown>>;
  const others = Object.entries(views)
    .filter(([name, view]) => !Object.hasOwn(fields, name) && jsonDigest(view(old)) !== jsonDigest(view(now)))
    .map(([name]) => name);
  if (others.length > 0)
    reporter.warn(`the edit of ${before.id} is made, and the service changed more: ${listOf(others)}`);
}
