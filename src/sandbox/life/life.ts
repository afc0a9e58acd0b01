// The operations that the spec does not show: the list, an edit, an update, the updates and the services.
import type { Random } from "../../platform/context.ts";
import { addUpdate, type CreateBody, type Incident, isRepeated } from "../create-incident.ts";
import { parseBody } from "../parse-body.ts";
import { errorResponse, jsonResponse, type ServiceResponse } from "../response.ts";
import type { LifeOperation, ReceivedRequest } from "../route.ts";
import { checkSchema, type Schema } from "../schema.ts";
import { pageOf } from "./page.ts";
import { lifeSchemas } from "./schemas.ts";
import { servicesOf } from "./services.ts";

/** A request that passed the rate limit and has access. Times are milliseconds since the epoch. */
export interface LifeCall {
  readonly request: ReceivedRequest;
  readonly incidentId: string;
  readonly now: number;
  /** The time whose state a read sees. */
  readonly readAt: number;
}

export interface LifeOptions {
  readonly accountId: string;
  /** How the service treats the `id` of an added update. */
  readonly clientIds: "honour" | "ignore" | "reject";
  /** How the service treats an added update with an honoured id that the incident has. */
  readonly onDuplicateId: "conflict" | "create-again" | "upsert";
  readonly random: Pick<Random, "guid">;
  readonly store: {
    find(id: string): Incident | undefined;
    findAt(id: string, at: number): Incident | undefined;
    incidents(at?: number): readonly Incident[];
  };
  /** Replaces the incident. If it throws, nothing is changed. */
  save(incident: Incident, at: number): void;
}

type EditBody = Omit<CreateBody, "incidentUpdates">;
type AddBody = CreateBody["incidentUpdates"][number];

const maxUpdates = 100;

export function createLife(options: LifeOptions) {
  const { accountId, clientIds, onDuplicateId, random, save, store } = options;
  let updates = 0;
  let repeated = 0;
  const parse = <T>(request: ReceivedRequest, schema: Schema) =>
    parseBody<T>(request, (value) => checkSchema(schema, value, lifeSchemas));
  const queryOf = ({ request }: LifeCall) => new URL(request.url).searchParams;

  function edit({ request, incidentId, now }: LifeCall): ServiceResponse {
    const incident = store.find(incidentId);
    if (incident === undefined) return errorResponse(404);
    const parsed = parse<EditBody>(request, lifeSchemas.EditIncident);
    if ("refusal" in parsed) return parsed.refusal;
    const { id = incident.id, ...body } = parsed.value;
    if (id.toLowerCase() !== incident.id.toLowerCase())
      return errorResponse(400, "id must be that of the path");
    const today = new Date(now).toISOString().slice(0, 10);
    const services = body.services.map((service) => ({
      created_at: today,
      ...service,
    }));
    const edited = { ...incident, updated_at: today, ...body, services };
    save(edited, now);
    return jsonResponse(200, edited);
  }

  function update({ request, incidentId, now }: LifeCall): ServiceResponse {
    const incident = store.find(incidentId);
    if (incident === undefined) return errorResponse(404);
    const parsed = parse<AddBody>(request, lifeSchemas.AddIncidentUpdate);
    if ("refusal" in parsed) return parsed.refusal;
    const { id: given, ...others } = parsed.value;
    if (clientIds === "reject" && given !== undefined) return errorResponse(400, "id is not a known field");
    const id = clientIds === "honour" && given !== undefined ? given : random.guid();
    const withId = incident.incidentUpdates.filter((each) => each.id.toLowerCase() === id.toLowerCase());
    if (withId.length > 0 && onDuplicateId === "conflict")
      return errorResponse(409, `An update with the id ${id} exists`);
    const replaced = onDuplicateId === "upsert" ? withId : [];
    const kept = incident.incidentUpdates.filter((each) => !replaced.includes(each));
    const added = addUpdate({ ...incident, incidentUpdates: kept }, { ...others, id }, { now, random });
    save(added, now);
    if (replaced.length === 0) {
      updates += 1;
      if (isRepeated(added)) repeated += 1;
    }
    return jsonResponse(200, added.incidentUpdates.at(-1));
  }

  const operations = {
    list: (call) => {
      const newestFirst = store.incidents(call.readAt).toReversed();
      return pageOf(newestFirst, queryOf(call));
    },
    edit,
    update,
    updates(call) {
      const incident = store.findAt(call.incidentId, call.readAt);
      if (incident === undefined) return errorResponse(404);
      const latest = incident.incidentUpdates.toReversed().slice(0, maxUpdates);
      return jsonResponse(200, latest);
    },
    services(call) {
      const query = queryOf(call);
      const all = servicesOf(store.incidents(call.readAt), accountId);
      return pageOf(all, query, query.get("paginated") === "false");
    },
  } satisfies Record<LifeOperation, (call: LifeCall) => ServiceResponse>;

  return {
    ...operations,
    /** The number of added updates, and of those that repeat the update before them. */
    counts: () => ({ updates, repeated }),
  };
}
