// The service without its faults: what spec 4 answers to each request, with the checks in this order: rate
// limit, key, account, route, body.
import type { Random } from "../platform/context.ts";
import { type CreateBody, createIncident, type Incident } from "./create-incident.ts";
import { openapi, swagger } from "./openapi.ts";
import { createRateLimiter, type RateLimit } from "./rate-limit.ts";
import { type Answer, errorAnswer, jsonAnswer } from "./response.ts";
import { type ReceivedRequest, routeOf } from "./route.ts";
import { checkSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
import { createStore, type Kept } from "./store.ts";

export interface ServiceOptions {
  /** The one key that is accepted. */
  readonly apiKey: string;
  /** The one account that the key may use. */
  readonly accountId: string;
  /** What happens to an `id` in a create body; "honour" unless said otherwise (choices.ts: clientId). */
  readonly clientIds?: "honour" | "ignore" | "reject";
  /**
   * What a create with an honoured id that exists does; "conflict" unless said otherwise. "create-again" keeps
   * both, "upsert" replaces the first; both answer 201.
   */
  readonly onDuplicateId?: "conflict" | "create-again" | "upsert";
  /** 600 requests in 60 seconds unless said otherwise (spec 8). */
  readonly rateLimit?: RateLimit;
  readonly random: Pick<Random, "guid">;
  /** What an earlier sandbox kept. */
  readonly kept?: Iterable<Kept>;
  /** Called before a create is answered with 201. What it throws lets the create fail, and nothing is created. */
  readonly keep?: (kept: Kept) => void;
}

/** Counts since the start. `tooMany` counts what the rate limit refused, not scripted faults. */
export interface ServiceCounts {
  readonly created: number;
  readonly duplicates: number;
  readonly tooMany: number;
}

export interface Service {
  /** Answers a request that arrives at `now` (milliseconds since the epoch). */
  handle(request: ReceivedRequest, now: number): Answer;
  incidents(): readonly Incident[];
  counts(): ServiceCounts;
}

const bodyLimit = 1024 * 1024;
const mostProblems = 10;

/** Text from UTF-8 bytes; throws where they are none. */
const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

function parseBody(request: ReceivedRequest): CreateBody | Answer {
  const mediaType = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") return errorAnswer(415, "Content-Type must be application/json");
  const sent = request.body ?? "";
  const bytes = typeof sent === "string" ? new TextEncoder().encode(sent) : sent;
  if (bytes.length > bodyLimit) return errorAnswer(413, `The body has more than ${bodyLimit} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes));
  } catch {
    return errorAnswer(400, "The body is not JSON in UTF-8");
  }
  const problems = checkSchema(schemas.CreateIncident, value, schemas);
  if (problems.length > 0) return errorAnswer(400, problems.slice(0, mostProblems).join("; "));
  return value as CreateBody;
}

export function createService(options: ServiceOptions): Service {
  const { apiKey, accountId, random, clientIds = "honour", onDuplicateId = "conflict" } = options;
  const limiter = createRateLimiter(options.rateLimit ?? { requests: 600, seconds: 60 });
  const store = createStore();
  for (const kept of options.kept ?? []) store.restore(kept);
  let tooMany = 0;

  function checkAccess(headers: ReceivedRequest["headers"]): Answer | undefined {
    // The name of an authentication scheme is case-insensitive (RFC 9110, 11.1).
    const key = /^bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1];
    if (key !== apiKey) return errorAnswer(401);
    const account = headers["x-service-account"] ?? accountId;
    return account.toLowerCase() === accountId.toLowerCase() ? undefined : errorAnswer(403);
  }

  function create(request: ReceivedRequest, now: number): Answer {
    const body = parseBody(request);
    if ("headers" in body) return body;
    if (clientIds === "reject" && body.id !== undefined) return errorAnswer(400, "id is not a known field");
    const id = clientIds === "honour" && body.id !== undefined ? body.id : random.guid();
    const exists = store.find(id) !== undefined;
    if (exists && onDuplicateId === "conflict")
      return errorAnswer(409, `An incident with the id ${id} exists`);
    const incident = createIncident(body, { id, accountId, now, random });
    const replaces = exists && onDuplicateId === "upsert";
    options.keep?.({ incident, clientId: body.id, replaces });
    if (replaces) store.replace(incident);
    else store.add(incident, body.id);
    return jsonAnswer(201, incident);
  }

  function respond(request: ReceivedRequest, now: number): Answer {
    const route = routeOf(request);
    if (route.kind === "openapi") return jsonAnswer(200, openapi);
    if (route.kind === "swagger") {
      return jsonAnswer(200, swagger, {
        deprecation: "true",
        link: '</openapi.json>; rel="successor-version"',
      });
    }
    const refused = checkAccess(request.headers);
    if (refused) return refused;
    switch (route.kind) {
      case "create":
        return create(request, now);
      case "get": {
        const incident = store.find(route.incidentId);
        return incident ? jsonAnswer(200, incident) : errorAnswer(404);
      }
      case "wrong-method":
        return errorAnswer(405, undefined, { allow: route.allow });
      case "unknown":
        return errorAnswer(404);
    }
  }

  return {
    handle(request, now) {
      const seconds = limiter.take(now);
      if (seconds === 0) return respond(request, now);
      tooMany += 1;
      return errorAnswer(429, undefined, { "retry-after": String(seconds) });
    },
    incidents: store.incidents,
    counts: () => ({ ...store.counts(), tooMany }),
  };
}
