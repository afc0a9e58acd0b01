// Applies a fault to a request: whether and when the service handles it, and the answer of the client.
import type { Answered, Outcome } from "../http/transport.ts";
import type { Effect, FaultStatus, RetryAfter } from "./faults.ts";
import { errorResponse, htmlResponse, type ServiceResponse } from "./response.ts";

/** The outcome of a request that the sandbox does not answer. */
export type NoAnswer = Exclude<Outcome, Answered>;

interface InjectFaultDeps {
  /** Has the service handle the request. `shift` is that of the service's `handle`. */
  handle(shift?: number): ServiceResponse;
  handleLater(milliseconds: number): void;
  /** Waits, and returns an outcome if the client's deadline or cancellation comes first. */
  delay(milliseconds: number): Promise<NoAnswer | undefined>;
  readonly now: number;
}

interface InjectedResponse extends ServiceResponse {
  readonly bodyError?: "truncated";
  /** The milliseconds over which a slow body arrives. */
  readonly bodyDuration?: number;
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

function retryAfterHeader({ duration, as }: RetryAfter, now: number): Record<string, string> {
  const seconds = Math.ceil(duration / 1000);
  return {
    "retry-after": as === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString(),
  };
}

/** The same JSON object or list with one more value, which has a byte that is invalid in UTF-8. */
function withInvalidByte({ body }: ServiceResponse): Uint8Array {
  const end = Buffer.from(body.subarray(-1));
  const start = Buffer.from(end.toString() === "]" ? ',"' : ',"note":"');
  return Buffer.concat([body.subarray(0, -1), start, Buffer.of(0xff), Buffer.from('"'), end]);
}

export async function injectFault(
  effect: Effect,
  { delay, handle, handleLater, now }: InjectFaultDeps,
): Promise<NoAnswer | InjectedResponse> {
  switch (effect.kind) {
    case "status":
      return failureResponse(effect.status, effect.retryAfter && retryAfterHeader(effect.retryAfter, now));
    case "redirect":
      return { status: 302, headers: { location: effect.url }, body: new Uint8Array() };
    case "no-answer":
      return (await delay(Number.POSITIVE_INFINITY)) ?? dropped;
    case "slow": {
      const response = handle();
      return (await delay(effect.duration)) ?? response;
    }
    case "slow-body":
      return { ...handle(), bodyDuration: effect.duration };
    case "slow-commit":
      handleLater(effect.duration);
      return dropped;
    case "stale":
      return handle(-effect.duration);
    case "late":
      return handle(effect.duration);
    case "drop-before-commit":
      return dropped;
    case "drop-after-commit":
      handle();
      return dropped;
    default:
      return changedResponses[effect.kind](handle());
  }
}

/** The effects that only change the response of the service. */
const changedResponses = {
  "error-after-commit": () => failureResponse(502),
  "invalid-json": (response) => ({ ...response, body: response.body.subarray(0, -1) }),
  "invalid-utf8": (response) => ({ ...response, body: withInvalidByte(response) }),
  truncated: ({ body, ...response }) => ({
    ...response,
    body: body.subarray(0, body.length / 2),
    bodyError: "truncated",
  }),
  empty: (response) => ({ ...response, body: new Uint8Array() }),
  "wrong-type": ({ headers, ...response }) => ({
    ...response,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
  }),
  html: ({ status }) => htmlResponse(status, "Welcome"),
} as const satisfies Readonly<Record<string, (response: ServiceResponse) => InjectedResponse>>;
