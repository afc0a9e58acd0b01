// The plan of a run: its requests, the incidents after them, and the subscribers that they notify.
import { type ApiRequest, buildRequest, pathOf, type RequestTarget } from "../../api/request.ts";
import type { EditRequest } from "../../delivery/changes/edit.ts";
import type { PostRequest } from "../../delivery/changes/update-operation.ts";
import type { Changes } from "../../delivery/timeline/changes.ts";
import type { AddUpdate } from "../../document/contract.ts";
import { updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import { oldestFirst } from "../../incident/updates.ts";
import { type Incident, type IncidentFacts, incidentFacts, updateFacts } from "../../incident/wire.ts";
import { contentOf } from "../../journal/content.ts";
import type { Input } from "../../kit/command.ts";
import type { Page } from "../../kit/report.ts";
import { listOf } from "../../text/lengths.ts";
import { entriesOf, type Fields, fieldOf } from "../../untrusted-data.ts";

/** All that a run would send: it is previewed, digested, consented to and delivered. */
export interface Plan {
  /** The command line that is confirmed. */
  readonly input: SendInput;
  readonly target: Pick<RequestTarget, "account" | "baseUrl">;
  readonly incidents: readonly PlannedIncident[];
  /** A rerun does not recognize each incident, so that no command confirms it. */
  readonly lacksIds?: boolean;
  /** The operation after a create, or why it is not known. */
  readonly adding?: AddUpdate | Failure | undefined;
  /** Facts that the digest covers beside the requests, such as `--new`. */
  readonly terms?: object;
  /** The beginning of the question, such as `Declare "Checkout fails"`. */
  readonly subject: string;
  /** Shown before the question. Without it, the person is asked only about a notification. */
  readonly page?: Page | undefined;
  /** The data of a preview, where that is not the requests. */
  readonly facts?: object;
}

export type SendInput = Input<Input["flags"] & { readonly confirm?: string | undefined }>;

export interface PlannedIncident {
  readonly name: string;
  readonly services: readonly string[];
  readonly requests: readonly ApiRequest[];
}

/** A create with `id`, and the updates after it. `adding`: as `findAddingOperation` gives it. */
export function planCreate(
  target: RequestTarget,
  definition: Definition,
  id: string | undefined,
  adding: AddUpdate | Failure | undefined,
): PlannedIncident {
  const { body } = contentOf(definition, id, target.account.value, { isWhole: adding === undefined });
  const addUpdate = adding instanceof Failure ? undefined : adding;
  const posts = definition.incidentUpdates.slice(1).map((update) => ({ update }));
  const requests = [
    buildRequest(target, { method: "POST", path: pathOf("incidents"), body }),
    // The answer to the create has the id.
    ...changeRequests(target, "{id}", { addUpdate, posts }),
  ];
  return { name: body.name, services: body.services.map(({ name }) => name), requests };
}

interface ToSend extends Pick<Changes, "addUpdate"> {
  readonly edit?: EditRequest | undefined;
  readonly posts: readonly Pick<PostRequest, "update">[];
}

export function planChangeRequests(
  target: RequestTarget,
  incident: Incident,
  changes: ToSend,
): PlannedIncident {
  const { id } = incident;
  const { name = id, services } = incidentFacts({ ...incident, ...changes.edit?.fields });
  const names = services.map((each) => each.name ?? each.id ?? "");
  return { name, services: names, requests: changeRequests(target, id, changes) };
}

/** The requests to an incident: the edit first, then the updates. */
function changeRequests(target: RequestTarget, id: string, { addUpdate, edit, posts }: ToSend) {
  const path = pathOf("incidents", id);
  const post = ({ segment }: AddUpdate, body: Update) =>
    buildRequest(target, { method: "POST", path: `${path}/${segment}`, body });
  return [
    ...(edit ? [buildRequest(target, { method: edit.operation.method, path, body: edit.fields })] : []),
    ...(addUpdate ? posts.map(({ update }) => post(addUpdate, updateBody(addUpdate, update))) : []),
  ];
}

/** The incident as customers would see it after the requests; `read` is undefined for a create. */
export function incidentAfter(read: Incident | undefined, requests: readonly ApiRequest[]): IncidentFacts {
  const bodies = requests.map(({ body }) => body as Fields);
  const posted = bodies.filter(isUpdate).map((body) => ({ ...updateFacts(body), notified: undefined }));
  const fields: Fields = Object.assign({}, ...bodies.filter((body) => !isUpdate(body)));
  const facts = incidentFacts({ ...read, ...fields, id: read?.id ?? "" });
  const own =
    read === undefined ? facts.updates.map((each) => ({ ...each, notified: undefined })) : undefined;
  // A page reverses a list of updates whose last one has no date yet.
  const updates = [...(own ?? oldestFirst(facts)), ...posted];
  const changed = [...(own ?? []), ...posted].at(-1)?.status;
  return { ...facts, updates, status: changed ?? facts.status };
}

function isUpdate(body: Fields): boolean {
  return body.description !== undefined;
}

/** Whether a request notifies subscribers; undefined for an edit, of which nothing states it. */
function notifies({ body }: ApiRequest): boolean | undefined {
  const updates = isUpdate(body as Fields) ? [body] : fieldOf(body, "incidentUpdates");
  if (updates === undefined) return undefined;
  return entriesOf(updates).some((update) => fieldOf(update, "notifySubscribers") === true);
}

function incidentsWith(incidents: readonly PlannedIncident[], notification: boolean | undefined) {
  return incidents.filter(({ requests }) => requests.some((request) => notifies(request) === notification));
}

/** The services whose subscribers the requests notify. */
export function notifiedBy(incidents: readonly PlannedIncident[]): string {
  return servicesOf(incidentsWith(incidents, true));
}

export function servicesOf(incidents: readonly Pick<PlannedIncident, "name" | "services">[]): string {
  const names = incidents.flatMap(({ name, services }) => (services.length === 0 ? [name] : services));
  return listOf([...new Set(names)]);
}

/** Lines that tell whom the requests notify. Of an edit, nothing states it. */
export function describeNotified(incidents: readonly PlannedIncident[]): string[] {
  const [loud, silent, edited] = [true, false, undefined].map((each) => incidentsWith(incidents, each));
  const names = notifiedBy(incidents);
  const stated = names === "" ? "notifies no subscribers" : `notifies the subscribers of ${names}`;
  return [
    ...(edited?.length ? ["nothing states whether an edit notifies subscribers"] : []),
    ...(loud?.length || silent?.length ? [edited?.length ? `the update ${stated}` : stated] : []),
  ];
}
