// The plan of an apply: reads the incident of each definition, several at a time, and compares.

import { updateBody } from "../document/update-body.ts";
import { Failure } from "../failure.ts";
import type { CreateBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound } from "../journal/client-ids.ts";
import { contentsOf, partsOf, updatesSentBy } from "../journal/content.ts";
import type { Content, OperationKey, OperationLog } from "../journal/events.ts";
import { editableFields } from "./changes/edit.ts";
import { mayBeBehind, warnOfDifferences } from "./creates/declared.ts";
import { unpostedFailure } from "./incident-failures.ts";
import { inParallel } from "./parallel.ts";
import { type ChangeOptions, type ChangePlan, planChanges } from "./timeline/plan-changes.ts";
import { readPosted, readUpdateLogs } from "./timeline/plan-tail.ts";
import { findSimilarCreate, readUnsettled } from "./unsettled.ts";

/** `change`: updates are to be posted, or fields to be edited. `known`: the journal says that it was declared, and the service did not show it now. `unsettled`: it was sent, and its outcome is not known. `gone`: it was declared, and the service no longer has it. */
export type Action =
  | "create"
  | "change"
  | "unchanged"
  | "resolved"
  | "known"
  | "drifted"
  | "gone"
  | "unsettled"
  | "failed"
  | "not-read";

export interface PlannedDefinition extends Omit<ChangePlan, "action"> {
  readonly definition: Definition;
  readonly key: OperationKey;
  readonly action: Action;
  /** The service's own id of the incident. */
  readonly serviceId?: string;
  /** The journal's log of it at that time. */
  readonly log?: OperationLog;
  /** When it was read, on the monotonic clock. */
  readonly readAt: number;
}

export interface PlanOptions extends ChangeOptions {
  /** When it is aborted, requests that were sent end, and no other is sent. */
  readonly stop: AbortSignal;
  /** The number of definitions that are read or declared at a time. */
  readonly concurrency: number;
  readonly progress: (done: number, all: number) => void;
  /** `--recreate`: an incident that the journal knows as declared, and the service does not show, is declared anew. */
  readonly recreate: boolean;
}

/** Reads the incident of every definition. A final failure ends the plan; any other one stays with its definition. */
export async function planDefinitions(
  options: PlanOptions,
  definitions: readonly Definition[],
): Promise<readonly PlannedDefinition[]> {
  const planned: PlannedDefinition[] = [];
  let done = 0;
  const unsettled = await readUnsettled(options, new Set());
  await inParallel({ ...options, count: definitions.length }, async (index) => {
    const { warnings = [], ...one } = await planDefinition(
      options,
      definitions[index] as Definition,
      unsettled,
    );
    for (const warning of warnings) options.reporter.warn(warning);
    planned[index] = one;
    options.progress(++done, definitions.length);
  });
  warnOfNotShown(options, planned);
  return definitions.map((definition, index) => planned[index] ?? unread(options, definition));
}

function warnOfNotShown({ reporter }: PlanOptions, planned: readonly PlannedDefinition[]): void {
  const [one, ...others] = planned.filter(({ action }) => action === "known");
  if (one === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  reporter.warn(
    `the service does not show ${one.serviceId}${more}, declared from here: a cache or a replica may be behind, so they count as declared; --recreate declares them again at once`,
  );
}

/** `unsettled`: the creates whose outcome is not known. */
async function planDefinition(
  options: PlanOptions,
  definition: Definition,
  unsettled: readonly OperationLog[],
): Promise<PlannedDefinition> {
  const { client, journal, system } = options;
  const key = keyOf(options, definition);
  const planned = { definition, key, readAt: system.clock.monotonic() };
  const contents = contentsOf(definition, key.id, client.settings.account.value);
  try {
    const log = await journal.read(key);
    // Declaring it settles it, or says why that is not possible; a read here could hide that.
    if (log.uncertain !== undefined) return { ...planned, log, action: "unsettled" };
    const same = log.state === "new" ? unsettled.filter((each) => updatesSentBy(each, contents) > 0) : [];
    const failure = findSimilarCreate(options, same, contents[0] as Content);
    if (failure !== undefined) return { ...planned, action: "failed", failure };
    const incident = await readIncident(options, log);
    if (incident === undefined)
      return { ...planned, log, ...(await planMissing(options, (contents.at(-1) as Content).body, log)) };
    const posted = await readPosted(options, incident, definition.incidentUpdates, log);
    const changes = await planChanges(options, { definition, contents, log, incident, posted });
    return { ...planned, log, serviceId: incident.id, ...changes };
  } catch (error) {
    if (!(error instanceof Failure) || isFinal(error)) throw error;
    return { ...planned, action: "failed", failure: error };
  }
}

/** Undefined where the service does not show it, or could not show it. */
async function readIncident(
  { client, clientIds }: PlanOptions,
  { created, key }: OperationLog,
): Promise<Incident | undefined> {
  const id = created?.serviceId ?? key.id;
  const canRead = created !== undefined || canBeFound(clientIds());
  const found = canRead ? await client.findIncident(id, { sharesConnection: true }) : undefined;
  // Reads on a connection of its own: on a shared one, an additional answer can belong to another read.
  return found ?? (created && (await client.findIncident(id)));
}

/** For an incident that the service does not show. */
async function planMissing(
  options: PlanOptions,
  body: CreateBody,
  log: OperationLog,
): Promise<Pick<PlannedDefinition, "action" | "failure" | "serviceId">> {
  const { created } = log;
  if (created === undefined) return { action: "create" };
  if (options.recreate || !mayBeBehind(created.at, options.system)) return { action: "gone" };
  const { serviceId } = created;
  const isWhole = await isRecorded(options, body, log);
  const failure = isWhole ? undefined : unpostedFailure(await options.operations(), serviceId);
  return failure ? { action: "failed", serviceId, failure } : { action: "known", serviceId };
}

/** Whether the journal says that the incident is as its definition says. */
async function isRecorded(
  options: PlanOptions,
  body: CreateBody,
  { created, parts }: OperationLog,
): Promise<boolean> {
  if (created === undefined || parts === undefined) return false;
  const own = partsOf(body);
  if (editableFields.some((name) => own[name] !== parts[name])) return false;
  const logs = await readUpdateLogs(options, created.serviceId, body.incidentUpdates, parts.updates);
  return [...logs.values()].every((log) => log.created !== undefined);
}

function keyOf({ service }: PlanOptions, { id }: Definition): OperationKey {
  return { ...service, id: (id ?? "").toLowerCase() };
}

/** A definition that was not read, because the run ended first. */
function unread(options: PlanOptions, definition: Definition): PlannedDefinition {
  return { definition, key: keyOf(options, definition), action: "not-read", readAt: 0 };
}

/** Whether every other definition would fail in the same way, as after all attempts to reach the service. */
export function isFinal({ details, kind }: Failure): boolean {
  return kind === "credentials" || kind === "usage" || details.unreachable === true;
}

/** The updates of the definition that a run would post to the incident that exists. */
export function updatesToPost({ changes, definition }: PlannedDefinition): Update[] {
  return (changes?.updates ?? []).map((at) => {
    const update = definition.incidentUpdates[at] as Update;
    return changes?.addUpdate === undefined ? update : updateBody(changes.addUpdate, update);
  });
}

/** Warns of each incident that an apply leaves as it is. */
export function warnOfDrift(
  { warn }: Pick<PlanOptions["reporter"], "warn">,
  planned: readonly PlannedDefinition[],
): void {
  for (const { action, differences = [], drift, key, log, serviceId = key.id } of planned) {
    // A failure names its own.
    if (action === "failed") continue;
    warnOfDifferences({ warn }, { id: serviceId }, differences, drift && `; ${drift.hint}`);
    if (action === "gone")
      warn(
        `incident ${log?.created?.serviceId ?? key.id} was declared from here, and the service no longer has it`,
      );
  }
}
