// What the service of the simulation does with updates and edits. Some kinds list the newest update first, answer with the
// incident, or show no ids of updates.
import {
  answerText,
  errorAnswer,
  resolutionOf,
  type Service,
  type ServiceAnswer,
  type SimulatedIncident,
} from "./service.ts";

export interface ChangeRequest {
  /** POST adds an update; the others edit. */
  readonly method: string;
  /** The id of the incident. */
  readonly incident: string;
  readonly body: string;
}

/** An update that the service has made, in the order of the commits. */
export interface MadeChange {
  readonly incident: string;
  readonly operation: string;
  /** Where the logs of its sender are. */
  readonly place: string;
  /** The status and the text. */
  readonly text: string;
  /** The id that the service shows. */
  readonly id: string;
  readonly sender: number;
}

type Created = readonly SimulatedIncident[];
type Fields = Readonly<Record<string, unknown>>;

export function updatesOf({ fields }: SimulatedIncident): readonly Fields[] {
  return Array.isArray(fields.incidentUpdates) ? fields.incidentUpdates : [];
}

/** The status and the text of an update, by which a person knows it. */
export function textOf({ description, status }: Fields): string {
  return `${status} ${String(description).trim()}`;
}

export interface Applied {
  readonly answer: ServiceAnswer;
  readonly created: Created;
  /** The id of what was made; undefined where nothing was. */
  readonly id?: string;
}

export function change(service: Service, created: Created, request: ChangeRequest): Applied {
  const found = created.findLast(({ id, isDeleted }) => id === request.incident && !isDeleted);
  if (found === undefined) return { answer: errorAnswer(404, "Not Found"), created };
  return request.method === "POST"
    ? addUpdate(service, created, found, JSON.parse(request.body))
    : edit(service, created, found, request);
}

function addUpdate(service: Service, created: Created, incident: SimulatedIncident, update: Fields): Applied {
  const { kind } = service;
  const shown = updatesOf(incident);
  const id = `88888888-0000-4000-8000-${String(shown.length).padStart(12, "0")}`;
  const added = { ...update, ...(kind !== "refuses-ids" && { id }) };
  const after = withUpdates(incident, kind === "ignores-ids" ? [added, ...shown] : [...shown, added]);
  const body = answerText(service, kind === "replaces" ? after.fields : added);
  return {
    answer: { status: 201, text: body },
    created: created.map((each) => (each === incident ? withStatus(after, update, created) : each)),
    id,
  };
}

function withUpdates(incident: SimulatedIncident, incidentUpdates: readonly Fields[]): SimulatedIncident {
  const newest = incidentUpdates.find((each) => !updatesOf(incident).includes(each));
  return edited(incident, { incidentUpdates, lastUpdateStatus: newest?.status });
}

function edited(incident: SimulatedIncident, fields: Fields): SimulatedIncident {
  return { ...incident, earlier: incident.fields, fields: { ...incident.fields, ...fields } };
}

/** An update with another status reopens the incident. */
function withStatus(incident: SimulatedIncident, { status }: Fields, created: Created): SimulatedIncident {
  if (status === "RESOLVED") return { ...incident, ...resolutionOf(incident, created) };
  const { resolved: _, ...reopened } = incident;
  return reopened;
}

function edit(
  service: Service,
  created: Created,
  incident: SimulatedIncident,
  { body }: ChangeRequest,
): Applied {
  const after = edited(incident, JSON.parse(body));
  return {
    answer: { status: 200, text: answerText(service, after.fields) },
    created: created.map((each) => (each === incident ? after : each)),
    id: incident.id,
  };
}

/** Another person posts an update in the service's web application. */
export function postByPerson(
  { kind }: Service,
  created: Created,
  incident: SimulatedIncident,
  text: string,
): Created {
  const [status = "", ...words] = text.split(" ");
  const shown = updatesOf(incident);
  const id = `77777777-0000-4000-8000-${String(shown.length).padStart(12, "0")}`;
  const update = { status, description: words.join(" "), ...(kind !== "refuses-ids" && { id }) };
  const after = withUpdates(incident, kind === "ignores-ids" ? [update, ...shown] : [...shown, update]);
  return created.map((each) => (each === incident ? withStatus(after, update, created) : each));
}

/** How many updates with this text the service shows, whoever has posted them. */
export function countShown(incident: SimulatedIncident, text: string): number {
  return updatesOf(incident).filter((each) => textOf(each) === text).length;
}
