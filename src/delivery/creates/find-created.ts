// Finds a create by its content, where the service may have given its incident another id: it is the only new one of the
// list with the same content, open, and of no other operation.
import { Failure } from "../../failure.ts";
import { differencesOf } from "../../incident/comparison.ts";
import { normalText } from "../../incident/normal-form.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { keepsIds } from "../../journal/client-ids.ts";
import type { OperationLog } from "../../journal/events.ts";
import { isGuid } from "../../rules/forms.ts";
import type { Pages } from "../../rules/openapi/operations.ts";
import { argv } from "../../text/advice.ts";
import { firstSending } from "../changes/update-identity.ts";
import type { DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import type { LookOnce } from "../operation.ts";
import { readWithin } from "../read-back.ts";

/** Milliseconds for the list before a create, which is never worth a longer wait. */
const listBudget = 2000;

/** The entries of the first page. */
export async function readFirstPage(
  { client }: DeliveryOptions,
  pages: Pages,
  budget: number,
): Promise<readonly Incident[]> {
  const { entries } = await client.listIncidents(pages, { most: 1000, isEnough: () => true, budget });
  return entries;
}

function haveSameName(
  entries: readonly Incident[],
  { content: { body } }: DeliveryRequest,
): readonly Incident[] {
  const name = normalText(body.name);
  return entries.filter((entry) => normalText(incidentFacts(entry).name ?? "") === name);
}

/** Whether its id may not find it. */
function mayHaveOtherId({ clientIds }: DeliveryOptions): boolean {
  return !keepsIds(clientIds.current());
}

/**
 * The ids of the incidents that exist before an attempt, in the page that was read a moment ago, else as they are now;
 * undefined where the list is not known, or cannot be read.
 */
export async function idsThere(
  options: DeliveryOptions,
  request: DeliveryRequest,
  page: readonly Incident[] | undefined,
): Promise<readonly string[] | undefined> {
  if (!mayHaveOtherId(options)) return undefined;
  try {
    const pages = await options.list?.();
    if (pages === undefined) return undefined;
    const entries = page ?? (await readFirstPage(options, pages, listBudget));
    return haveSameName(entries, request).map(({ id }) => id.toLowerCase());
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    // A look at the open incidents has warned already.
    if (options.isNew)
      options.reporter.warn(`a lost answer could not be found by its content: ${error.message}`);
    return undefined;
  }
}

/** Whether the log has the ids of the incidents that existed before the attempt. */
export function canFindCreated(options: DeliveryOptions, log: OperationLog): boolean {
  return options.list !== undefined && mayHaveOtherId(options) && firstSending(log)?.before !== undefined;
}

export async function findCreated(
  options: DeliveryOptions,
  request: DeliveryRequest,
  log: OperationLog,
  until: number,
): ReturnType<LookOnce> {
  const pages = await readWithin(options, until, async () => options.list?.());
  const before = firstSending(log)?.before;
  if (pages === undefined || pages instanceof Failure || before === undefined) return undefined;
  const there = await readWithin(options, until, (budget) => readFirstPage(options, pages, budget));
  if (there === undefined) return undefined;
  if (there instanceof Failure) return { kind: "failed", failure: there };
  const fresh = haveSameName(there, request).filter(
    ({ id }) => isGuid(id) && !before.includes(id.toLowerCase()),
  );
  const candidates: Incident[] = [];
  for (const { id } of fresh) {
    const incident = await readWithin(options, until, (budget) =>
      options.client.findIncident(id, { budget }),
    );
    if (incident instanceof Failure) return { kind: "failed", failure: incident };
    // The only new one is only known once each of them was read.
    if (incident === undefined) return undefined;
    if (isSame(request, incident) && !(await isOfOther(options, request, id))) candidates.push(incident);
  }
  const [only, ...others] = candidates;
  if (only === undefined) return { kind: "absent" };
  if (others.length === 0 && !(await hasTwin(options, request)))
    return { kind: "found", found: { incident: only, serviceId: only.id } };
  return { kind: "failed", failure: candidatesFailure(request, candidates) };
}

/** An incident with another update is an older one, or a person has taken it over. */
function isSame({ content: { body } }: DeliveryRequest, incident: Incident): boolean {
  const { name, severity, updates } = incidentFacts(incident);
  return (
    name !== undefined &&
    severity !== undefined &&
    !isResolved(incident) &&
    updates.length === body.incidentUpdates.length &&
    differencesOf(body, incident).length === 0
  );
}

/** Whether another operation has it; also where an entry of the journal that cannot be read may have it. */
export async function isOfOther(
  { journal, service }: DeliveryOptions,
  { key }: DeliveryRequest,
  id: string,
): Promise<boolean> {
  const { broken, logs } = await journal.find(id.toLowerCase(), [service]);
  return broken.length > 0 || logs.some((log) => log.key.id !== key.id);
}

/**
 * Whether another create of the same content has no known outcome: the incident may be of either. Asked after the list was
 * read, so that a create that is in the list has its entry.
 */
async function hasTwin(
  { journal, service }: DeliveryOptions,
  { content, key }: DeliveryRequest,
): Promise<boolean> {
  const { broken, logs } = await journal.unsettled();
  const isTwin = (log: OperationLog) =>
    log.key.id !== key.id &&
    log.key.baseUrl === service.baseUrl &&
    log.key.account === service.account &&
    log.digest === content.digest;
  return broken.length > 0 || logs.some(isTwin);
}

/** The journal cannot tell which one it is. */
function candidatesFailure({ key }: DeliveryRequest, candidates: readonly Incident[]): Failure {
  const ids = candidates.map(({ id }) => id);
  const settle = argv`incident journal settle ${key.id}`;
  const message =
    ids.length === 1
      ? `incident ${ids[0]} has the same content, and so has another create without a known outcome`
      : `${ids.length} new incidents have the same content: ${ids.join(", ")}`;
  return new Failure("uncertain", message, {
    hint: "look at them, then settle it, so that nothing is sent twice",
    commands: [
      ...ids.map((id) => ({
        command: [...settle, "--created", "--service-id", id, "--yes"],
        purpose: "it is this one",
      })),
      { command: [...settle, "--not-created", "--yes"], purpose: "it is none of them, and will not appear" },
    ],
  });
}
