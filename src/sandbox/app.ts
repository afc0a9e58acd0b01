// The sandbox: the service of the spec as a `Transport` in the same process, with fault injection. A socket (server.ts)
// and a test reach the same code.
import type { Control, Outcome } from "../http/transport.ts";
import type { Clock } from "../platform/context.ts";
import type { Incident } from "./create-incident.ts";
import type { Faults } from "./faults.ts";
import { injectFault, type NoAnswer } from "./inject-fault.ts";
import type { ServiceResponse } from "./response.ts";
import { matchRoute, pathOf, type ReceivedRequest } from "./route.ts";
import { createService, type ServiceOptions } from "./service.ts";
import { handleStatusPage } from "./status-page/handler.ts";

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

export interface Sandbox {
  readonly clock: SandboxOptions["clock"];
  /** A `Transport` that also accepts requests that the client never sends, such as other methods or a binary body. */
  transport(request: ReceivedRequest, control: Control): Promise<Outcome>;
  /** Every incident, as the service has it now. */
  incidents(): readonly Incident[];
  /** Counts since the start. `rateLimited` counts the answers with 429. */
  statistics(): SandboxStatistics;
}

export interface SandboxStatistics {
  readonly created: number;
  readonly updates: number;
  /** Incidents that were declared again, and updates that were added again. */
  readonly duplicates: number;
  readonly requests: number;
  readonly rateLimited: number;
}

interface DelayedRequest {
  readonly due: number;
  readonly request: ReceivedRequest;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock } = options;
  const service = createService(options);
  let requests = 0;
  let rateLimited = 0;
  let delayed: DelayedRequest[] = [];

  /** Handles the delayed requests that are due. It runs before every observation, so that no timer is needed. */
  function handleDelayed(): void {
    const now = clock.now();
    const due = delayed.filter((entry) => entry.due <= now).sort((a, b) => a.due - b.due);
    delayed = delayed.filter((entry) => entry.due > now);
    for (const entry of due) service.handle(entry.request, entry.due);
  }

  /** Waits, and returns an outcome if the client's deadline or cancellation comes first. */
  async function delay(milliseconds: number, { deadline, signal }: Control): Promise<NoAnswer | undefined> {
    await clock.sleep(Math.min(milliseconds, deadline), signal);
    if (signal?.aborted) return { phase: "unanswered", reason: "cancelled", detail: "the client went away" };
    if (milliseconds < deadline) return undefined;
    return { phase: "unanswered", reason: "timeout", detail: `no answer within ${deadline / 1000} s` };
  }

  function toAnswered<R extends ServiceResponse>(response: R) {
    const headers = { date: new Date(clock.now()).toUTCString(), ...response.headers };
    return { ...response, phase: "answered" as const, headers };
  }

  async function transport(request: ReceivedRequest, control: Control): Promise<Outcome> {
    if (control.signal?.aborted)
      return { phase: "unsent", reason: "cancelled", detail: "cancelled before sending" };
    if (control.beforeSend !== undefined) await control.beforeSend();
    if (control.isOverdue?.()) return { phase: "unsent", reason: "timeout", detail: "too late" };
    handleDelayed();
    const now = clock.now();
    const { kind } = matchRoute(request);
    const handle = (age?: number, instead = request) => service.handle(instead, now, age);
    // The status page is not part of the API: no rate limit and no fault applies to it.
    const page = handleStatusPage(request, service.incidents);
    if (page) return toAnswered(page);
    requests += 1;
    const fault = options.faults?.next(kind);
    const injected = fault
      ? await injectFault(fault.effect, {
          handle,
          handleLater: (milliseconds) => void delayed.push({ due: now + milliseconds, request }),
          delay: (milliseconds) => delay(milliseconds, control),
          request,
        })
      : handle();
    const outcome = "phase" in injected ? injected : toAnswered(injected);
    const status = statusOf(outcome);
    if (status === 429) rateLimited += 1;
    options.onRequest?.({
      method: request.method,
      path: pathOf(request.url),
      status,
      ...(fault && { fault: fault.text }),
    });
    return outcome;
  }

  return {
    clock,
    transport,
    incidents() {
      handleDelayed();
      return service.incidents();
    },
    statistics() {
      handleDelayed();
      return { requests, rateLimited, ...service.counts() };
    },
  };
}

function statusOf(outcome: Outcome): RequestLogEntry["status"] {
  if (outcome.phase === "answered") return outcome.status;
  return outcome.phase === "unanswered" && outcome.reason === "reset" ? "dropped" : "left";
}
