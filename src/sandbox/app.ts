// The sandbox: the service of the spec as a `Transport` in this process, with faults. server.ts and tests use the same code.
import type { Answered, Control, Outcome, Unanswered } from "../http/transport.ts";
import type { Clock } from "../platform/context.ts";
import type { Fault, FaultStatus, Faults } from "./faults.ts";
import { errorResponse, htmlResponse, type ServiceResponse } from "./response.ts";
import { matchRoute, pathOf, type ReceivedRequest } from "./route.ts";
import { createService, type ServiceOptions } from "./service.ts";
import { handleStatusPage } from "./status-page/page.ts";

export interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  /** The response status; "dropped" if the sandbox closed the connection, "left" if the client did. */
  readonly status: number | "dropped" | "left";
  readonly fault?: string;
}

export interface SandboxOptions extends ServiceOptions {
  readonly clock: Pick<Clock, "now" | "sleep">;
  readonly faults?: Faults;
  readonly onRequest?: (entry: RequestLogEntry) => void;
}

export type Sandbox = ReturnType<typeof createSandbox>;

export function createSandbox({ clock, faults, onRequest, ...options }: SandboxOptions) {
  const service = createService(options);
  let requests = 0;
  let rateLimited = 0;
  let delayed: readonly { readonly due: number; readonly request: ReceivedRequest }[] = [];

  /** Handles the delayed requests that are due. It runs before every observation, so that no timer is needed. */
  function handleDelayed(): void {
    const now = clock.now();
    const due = delayed.filter((entry) => entry.due <= now).sort((a, b) => a.due - b.due);
    delayed = delayed.filter((entry) => entry.due > now);
    for (const entry of due) service.handle(entry.request, entry.due);
  }

  /** Waits, and returns an outcome if the client's deadline or cancellation comes first. */
  async function wait(milliseconds: number, { deadline, signal }: Control): Promise<Unanswered | undefined> {
    await clock.sleep(Math.min(milliseconds, deadline), signal);
    if (signal?.aborted) return unanswered("cancelled", "the client went away");
    if (milliseconds < deadline) return undefined;
    return unanswered("timeout", `no answer within ${deadline / 1000} s`);
  }

  function answered(response: ServiceResponse): Answered {
    const date = new Date(clock.now()).toUTCString();
    return { ...response, phase: "answered", headers: { date, ...response.headers } };
  }

  async function handle(request: ReceivedRequest, control: Control, fault?: Fault): Promise<Outcome> {
    const now = clock.now();
    const commit = (...circumstances: [age?: number, ids?: "ignore" | "reject"]) =>
      answered(service.handle(request, now, ...circumstances));
    if (fault === undefined) return commit();
    const { duration = 0, kind } = fault;
    switch (kind) {
      case "no-answer":
        return (await wait(Number.POSITIVE_INFINITY, control)) ?? dropped;
      case "slow": {
        const response = commit();
        return (await wait(duration, control)) ?? response;
      }
      case "slow-commit":
        delayed = [...delayed, { due: now + duration, request }];
        return dropped;
      case "stale":
        return commit(duration);
      case "drop-before-commit":
        return dropped;
      case "drop-after-commit":
        commit();
        return dropped;
      case "error-after-commit":
        commit();
        return answered(badGateway);
      case "truncated": {
        const response = commit();
        const body = response.body.subarray(0, response.body.length / 2);
        return { ...response, body, bodyError: "truncated" };
      }
      case "html":
        return answered(htmlResponse(commit().status, "Welcome"));
      case "ignore-id":
        return commit(0, "ignore");
      case "refuse-id":
        return commit(0, "reject");
      case "alter-text":
        return answered(service.handle(withHalfTexts(request), now));
      case "502":
        return answered(badGateway);
      default: {
        const retry = fault.duration === undefined ? {} : { "retry-after": `${Math.ceil(duration / 1000)}` };
        return answered(errorResponse(Number(kind satisfies FaultStatus), undefined, retry));
      }
    }
  }

  async function transport(request: ReceivedRequest, control: Control): Promise<Outcome> {
    if (control.signal?.aborted)
      return { phase: "unsent", reason: "cancelled", detail: "cancelled before sending" };
    if (control.beforeSend !== undefined) await control.beforeSend();
    if (control.isOverdue?.()) return { phase: "unsent", reason: "timeout", detail: "too late" };
    handleDelayed();
    // The status page is not part of the API: no rate limit and no fault applies to it.
    const page = handleStatusPage(request, service.incidents);
    if (page) return answered(page);
    requests += 1;
    const fault = faults?.next(matchRoute(request).kind);
    const outcome = await handle(request, control, fault);
    const unfinished = outcome === dropped ? "dropped" : "left";
    const status = outcome.phase === "answered" ? outcome.status : unfinished;
    if (status === 429) rateLimited += 1;
    const { method, url } = request;
    onRequest?.({ method, path: pathOf(url), status, ...(fault && { fault: fault.text }) });
    return outcome;
  }

  return {
    /** A `Transport` that also accepts requests that the client never sends, such as other methods or a binary body. */
    transport,
    incidents() {
      handleDelayed();
      return service.incidents();
    },
    /** Counts since the start. `duplicates`: incidents or updates that were sent again. `rateLimited`: answers with 429. */
    statistics() {
      handleDelayed();
      return { requests, rateLimited, ...service.counts() };
    },
  };
}

const unanswered = (reason: Unanswered["reason"], detail: string): Unanswered => ({
  phase: "unanswered",
  reason,
  detail,
});

const dropped = unanswered("reset", "the sandbox closed the connection without an answer");

const badGateway = htmlResponse(502, "502 Bad Gateway");

/** The request with the first half of each name and each description. */
function withHalfTexts(request: ReceivedRequest): ReceivedRequest {
  const halve = (field: string, value: unknown) => {
    const isText = (field === "name" || field === "description") && typeof value === "string";
    return isText ? value.slice(0, Math.ceil(value.length / 2)) : value;
  };
  try {
    const body = JSON.parse(Buffer.from(request.body ?? "").toString(), halve);
    return { ...request, body: JSON.stringify(body) };
  } catch {
    // The service refuses a body that is no JSON, and a read has none.
    return request;
  }
}
