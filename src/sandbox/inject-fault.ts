// Applies a fault to a request: whether and when the service handles it, and the answer of the client.
import type { Answered, Outcome } from "../http/transport.ts";
import type { Effect, FaultStatus, RetryAfter } from "./faults.ts";
import { errorResponse, htmlResponse, type ServiceResponse } from "./response.ts";

/** An outcome, with the milliseconds over which a slow body arrives. */
export type InjectedOutcome = Outcome & { readonly bodyDuration?: number };

export interface InjectFaultDeps {
  /** Has the service handle the request. `shift` is that of `Service.handle`. */
  handle(shift?: number): ServiceResponse;
  handleLater(milliseconds: number): void;
  /** Waits, and returns an outcome if the client's deadline or cancellation comes first. */
  delay(milliseconds: number): Promise<Outcome | undefined>;
  toAnswered(response: ServiceResponse): Answered;
  readonly now: number;
}

const dropped: Outcome = {
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

/** The same JSON object with one more field, whose value has a byte that is invalid in UTF-8. */
function withInvalidByte({ body }: ServiceResponse): Uint8Array {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(',"note":"'), Buffer.of(0xff), Buffer.from('"}')]);
}

export async function injectFault(effect: Effect, deps: InjectFaultDeps): Promise<InjectedOutcome> {
  switch (effect.kind) {
    case "status": {
      const { status, retryAfter } = effect;
      return deps.toAnswered(failureResponse(status, retryAfter && retryAfterHeader(retryAfter, deps.now)));
    }
    case "redirect":
      return deps.toAnswered({ status: 302, headers: { location: effect.url }, body: new Uint8Array() });
    case "no-answer":
      return (await deps.delay(Number.POSITIVE_INFINITY)) ?? dropped;
    case "slow": {
      const response = deps.handle();
      return (await deps.delay(effect.duration)) ?? deps.toAnswered(response);
    }
    case "habits":
      return deps.toAnswered(deps.handle());
    case "slow-body":
      return { ...deps.toAnswered(deps.handle()), bodyDuration: effect.duration };
    case "slow-commit":
      deps.handleLater(effect.duration);
      return dropped;
    case "stale":
      return deps.toAnswered(deps.handle(-effect.duration));
    case "late":
      return deps.toAnswered(deps.handle(effect.duration));
    case "drop-before-commit":
      return dropped;
    case "drop-after-commit":
      deps.handle();
      return dropped;
    case "truncated": {
      const response = deps.handle();
      const half = response.body.subarray(0, response.body.length / 2);
      return { ...deps.toAnswered({ ...response, body: half }), bodyError: "truncated" };
    }
    default:
      return deps.toAnswered(changedResponses[effect.kind](deps.handle()));
  }
}

/** The effects that only change the response of the service. */
const changedResponses = {
  "error-after-commit": () => failureResponse(502),
  "invalid-json": (response) => ({ ...response, body: response.body.subarray(0, -1) }),
  "invalid-utf8": (response) => ({ ...response, body: withInvalidByte(response) }),
  empty: (response) => ({ ...response, body: new Uint8Array() }),
  "wrong-type": ({ headers, ...response }) => ({
    ...response,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
  }),
  html: ({ status }) => htmlResponse(status, "Welcome"),
} as const satisfies Readonly<Record<string, (response: ServiceResponse) => ServiceResponse>>;
