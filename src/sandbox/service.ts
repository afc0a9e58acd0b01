// The service without faults. It checks a request in this order: rate limit, key, account, route, body.
import type { Random } from "../platform/context.ts";
import { checkSchema } from "./check-schema.ts";
import {
  addUpdate,
  type CreateBody,
  createIncident,
  createStore,
  type EditBody,
  editIncident,
  type Incident,
  isRepeated,
  type UpdateBody,
} from "./incidents.ts";
import { openapi, wholeOpenapi } from "./openapi.ts";
import { errorResponse, jsonResponse, type ServiceResponse } from "./response.ts";
import { matchRoute, type Operation, type ReceivedRequest } from "./route.ts";
import { allSchemas } from "./schemas.ts";

/** How the service treats the id of a body. A create keeps the id of its update unless it is ignored. */
type IdHabit = "honour" | "ignore" | "reject";

export interface ServiceOptions {
  readonly apiKey: string;
  readonly accountId: string;
  /** The default is "honour". */
  readonly clientIds?: IdHabit | undefined;
  /** For an honoured id that exists; "conflict" by default. "upsert" replaces the first incident. */
  readonly onDuplicateId?: "conflict" | "create-again" | "upsert";
  /** Leaves out the operations that the spec does not show. */
  readonly onlySpec?: boolean | undefined;
  /** The default is 600 requests in 60 seconds (spec 8). */
  readonly rateLimit?: { readonly requests: number; readonly seconds: number };
  readonly random: Pick<Random, "guid">;
}

/** A request that passed the rate limit and has access. Times are milliseconds since the epoch. */
interface Call {
  readonly request: ReceivedRequest;
  readonly incidentId: string;
  readonly now: number;
  /** The time whose state a read sees. */
  readonly readAt: number;
  /** Stands for `clientIds`. */
  readonly ids?: IdHabit | undefined;
}

class Refusal extends Error {
  readonly response: ServiceResponse;
  constructor(...of: Parameters<typeof errorResponse>) {
    super("refused");
    this.response = errorResponse(...of);
  }
}

export function createService(options: ServiceOptions) {
  const { accountId, clientIds = "honour", onDuplicateId = "conflict", onlySpec = false, random } = options;
  const { rateLimit = { requests: 600, seconds: 60 } } = options;
  const store = createStore();
  let counted: number[] = [];
  let updates = 0;
  let repeated = 0;

  function chooseId(given: string | undefined, habit: IdHabit): string {
    if (given === undefined || habit === "ignore") return random.guid();
    if (habit === "reject") throw new Refusal(400, "id is not a known field");
    return given;
  }

  function find(id: string, readAt?: number): Incident {
    const incident = store.find(id, readAt);
    if (incident === undefined) throw new Refusal(404);
    return incident;
  }

  const operations = {
    create({ request, now, ids = clientIds }) {
      const body = parseBody<CreateBody>(request, "CreateIncident");
      const id = chooseId(body.id, ids);
      const exists = store.find(id) !== undefined;
      if (exists && onDuplicateId === "conflict")
        throw new Refusal(409, `An incident with the id ${id} exists`);
      const incidentUpdates =
        ids === "ignore" ? body.incidentUpdates.map(({ id: _, ...update }) => update) : body.incidentUpdates;
      const incident = createIncident({ ...body, incidentUpdates }, { id, now, random });
      if (exists && onDuplicateId === "upsert") store.replace(incident, now);
      else store.add(incident, now);
      return jsonResponse(201, incident);
    },
    get: ({ incidentId, readAt }) => jsonResponse(200, find(incidentId, readAt)),
    list: ({ request, readAt }) => pageOf(store.incidents(readAt).toReversed(), request),
    edit({ request, incidentId, now }) {
      const incident = find(incidentId);
      const body = parseBody<EditBody>(request, "EditIncident");
      if (body.id !== undefined && body.id.toLowerCase() !== incident.id.toLowerCase())
        throw new Refusal(400, "id must be that of the path");
      const edited = editIncident(incident, body, now);
      store.replace(edited, now);
      return jsonResponse(200, edited);
    },
    update({ request, incidentId, now, ids = clientIds }) {
      const incident = find(incidentId);
      const body = parseBody<UpdateBody>(request, "CreateIncidentUpdate");
      const id = chooseId(body.id, ids);
      const exists = incident.incidentUpdates.some((each) => each.id.toLowerCase() === id.toLowerCase());
      if (exists && onDuplicateId === "conflict")
        throw new Refusal(409, `An update with the id ${id} exists`);
      const changed = addUpdate(incident, { ...body, id }, { now, random });
      store.replace(changed, now);
      updates += 1;
      if (isRepeated(changed)) repeated += 1;
      return jsonResponse(200, changed.incidentUpdates.at(-1));
    },
    services({ request }) {
      const own = services.map((service) => ({ ...service, accountId, created_at: "2026-01-01" }));
      return pageOf(own, request);
    },
  } satisfies Record<Operation, (call: Call) => ServiceResponse>;

  /** No window of that length exceeds the limit. A refused request does not count, so that the wait is long enough. */
  function checkLimit(now: number): void {
    const start = now - rateLimit.seconds * 1000;
    counted = counted.filter((time) => time > start);
    const [first = now] = counted;
    if (counted.length >= rateLimit.requests)
      throw new Refusal(429, undefined, {
        "retry-after": String(Math.max(1, Math.ceil((first - start) / 1000))),
      });
    counted.push(now);
  }

  function checkAccess({ headers }: ReceivedRequest): void {
    // The name of an authentication scheme is case-insensitive (RFC 9110, 11.1).
    const key = /^bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];
    if (key !== options.apiKey) throw new Refusal(401);
    const account = headers["x-service-account"] ?? accountId;
    if (account.toLowerCase() !== accountId.toLowerCase()) throw new Refusal(403);
  }

  function respond(request: ReceivedRequest, now: number, age = 0, ids?: IdHabit): ServiceResponse {
    const route = matchRoute(request, onlySpec);
    if (route.kind === "openapi") return jsonResponse(200, onlySpec ? openapi : wholeOpenapi);
    checkLimit(now);
    checkAccess(request);
    if (route.kind === "wrong-method") throw new Refusal(405, undefined, { allow: route.allow });
    if (route.kind === "unknown") throw new Refusal(404);
    // Without an age, everything is seen: a wall clock that is set back must not hide an incident.
    const readAt = age === 0 ? Number.POSITIVE_INFINITY : now - age;
    const call = { request, incidentId: route.incidentId, now, readAt, ids };
    return operations[route.kind](call);
  }

  return {
    /** `now`: the time of the request, in ms since the epoch. A read is `age` ms behind. `ids` stands for `clientIds`. */
    handle(...request: Parameters<typeof respond>): ServiceResponse {
      try {
        return respond(...request);
      } catch (error) {
        if (error instanceof Refusal) return error.response;
        throw error;
      }
    },
    incidents: store.incidents,
    counts() {
      const { created, duplicates } = store.counts();
      return { created, updates, duplicates: duplicates + repeated };
    },
  };
}

const services = [
  { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" },
  { name: "Search", id: "8a1d5f70-2c3b-4e9a-b6d4-0f1e2d3c4b5a" },
  { name: "Sign-in", id: "c4e7a912-6b5d-4f38-8e01-9d2c3b4a5f6e" },
];

const maxBodySize = 1024 * 1024;

/** `T` is the type of a body that is valid against the schema. */
function parseBody<T>({ headers, body = "" }: ReceivedRequest, schema: keyof typeof allSchemas): T {
  const mediaType = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") throw new Refusal(415, "Content-Type must be application/json");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes.length > maxBodySize) throw new Refusal(413, `The body has more than ${maxBodySize} bytes`);
  const value = parseJson(bytes);
  const problems = checkSchema(allSchemas[schema], value, allSchemas);
  if (problems.length > 0) throw new Refusal(400, problems.slice(0, 10).join("; "));
  return value as T;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, "The body is not JSON in UTF-8");
  }
}

const largestPage = 100;

/** A page of a list. A cursor is the id of the first entry of its page. */
function pageOf(all: readonly { readonly id: string }[], { url }: ReceivedRequest): ServiceResponse {
  const query = new URL(url).searchParams;
  const size = Number(query.get("limit") ?? 20);
  if (!Number.isInteger(size) || size < 1 || size > largestPage)
    throw new Refusal(400, `limit must be an integer from 1 to ${largestPage}`);
  const nextId = query.get("nextId");
  const start = nextId === null ? 0 : all.findLastIndex(({ id }) => id === nextId);
  if (start < 0) throw new Refusal(400, "nextId must be that of a page");
  const entries = all.slice(start, start + size);
  return jsonResponse(200, { length: entries.length, entries, nextId: all[start + size]?.id ?? null });
}
