// The changes that bring an existing incident to its definition: a pure plan, then its delivery, each step exactly once. A value
// that a person changed at the service since the file was applied stays.
import { describedOperation, type KnownOperations } from "../../api/known-operations.ts";
import type { AddUpdate } from "../../document/contract.ts";
import { describeLeftOut } from "../../document/update-body.ts";
import { catchFailure, Failure, onlyFailure } from "../../failure.ts";
import { type Difference, differencesOf, isAnotherIncident } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import { type Incident, incidentFacts, isResolved, isSameId } from "../../incident/wire.ts";
import { partsOf } from "../../journal/content.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { findByDigest, findById } from "../../journal/model.ts";
import { listOf } from "../../text/lengths.ts";
import { wasAltered } from "../attempt.ts";
import {
  checkLastEdit,
  type EditedFields,
  type EditRequest,
  editableFields,
  makeEdit,
  rememberApplied,
} from "../changes/edit.ts";
import { postOnce } from "../changes/update-operation.ts";
import type { Delivered, DeliveryOptions } from "../delivery-options.ts";
import { conflictFailure, describeIncident, hintForRest, placeOf } from "../failures.ts";
import { type ChangeOptions, planTail, type ReadIncident, type Tail } from "./update-order.ts";

export interface Changes {
  readonly incident: Incident;
  /** The log of the create. */
  readonly log: OperationLog;
  readonly posts: Tail["posts"];
  /** Undefined where no update is to be posted. */
  readonly addUpdate?: AddUpdate | undefined;
  readonly edit?: ChangedFields | undefined;
  readonly content: Content;
}

export interface ChangedFields extends EditRequest {
  /** The edited fields as texts. */
  readonly differences: readonly Difference[];
}

export interface ChangePlan {
  /** `resolved`: a person has resolved the incident, and its definition adds nothing. */
  readonly action: "change" | "unchanged" | "resolved" | "drifted" | "failed";
  readonly differences?: readonly Difference[];
  /** The updates that the incident lacks or shows with another text. */
  readonly drift?: Failure | undefined;
  /** Whether updates at its end are not posted, or fields not edited, because of the drift: no flag permits that. */
  readonly isHeldBack?: boolean | undefined;
  readonly changes?: Changes;
  /** The fields that the file changed, where the service shows the new values already. */
  readonly agreed?: { readonly content: Content; readonly fields: readonly string[] } | undefined;
  /** A "rejected" failure is for a person to correct, even if everything else succeeds. */
  readonly failure?: Failure | undefined;
  readonly warnings?: readonly string[];
}

/**
 * `known`: the operations of the service, or why they are not known. Throws a `Failure` where the service does not show the last
 * edit from here yet.
 */
export function planChanges(options: ChangeOptions, read: ReadIncident, known: KnownOperations): ChangePlan {
  const { content, definition, incident, log, model } = read;
  const { body } = content;
  const file = definition.incidentUpdates;
  const tail = planTail(options, read, known instanceof Failure ? undefined : known.addUpdate);
  // It is open again with an update after its RESOLVED. One without a known outcome may be before it.
  const { status: last = "RESOLVED" } = tail.posts.findLast((each) => !each.log.uncertain)?.update ?? {};
  const staysResolved = isResolved(incident) && last === "RESOLVED";
  const planned = planEdits(body, log, incident, { overwrites: options.overwrites, staysResolved });
  const warnings = tail.warning === undefined ? [] : [tail.warning];
  // A file that lacks a text that was posted for it may be an older version.
  const isOlder = !options.overwrites && tail.differences.some(({ wanted }) => wanted === undefined);
  const held = { agreed: [], edits: [], others: [...planned.edits, ...planned.others] };
  const { agreed: shown, edits, others } = isOlder ? held : planned;
  // A read that is behind shows the values from before the last edit.
  if (shown.length > 0) checkLastEdit(options, incident, findById(model, incident.id));
  const agreed = shown.length === 0 ? undefined : { content, fields: shown };
  const drift = tail.failure?.kind === "drift" ? tail.failure : undefined;
  const differences = [...others, ...tail.differences.filter((each) => !wasAltered(log, each))];
  const isHeldBack = tail.isHeldBack || edits.length < planned.edits.length;
  const stays = { differences, drift, isHeldBack };
  const isOver = tail.isOver && file.at(-1)?.status !== "RESOLVED";
  const { posts } = tail;
  const isRenamed = planned.edits.some(({ field }) => field === "name");
  const isOther = log.parts === undefined ? isAnotherIncident(body, incidentFacts(incident)) : isRenamed;
  // The file may be used again for another incident, perhaps after the end of its own.
  const isUsedAgain = (isOther && !tail.hasPublished) || (isOver && edits.length > 0);
  const other = isUsedAgain || options.overwrites || !isRenamed ? undefined : declaredElsewhere(read);
  const fields = edits.map(({ field }) => field);

  /** The failure where the document describes no edit of all the fields, or no added update. */
  function lackingFailure(): Failure | undefined {
    const { settings } = options.client;
    const lacking = catchFailure(() => {
      const edit = fields.length > 0 ? describedOperation(known, settings, "edit", incident.id) : undefined;
      const others = fields.filter((field) => !edit?.properties.includes(field));
      if (others.length > 0)
        throw new Failure("rejected", `the service's document describes an edit without ${listOf(others)}`, {
          hint: `nothing was sent; change it ${placeOf(options, incident.id)}`,
        });
      if (posts.length > 0) describedOperation(known, settings, "addUpdate", incident.id);
    });
    // The run goes on: other definitions may need no such operation.
    const problem = `${describeIncident(incident)} cannot be brought to its definition`;
    return lacking?.with({ message: `${problem}: ${lacking.message}`, unreachable: false });
  }

  const hint = isOver
    ? "use another id if it is another incident; else add the RESOLVED that is published to the file"
    : other && `incident ${other} has this content: correct the definition, or write it with --force`;
  const conflict = isUsedAgain || other ? conflictFailure(incident, [...edits, ...others]) : undefined;
  const failure =
    conflict?.with(hint ? { hint } : {}) ?? (tail.failure === drift ? lackingFailure() : tail.failure);
  if (failure !== undefined)
    return { action: "failed", failure, differences: [...edits, ...differences], warnings };
  if (fields.length + posts.length === 0 || known instanceof Failure) {
    const unchanged = tail.isOver ? "resolved" : "unchanged";
    return { ...stays, action: drift || differences.length > 0 ? "drifted" : unchanged, agreed, warnings };
  }
  const { addUpdate, edit: operation } = known;
  const edit = operation &&
    edits.length > 0 && {
      operation,
      fields: Object.fromEntries(edits.map(({ field }) => [field, body[field as keyof EditedFields]])),
      differences: edits.map((each) =>
        each.field === "services" ? servicesByName(each, body, incident) : each,
      ),
    };
  const updates = posts.map(({ update }) => update);
  const leftOut = addUpdate && describeLeftOut(addUpdate, updates);
  const changes: Changes = { incident, log, posts, addUpdate, edit: edit || undefined, content };
  const told = leftOut === undefined ? warnings : [...warnings, `"${definition.name}": ${leftOut}`];
  return { ...stays, action: "change", changes, agreed, warnings: told };
}

/** Another incident that was declared from here with this content: two files may have exchanged their ids. */
function declaredElsewhere({ content, incident, model }: ReadIncident): string | undefined {
  const ids = findByDigest(model, content.digest).flatMap(({ created }) => created?.serviceId ?? []);
  return ids.find((id) => !isSameId(id, incident.id));
}

function servicesByName({ field }: Difference, { services }: CreateBody, incident: Incident): Difference {
  const shown = incidentFacts(incident).services.map(({ id = "", name = id }) => name);
  return { field, wanted: services.map(({ name }) => name).join(", "), found: shown.join(", ") };
}

/** The texts of updates are compared as a timeline, and the service changes two fields itself with each update. */
const leftOut = /^(updated_at|duration)$|\.(description|status)$/;

/**
 * `edits`: fields that the definition changed, and with `overwrites`, that a person changed. `others`: fields that stay.
 * `staysResolved`: a field that a person changed is no difference if the incident stays resolved.
 */
export function planEdits(
  body: CreateBody,
  log: OperationLog,
  incident: Incident,
  { overwrites, staysResolved }: { readonly overwrites: boolean; readonly staysResolved: boolean },
) {
  const differences = differencesOf(body, incident).filter(({ field }) => !leftOut.test(field));
  const own = partsOf(body);
  const changed = editableFields.filter((name) => log.parts !== undefined && log.parts[name] !== own[name]);
  const isEdit = (each: Difference) => {
    const name = editableFields.find((field) => field === each.field);
    if (name === undefined) return false;
    return changed.includes(name) || (overwrites && isOfPerson(each));
  };
  const isOfPerson = (each: Difference) => !wasAltered(log, each) && !staysResolved;
  const others = differences.filter((each) => !isEdit(each) && isOfPerson(each));
  const agreed = changed.filter((name) => differences.every(({ field }) => field !== name));
  return { edits: differences.filter(isEdit), others, agreed };
}

export interface DeliveredChanges {
  readonly incident: Incident;
  readonly posted: number;
  readonly edited: EditedFields;
  /** The changes that a dry run leaves to be sent. */
  readonly rest?: Changes | undefined;
  readonly failure?: Failure | undefined;
}

/** Returns a `Failure` beside the changes that were sent, instead of throwing it. */
export async function deliverChanges(options: DeliveryOptions, changes: Changes): Promise<DeliveredChanges> {
  const { addUpdate, content, edit, log, posts } = changes;
  const unsent: (typeof posts)[number][] = [];
  let { incident } = changes;
  let edited: EditedFields = {};
  let posted = 0;
  try {
    if (edit !== undefined && !options.neverSends) {
      const { fields } = edit;
      const made = await makeEdit(options, incident, edit);
      incident = made.incident;
      if (made.how !== "edited-before") edited = fields;
      await rememberApplied(options, log, content, Object.keys(fields), made.altered);
    }
    for (const post of posts) {
      const one = await postOnce(options, addUpdate as AddUpdate, { ...post, incident });
      incident = one.incident;
      if (one.how === "posted") posted += 1;
      if (one.how === "unsent") unsent.push(post);
      if (one.failure !== undefined) throw one.failure;
    }
    const isRest = options.neverSends && (edit !== undefined || unsent.length > 0);
    const rest = isRest ? { ...changes, posts: unsent } : undefined;
    return { incident, posted, edited, rest };
  } catch (error) {
    return { incident, posted, edited, failure: onlyFailure(error) };
  }
}

/** Posts the updates after those of the create. */
export async function postRest(
  options: DeliveryOptions,
  read: Omit<ReadIncident, "model"> & Pick<Delivered, "how">,
): Promise<Omit<DeliveredChanges, "edited">> {
  const { incident } = read;
  // The incident was read a moment ago: a service that is behind may not show a new one yet.
  const planning = { ...options, began: options.system.clock.monotonic(), overwrites: false, reopens: false };
  let delivered: Omit<DeliveredChanges, "edited"> = { incident, posted: 0 };
  try {
    const model = await options.journal.model(options.service);
    const plan = planChanges(planning, { ...read, model }, await options.operations());
    for (const warning of plan.warnings ?? []) options.reporter.warn(warning);
    const { changes } = plan;
    if (changes !== undefined) delivered = await deliverChanges(planning, { ...changes, edit: undefined });
    const drift = options.acceptsAnyContent ? undefined : plan.drift;
    delivered = { ...delivered, failure: delivered.failure ?? plan.failure ?? drift };
  } catch (error) {
    // The incident is declared, so its id is reported even if the journal cannot be read.
    delivered = { ...delivered, failure: onlyFailure(error) };
  }
  const { failure } = delivered;
  const isKept = failure === undefined || failure.kind === "uncertain" || failure.kind === "drift";
  const isPublished = read.how === "declared" || delivered.posted > 0;
  if (isKept || !isPublished) return delivered;
  const message = `the incident is declared, and not all updates after it are posted: ${failure.message}`;
  // This command has the id from the service, so that a miss means a delay.
  const isNotThere = failure.kind === "missing" || failure.details.response?.status === 404;
  const hint = isNotThere
    ? "the service may be behind: run the same command again for the rest"
    : hintForRest(failure);
  return { ...delivered, failure: failure.with({ kind: "partial", message, hint }) };
}
