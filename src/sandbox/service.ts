// The service without fault injection: its responses follow spec 4, and life/ where the spec shows nothing. It checks a
// request in this order: rate limit, key, account, route, body.
import type { Random } from "../platform/context.ts";
import { type CreateBody, createIncident } from "./create-incident.ts";
import { createLife } from "./life/life.ts";
import { lifeOpenapi } from "./life/openapi.ts";
import { openapi, swagger } from "./openapi.ts";
import { parseBody } from "./parse-body.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";
import { errorResponse, jsonResponse, type ServiceResponse } from "./response.ts";
import { isOfSpec, matchRoute, type ReceivedRequest } from "./route.ts";
import { checkSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
import { createStore } from "./store.ts";

export interface ServiceOptions {
  readonly apiKey: string;
  readonly accountId: string;
  /** How the service treats the `id` of a create body; the default is "honour" (see `clientId` in assumptions.ts). */
  readonly clientIds?: "honour" | "ignore" | "reject" | undefined;
  /**
   * How the service treats a create with an honoured id that exists; the default is "conflict". "create-again" adds a
   * second incident and "upsert" replaces the first; both respond with 201.
   */
  readonly onDuplicateId?: "conflict" | "create-again" | "upsert";
  /** How it treats the `id` of an update; the default is as that of a create. A create keeps it unless it is ignored. */
  readonly updateIds?: ServiceOptions["clientIds"];
  /** Leaves out the operations that the spec does not show. */
  readonly onlySpec?: boolean | undefined;
  /** The default is 600 requests in 60 seconds (spec 8). */
  readonly rateLimit?: RateLimit | undefined;
  readonly random: Pick<Random, "guid">;
}

const checkBody = (value: unknown) => checkSchema(schemas.CreateIncident, value, schemas);

export function createService(options: ServiceOptions) {
  const { apiKey, accountId, random, clientIds = "honour", onDuplicateId = "conflict" } = options;
  const { onlySpec = false, updateIds = clientIds } = options;
  const has = onlySpec ? isOfSpec : () => true;
  const secondsToWait = createRateLimit(options.rateLimit ?? { requests: 600, seconds: 60 });
  const store = createStore();
  let latest = 0;

  const life = createLife({
    accountId,
    clientIds: updateIds,
    onDuplicateId,
    random,
    store,
    save: (incident, at) => store.put({ incident, replaces: true, at }),
  });

  function checkAccess(headers: ReceivedRequest["headers"]): ServiceResponse | undefined {
    // The name of an authentication scheme is case-insensitive (RFC 9110, 11.1).
    const key = /^bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];
    if (key !== apiKey) return errorResponse(401);
    const account = headers["x-service-account"] ?? accountId;
    return account.toLowerCase() === accountId.toLowerCase() ? undefined : errorResponse(403);
  }

  function create(request: ReceivedRequest, now: number): ServiceResponse {
    const parsed = parseBody<CreateBody>(request, checkBody);
    if ("refusal" in parsed) return parsed.refusal;
    const body = parsed.value;
    if (clientIds === "reject" && body.id !== undefined) return errorResponse(400, "id is not a known field");
    const id = clientIds === "honour" && body.id !== undefined ? body.id : random.guid();
    const exists = store.find(id) !== undefined;
    if (exists && onDuplicateId === "conflict")
      return errorResponse(409, `An incident with the id ${id} exists`);
    const withoutId = ({ id: _, ...update }: CreateBody["incidentUpdates"][number]) => update;
    const incidentUpdates =
      updateIds === "ignore" ? body.incidentUpdates.map(withoutId) : body.incidentUpdates;
    const incident = createIncident({ ...body, incidentUpdates }, { id, now, random });
    store.put({ incident, clientId: body.id, replaces: exists && onDuplicateId === "upsert", at: now });
    return jsonResponse(201, incident);
  }

  function respond(request: ReceivedRequest, now: number, age: number): ServiceResponse {
    const route = matchRoute(request, has);
    if (route.kind === "openapi") return jsonResponse(200, onlySpec ? openapi : lifeOpenapi);
    if (route.kind === "swagger") {
      return jsonResponse(200, swagger, {
        deprecation: "true",
        link: '</openapi.json>; rel="successor-version"',
      });
    }
    const refused = checkAccess(request.headers);
    if (refused) return refused;
    if (route.kind === "wrong-method") return errorResponse(405, undefined, { allow: route.allow });
    if (route.kind === "unknown") return errorResponse(404);
    const { incidentId, kind } = route;
    const readAt = latest - age;
    if (kind !== "create" && kind !== "get") return life[kind]({ request, incidentId, now, readAt });
    if (kind === "create") return create(request, now);
    const incident = store.findAt(incidentId, readAt);
    return incident ? jsonResponse(200, incident) : errorResponse(404);
  }

  return {
    /**
     * Responds to a request that arrives at `now` (milliseconds since the epoch). A read sees the incidents as they were
     * `age` milliseconds ago.
     */
    handle(request: ReceivedRequest, now: number, age = 0): ServiceResponse {
      const isDocument = ["openapi", "swagger"].includes(matchRoute(request, has).kind);
      const seconds = isDocument ? 0 : secondsToWait(now);
      // A wall clock that is set back must not hide an incident.
      latest = Math.max(latest, now);
      if (seconds === 0) return respond(request, now, age);
      return errorResponse(429, undefined, { "retry-after": String(seconds) });
    },
    incidents: store.incidents,
    /** `duplicates` counts incidents that were declared again, and updates that were added again. */
    counts() {
      const { created, duplicates } = store.counts();
      const { updates, repeated } = life.counts();
      return { created, updates, duplicates: duplicates + repeated };
    },
  };
}
