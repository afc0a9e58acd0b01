// Applies a fault to a request: whether and when the service handles it, and the answer of the client.
import type { Answered, Outcome } from "../http/transport.ts";
import type { Effect, FaultStatus } from "./faults.ts";
import { errorResponse, htmlResponse, type ServiceResponse } from "./response.ts";
import type { ReceivedRequest } from "./route.ts";

/** The outcome of a request that the sandbox does not answer. */
export type NoAnswer = Exclude<Outcome, Answered>;

interface InjectFaultDeps {
  /** Has the service handle the request, or another one in its place. `age` is that of the service's `handle`. */
  handle(age?: number, instead?: ReceivedRequest): ServiceResponse;
  handleLater(milliseconds: number): void;
  /** Waits, and returns an outcome if the client's deadline or cancellation comes first. */
  delay(milliseconds: number): Promise<NoAnswer | undefined>;
  readonly request: ReceivedRequest;
}

interface InjectedResponse extends ServiceResponse {
  readonly bodyError?: "truncated";
}

const dropped: NoAnswer = {
  phase: "unanswered",
  reason: "reset",
  detail: "the sandbox closed the connection without an answer",
};

function failureResponse(
  status: FaultStatus,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return status === 502 ? htmlResponse(502, "502 Bad Gateway") : errorResponse(status, undefined, headers);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a request's body; none where it is no JSON object. */
function fieldsOf({ body = "" }: ReceivedRequest): Fields {
  try {
    const value: unknown = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

/** The request with its fields changed, and those of each of its updates. */
function withFields(request: ReceivedRequest, change: (fields: Fields) => Fields): ReceivedRequest {
  const { incidentUpdates: updates, ...others } = fieldsOf(request);
  const changed = {
    ...change(others),
    ...(Array.isArray(updates) && { incidentUpdates: updates.map(change) }),
  };
  return { ...request, body: JSON.stringify(changed) };
}

const halfOf = (text: unknown) =>
  typeof text === "string" ? text.slice(0, Math.ceil(text.length / 2)) : undefined;

export async function injectFault(
  effect: Effect,
  { delay, handle, handleLater, request }: InjectFaultDeps,
): Promise<NoAnswer | InjectedResponse> {
  switch (effect.kind) {
    case "status":
      return failureResponse(
        effect.status,
        effect.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(effect.retryAfter / 1000)) },
      );
    case "no-answer":
      return (await delay(Number.POSITIVE_INFINITY)) ?? dropped;
    case "slow": {
      const response = handle();
      return (await delay(effect.duration)) ?? response;
    }
    case "slow-commit":
      handleLater(effect.duration);
      return dropped;
    case "stale":
      return handle(effect.duration);
    case "drop-before-commit":
      return dropped;
    case "drop-after-commit":
      handle();
      return dropped;
    case "ignore-id":
      return handle(
        0,
        withFields(request, ({ id: _, ...fields }) => fields),
      );
    case "refuse-id":
      return fieldsOf(request).id === undefined ? handle() : errorResponse(400, "id is not a known field");
    case "alter-text":
      return handle(
        0,
        withFields(request, (fields) => ({
          ...fields,
          name: halfOf(fields.name),
          description: halfOf(fields.description),
        })),
      );
    default:
      return changedResponses[effect.kind](handle());
  }
}

/** The effects that only change the response of the service. */
const changedResponses = {
  "error-after-commit": () => failureResponse(502),
  truncated: ({ body, ...response }) => ({
    ...response,
    body: body.subarray(0, body.length / 2),
    bodyError: "truncated",
  }),
  html: ({ status }) => htmlResponse(status, "Welcome"),
} as const satisfies Readonly<Record<string, (response: ServiceResponse) => InjectedResponse>>;
