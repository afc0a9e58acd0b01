// An edit of an incident: read, compared, sent and read again. The journal keeps a record of it for an auditor, and no operation:
// the same edit again finds its values at the service, and sends nothing.
import type { Edit } from "../../document/contract.ts";
import { Failure, ignoreFailure, onlyFailure } from "../../failure.ts";
import { type Difference, differencesOf } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import type { Service } from "../../incident/definition.ts";
import { type Incident, incidentFacts, normalId, normalText } from "../../incident/wire.ts";
import type { Altered, Change, Content, OperationKey, OperationLog, Parts } from "../../journal/events.ts";
import { emptyLog } from "../../journal/fold.ts";
import { findById, operationIn } from "../../journal/model.ts";
import { shell } from "../../text/advice.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { entriesOf, type Fields, fieldOf, ownValue } from "../../untrusted-data.ts";
import { alteredIn, createdEvent, judgeEnding, wasAltered } from "../attempt.ts";
import { behindFailure, checkStatus, readKnown } from "../creates/declared.ts";
import { type DeliveryOptions, mayBeBehind } from "../delivery-options.ts";
import { idForText } from "../incident-id.ts";
import { readAgain } from "../read-back.ts";

/** The fields that an edit can change, with their new values. Of services, the journal keeps the ids alone. */
export interface EditedFields {
  readonly name?: string;
  readonly severity?: string;
  readonly services?: readonly (Partial<Service> & { readonly id: string })[];
}

export const editableFields = ["name", "severity", "services"] as const satisfies (keyof EditedFields)[];

export interface EditRequest {
  readonly operation: Edit;
  readonly fields: EditedFields;
  /** The status that the incident must have right before each attempt. */
  readonly ifStatus?: string | undefined;
}

export interface Edited {
  readonly incident: Incident;
  /** `edited-before`: the incident has these values already. */
  readonly how: "edited" | "edited-before";
  /** The fields in which the service shows neither the value of the edit nor that before it. */
  readonly altered?: Altered;
}

/** The fields whose values differ from those of the incident, or that it does not show. */
function fieldsToEdit(incident: Incident, fields: EditedFields): EditedFields {
  const { name, severity } = incidentFacts(incident);
  const services = Array.isArray(incident.services) ? incident.services : undefined;
  const differing = differencesIn(incident, fields).map(({ field }) => field);
  const isShown = (field: string) => ownValue({ name, services, severity }, field) !== undefined;
  return Object.fromEntries(
    Object.entries(fields).filter(([field]) => differing.includes(field) || !isShown(field)),
  );
}

/** The fields to edit, without those that the service altered when this edit was made before, and still shows so. */
export async function fieldsNotMade(
  options: Pick<DeliveryOptions, "journal" | "service">,
  incident: Incident,
  fields: EditedFields,
): Promise<EditedFields> {
  const left = fieldsToEdit(incident, fields);
  if (Object.keys(left).length === 0) return left;
  // An earlier run may have edited more fields.
  const keys = [left, fields].map((each) => recordKey(options, incident.id, each));
  const logs = await Promise.all(keys.map((key) => options.journal.read(key)));
  const altered = differencesIn(incident, left).filter((each) => logs.some((log) => wasAltered(log, each)));
  const isLeft = (name: string) => altered.every(({ field }) => field !== name);
  return Object.fromEntries(Object.entries(left).filter(([name]) => isLeft(name)));
}

function differencesIn(incident: Incident, fields: EditedFields): readonly Difference[] {
  const body = { services: [], ...fields, incidentUpdates: [] } as unknown as CreateBody;
  return differencesOf(body, incident).filter(({ field }) => Object.hasOwn(fields, field));
}

/** The values that the service altered. Undefined where one is as before, which does not prove the edit. */
function alteredBy(before: Incident, after: Incident, fields: EditedFields): Altered | undefined {
  const old = alteredIn(differencesIn(before, fields));
  const altered = alteredIn(differencesIn(after, fields));
  const isTaken = Object.entries(altered).every(([field, digest]) => digest !== ownValue(old, field));
  return isTaken ? altered : undefined;
}

function isMade(incident: Incident, fields: EditedFields): boolean {
  return Object.keys(fieldsToEdit(incident, fields)).length === 0;
}

/** Reads the incident right before the edit: a PUT carries its other fields. Throws a `Failure`, "uncertain" where it was sent. */
export async function makeEdit(
  options: DeliveryOptions,
  incident: Incident,
  { fields, ifStatus, operation }: EditRequest,
): Promise<Edited> {
  const { client, journal, reporter, settleFor, system } = options;
  const { id } = incident;
  if (isMade(incident, fields)) return { how: "edited-before", incident };
  await options.beforeSend?.();
  const before = await readKnown(options, id, { budget: settleFor });
  if (isMade(before, fields)) return { how: "edited-before", incident: before };
  checkStatus(before, ifStatus);
  const logs = findById(await journal.model(options.service), id);
  if (operation.method === "PUT") checkLastEdit(options, before, logs);
  const named = { ...before, name: ownName(before, logs) };

  async function look(): Promise<Incident | undefined> {
    const read = await client.findIncident(id, { budget: settleFor }).catch(ignoreFailure);
    const altered = read && alteredBy(before, read, fields);
    return read && (isMade(read, fields) || Object.keys(altered ?? {}).length > 0) ? read : undefined;
  }

  /** Reads at once, and after the settling time. Throws a `Failure` "uncertain" where the incident does not show the edit. */
  async function readBack(reason: Failure): Promise<Incident> {
    const poll = async () => {
      const found = await look();
      if (found === undefined && settleFor > 0) await system.clock.sleep(settleFor, system.signal);
      return found ?? look();
    };
    reporter.info(`${reason.message}; checking whether it was made`);
    const found = await reporter.withSpinner(
      () => "the edit was sent and not answered; looking for it",
      poll,
    );
    if (found !== undefined) return found;
    const edit = `the edit (${Object.keys(fields).join(", ")}) of ${id}`;
    const message = `it is not known whether ${edit} was made: ${reason.message}; the incident does not show it, but it may still appear`;
    throw new Failure("uncertain", message, {
      hint: `look at ${shell`incident get ${id}`}; no update was posted after it; the same command again compares first, and sends only what is not there`,
      response: reason.details.response,
      cause: reason,
    });
  }

  /** Records the edit for an auditor. Warns where that fails, because the edit is made. */
  async function record(altered: Altered): Promise<void> {
    const change: Change = { kind: "edit", incidentId: id, fields: Object.keys(textsOf(fields)) };
    const key = recordKey(options, id, fields);
    const { name } = incidentFacts({ ...named, ...fields });
    const event = {
      ...createdEvent(options, "answer", { serviceId: id, altered }),
      content: { change, digest: jsonDigest(key.id), name },
    };
    try {
      await journal.append(emptyLog(key), event, () => true);
    } catch (error) {
      reporter.warn(`the edit is made, and the journal has no record of it: ${onlyFailure(error).message}`);
    }
  }

  let release = () => {};
  const ended = await client.editIncident(operation, id, editBody(operation, named, fields), {
    beforeSend: async () => {
      release = system.holdExit();
    },
  });
  if (ended.kind === "failed" && judgeEnding(ended).kind !== "unclear") {
    release();
    throw ended.failure;
  }
  const answer = ended.kind === "edited" ? ended.incident : undefined;
  const answered = answer && alteredBy(before, answer, fields);
  const reason =
    ended.kind === "failed"
      ? ended.failure
      : new Failure("unavailable", "the answer shows the values from before it", { hint: "" });
  const after = (answered && ((await readAgain(options, id)) ?? answer)) ?? (await readBack(reason));
  // The read may be behind the answer.
  const altered = alteredBy(before, after, fields) ?? answered ?? {};
  await record(altered);
  if (!isMade(after, fields))
    reporter.warn(`the edit of ${id} is made, and the service shows other values than those of the edit`);
  return { how: "edited", incident: after, altered };
}

/** Records the edited fields, and their values after the edit, with the create: a later difference in them is a person's change. */
export async function rememberApplied(
  options: DeliveryOptions,
  known: OperationLog,
  content: Content,
  fields: readonly string[],
  made: Altered = {},
): Promise<void> {
  if (known.created === undefined || known.parts === undefined) return;
  const { serviceId } = known.created;
  const edited = fields.map((name) => [name, content.parts[name as keyof EditedFields]]);
  const parts: Parts = { ...known.parts, ...Object.fromEntries(edited) };
  const kept = Object.entries(known.altered ?? {}).filter(([field]) => !fields.includes(field));
  const altered: Altered = { ...Object.fromEntries(kept), ...made };
  const event = {
    ...createdEvent(options, "reading", { serviceId, altered }),
    content: { ...content, parts },
  };
  await options.journal.append(known, event, (model) => {
    const log = operationIn(model, known.key);
    const isKnown = jsonDigest([log.parts, log.altered ?? {}]) === jsonDigest([parts, altered]);
    return log.created !== undefined && !isKnown;
  });
}

export async function isRecorded(
  options: Pick<DeliveryOptions, "journal" | "service">,
  id: string,
  fields: EditedFields,
): Promise<boolean> {
  return (await options.journal.read(recordKey(options, id, fields))).created !== undefined;
}

function recordKey({ service }: Pick<DeliveryOptions, "service">, id: string, fields: EditedFields) {
  const values = Object.entries(textsOf(fields)).sort(([one], [other]) => one.localeCompare(other));
  const name = JSON.stringify(["edit", id.toLowerCase(), values]);
  return { ...service, id: idForText(service, name) } satisfies OperationKey;
}

function textsOf({ name, services, severity }: EditedFields): Readonly<Record<string, string>> {
  const ids = services && [...new Set(services.map(({ id }) => normalId(id)))].sort();
  return {
    ...(name !== undefined && { name: normalText(name) }),
    ...(severity !== undefined && { severity }),
    ...(ids && { services: ids.join(", ") }),
  };
}

/** Throws a `Failure` where the service does not show the last edit from here yet: a PUT would undo it. `logs`: of the incident. */
export function checkLastEdit(options: DeliveryOptions, shown: Incident, logs: readonly OperationLog[]) {
  // An edit that is made again keeps its first event.
  const timeOf = ({ events }: OperationLog) => events.at(-1)?.at ?? "";
  const edits = logs.filter(({ change }) => change?.kind === "edit");
  const last = edits.toSorted((one, other) => timeOf(other).localeCompare(timeOf(one)))[0];
  if (last?.change?.kind !== "edit" || !mayBeBehind(timeOf(last), options.system)) return;
  const edited = last.change.fields;
  const { name, services, severity } = incidentFacts(shown);
  const facts = { name, severity, services: services.map(({ id = "" }) => ({ id })) };
  const fields = Object.fromEntries(Object.entries(facts).filter(([field]) => edited.includes(field)));
  const hasIds = !edited.includes("services") || services.every(({ id }) => id !== undefined);
  const isShown = !hasIds || recordKey(options, shown.id, fields).id === last.key.id;
  if (!isShown && Object.keys(last.altered ?? {}).length === 0) throw behindFailure(options, last);
}

/** The name as it was sent from here: a service may show it with HTML escapes, and would escape them again. */
function ownName(incident: Incident, logs: readonly OperationLog[]): string | undefined {
  const { name = "" } = incidentFacts(incident);
  const sent = logs.flatMap(({ change, name }) => (change?.kind === "update" ? [] : (name ?? [])));
  return sent.find((each) => normalText(each) === normalText(name)) ?? incidentFacts(incident).name;
}

/** An edit carries neither the fields that the service fills in nor the updates. */
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
