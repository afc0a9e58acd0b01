// Plans the changes that bring an existing incident to its definition, and the differences to report. Sends nothing.
import type { Failure } from "../../failure.ts";
import { type Difference, isAnotherIncident } from "../../incident/comparison.ts";
import { describeLeftOut } from "../../incident/contract/update-body.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { contentsOf } from "../../journal/content.ts";
import type { Content, OperationKey, OperationLog } from "../../journal/events.ts";
import type { Operations } from "../../rules/openapi/operations.ts";
import type { EditedFields } from "../changes/edit.ts";
import { conflictFailure } from "../delivery-failures.ts";
import { planEdits, wasAltered } from "./plan-edits.ts";
import { planTail, type TimelineOptions } from "./plan-tail.ts";
import { lackingFailure, servicesFailure } from "./timeline-failures.ts";

export interface PlannedChanges {
  readonly incident: Incident;
  /** Places of the definition's updates, in their order. */
  readonly updates: readonly number[];
  /** The number of those that nobody has sent. */
  readonly count: number;
  /** Fields to edit: the text for a person, and the values to send. */
  readonly edits: readonly Difference[];
  readonly fields: EditedFields;
  /** The definition as a create. */
  readonly content: Content;
  readonly operations: Operations;
}

export interface ChangeOptions extends TimelineOptions {
  /** `--force`: writes the values of the definition over those that somebody changed at the service. */
  readonly overwrites: boolean;
}

export interface ChangePlan {
  /** `resolved`: somebody has resolved the incident, and its definition has nothing to add. */
  readonly action: "change" | "unchanged" | "resolved" | "drifted" | "failed";
  readonly differences?: readonly Difference[];
  /** What the timeline of the incident lacks, or has in other words, and the way on. */
  readonly drift?: Failure;
  readonly changes?: PlannedChanges;
  /** The problem that a person has to correct, even if everything else succeeds. */
  readonly problem?: Failure;
  readonly failure?: Failure;
}

export async function planChanges(
  options: ChangeOptions,
  { definition, key }: { readonly definition: Definition; readonly key: OperationKey },
  log: OperationLog,
  incident: Incident,
): Promise<ChangePlan> {
  const account = options.client.settings.account.value;
  const file = definition.incidentUpdates;
  const contents = contentsOf(definition, key.id, account);
  const whole = contents.at(-1) as Content;
  const { body } = whole;
  const { edits: wanted, others } = planEdits(body, log, incident, options.overwrites);
  if (log.parts === undefined && isAnotherIncident(body, incidentFacts(incident)))
    return { action: "failed", problem: conflictFailure(incident, [...wanted, ...others]) };
  const tail = await planTail(options, incident, file, log);
  const takesServices = await editsServices(options, wanted);
  const edits = wanted.filter(({ field }) => field !== "services" || takesServices);
  const worded = tail.differences.filter((each) => !wasAltered(log, each));
  const differences = [...wanted, ...others, ...worded].filter((each) => !edits.includes(each));
  const withDifferences = differences.length > 0 ? { differences } : {};
  const drift = tail.failure?.kind === "drift" ? tail.failure : undefined;
  if (tail.failure !== undefined && drift === undefined)
    return { action: "failed", problem: tail.failure, ...withDifferences };
  const lacking =
    (edits.length > 0 && lackingFailure(options, incident, await options.operations(), "edit")) ||
    (tail.updates.length > 0 && lackingFailure(options, incident, await options.operations(), "addUpdate")) ||
    undefined;
  if (lacking !== undefined) {
    const all = { differences: [...edits, ...differences] };
    const reason = lacking.kind === "rejected" ? { problem: lacking } : { failure: lacking };
    return { action: "failed", ...reason, ...(all.differences.length > 0 && all) };
  }
  const isServicesLeft = wanted.some(({ field }) => field === "services") && !takesServices;
  const problem = isServicesLeft ? servicesFailure(options, incident) : undefined;
  const rest = {
    ...withDifferences,
    ...(drift && { drift }),
    ...(problem && { problem }),
  };
  const known = await (edits.length + tail.updates.length > 0 ? options.operations() : undefined);
  if (known?.isKnown) {
    const { count, updates } = tail;
    const { operations } = known;
    const posted = updates.map((at) => file[at] as Update);
    const leftOut = operations.addUpdate && describeLeftOut(operations.addUpdate, posted);
    if (leftOut !== undefined) options.reporter.warn(`"${definition.name}": ${leftOut}`);
    const fields = Object.fromEntries(
      edits.map(({ field }) => [field, body[field as keyof EditedFields]]),
    ) as EditedFields;
    const shown = edits.map((each) => (each.field === "services" ? byName(each, body, incident) : each));
    // As many updates as the create had.
    const content = contents[(log.parts?.updates.length ?? 0) - 1] ?? whole;
    const changes = { incident, updates, count, edits: shown, fields, content, operations };
    return { action: "change", changes, ...rest };
  }
  if (problem !== undefined) return { action: "failed", ...rest };
  const unchanged = tail.isOver ? "resolved" : "unchanged";
  return { ...rest, action: drift || differences.length > 0 ? "drifted" : unchanged, differences };
}

/** Whether the service's document describes an edit of the services, where they are to be edited. */
async function editsServices(options: ChangeOptions, wanted: readonly Difference[]): Promise<boolean> {
  if (!wanted.some(({ field }) => field === "services")) return false;
  const known = await options.operations();
  const edit = known.isKnown ? known.operations.edit : undefined;
  // Without an operation to edit, that one is missing.
  return edit === undefined || edit.properties.includes("services");
}

/** The services by the names that people know. */
function byName({ field }: Difference, { services }: CreateBody, incident: Incident): Difference {
  const shown = incidentFacts(incident).services.map(({ id = "", name = id }) => name);
  return { field, wanted: services.map(({ name }) => name).join(", "), found: shown.join(", ") };
}
