// The plan of an apply: reads the incident of each definition, several at a time, and compares.

import { updateBody } from "../document/update-body.ts";
import { Failure } from "../failure.ts";
import type { CreateBody } from "../incident/create-body.ts";
import type { Definition, Update } from "../incident/definition.ts";
import { canBeFound } from "../journal/client-ids.ts";
import { contentsOf, partsOf, updatesSentBy } from "../journal/content.ts";
import type { Content, OperationKey, OperationLog } from "../journal/events.ts";
import { editableFields } from "./changes/edit.ts";
import { mayBeBehind, warnOfDifferences } from "./creates/declared.ts";
import { unpostedFailure } from "./incident-failures.ts";
import { inParallel } from "./parallel.ts";
import { type ChangeOptions, type ChangePlan, planChanges } from "./timeline/plan-changes.ts";
import { readUpdateLogs } from "./timeline/plan-tail.ts";
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
  const { broken, logs: unsettled } = await readUnsettled(options, new Set());
  for (const { failure } of broken) options.reporter.warn(failure.message);
  await inParallel({ ...options, count: definitions.length }, async (index) => {
    planned[index] = await planDefinition(options, definitions[index] as Definition, unsettled);
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
  const { client, clientIds, journal, system } = options;
  const key = keyOf(options, definition);
  const planned = { definition, key, readAt: system.clock.monotonic() };
  const contents = contentsOf(definition, key.id, client.settings.account.value);
  const [content, whole] = [contents[0] as Content, contents.at(-1) as Content];
  try {
    const log = await journal.read(key);
    const known = { ...planned, log };
    // Declaring it settles it, or says why that is not possible; a read here could hide that.
    if (log.uncertain !== undefined) return { ...known, action: "unsettled" };
    const same = log.state === "new" ? unsettled.filter((each) => updatesSentBy(each, contents) > 0) : [];
    const failure = findSimilarCreate(options, same, content);
    if (failure !== undefined) return { ...planned, action: "failed", failure };
    const id = log.created?.serviceId ?? key.id;
    const canRead = log.created !== undefined || canBeFound(clientIds.current());
    const found = canRead ? await client.findIncident(id, { sharesConnection: true }) : undefined;
    // Reads on a connection of its own: on a shared one, an additional answer can belong to another read.
    const incident = found ?? (log.created && (await client.findIncident(id)));
    if (incident !== undefined) {
      const found = { ...known, serviceId: incident.id };
      return { ...found, ...(await planChanges(options, found, log, incident)) };
    }
    if (log.created !== undefined && (options.recreate || !mayBeBehind(log.created.at, system)))
      return { ...known, action: "gone" };
    if (log.created !== undefined) {
      const isWhole = await isRecorded(options, whole.body, log);
      const failure = isWhole ? undefined : unpostedFailure(await options.operations(), id);
      return { ...known, action: failure ? "failed" : "known", serviceId: id, ...(failure && { failure }) };
    }
    return { ...known, action: "create" };
  } catch (error) {
    if (!(error instanceof Failure) || isFinal(error)) throw error;
    return { ...planned, action: "failed", failure: error };
  }
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
  const { addUpdate } = changes?.operations ?? {};
  return (changes?.updates ?? []).map((at) => {
    const update = definition.incidentUpdates[at] as Update;
    return addUpdate === undefined ? update : updateBody(addUpdate, update);
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
