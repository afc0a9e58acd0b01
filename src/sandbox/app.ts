// The sandbox: the service of the spec as an Transport in the same process, with its faults. It hides the order
// of things on one request, so that a socket (server.ts) and a test see the same service.

import type { Answered, Control, Outcome } from "../http/transport.ts";
import type { Clock } from "../platform/context.ts";
import type { Incident } from "./create-incident.ts";
import type { Faults } from "./faults.ts";
import { type Ending, misbehave } from "./inject-fault.ts";
import type { Answer } from "./response.ts";
import { pathOf, type ReceivedRequest, routeOf } from "./route.ts";
import { createService, type ServiceCounts, type ServiceOptions } from "./service.ts";
import { answerWatcher } from "./status-page/handler.ts";

/** One request and how it ended, for whoever watches. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** The answer's status; "dropped" where the sandbox closed the connection, "left" where the client did. */
  readonly status: number | "dropped" | "left";
  /** The fault that struck, as it was written. */
  readonly fault?: string;
}

export interface SandboxOptions extends ServiceOptions {
  readonly clock: Clock;
  readonly faults?: Faults;
  readonly onRequest?: (line: RequestLine) => void;
}

/** Counts since the start; `requests` are all that came, faults included. */
export interface Statistics extends ServiceCounts {
  readonly requests: number;
}

export interface Sandbox {
  /** What its waiting goes by. */
  readonly clock: Clock;
  /** An Transport that also takes what the client never sends: other methods, bytes that are no text. */
  transport(request: ReceivedRequest, control: Control): Promise<Outcome>;
  /** The same for who carries it over a wire, and so lets a slow body come slowly there. */
  receive(request: ReceivedRequest, control: Control): Promise<Ending>;
  /** Every incident, in the order in which they were created. */
  incidents(): readonly Incident[];
  statistics(): Statistics;
}

interface Late {
  readonly due: number;
  readonly request: ReceivedRequest;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock } = options;
  const service = createService(options);
  let requests = 0;
  let late: Late[] = [];

  /** Whatever a slow commit has left until now happens before anybody can look. No timer outlives the sandbox. */
  function catchUp(): void {
    const now = clock.now();
    const due = late.filter((entry) => entry.due <= now).sort((a, b) => a.due - b.due);
    late = late.filter((entry) => entry.due > now);
    for (const entry of due) service.handle(entry.request, entry.due);
  }

  async function hold(duration: number, { deadline, signal }: Control): Promise<Outcome | undefined> {
    await clock.sleep(Math.min(duration, deadline), signal);
    if (signal?.aborted) return { phase: "unanswered", reason: "cancelled", detail: "the client went away" };
    if (duration < deadline) return undefined;
    return { phase: "unanswered", reason: "timeout", detail: `no answer within ${deadline} ms` };
  }

  function send(answer: Answer): Answered {
    const headers = { date: new Date(clock.now()).toUTCString(), ...answer.headers };
    return { phase: "answered", status: answer.status, headers, body: answer.body };
  }

  async function receive(request: ReceivedRequest, control: Control): Promise<Ending> {
    if (control.signal?.aborted)
      return { phase: "unsent", reason: "cancelled", detail: "cancelled before sending" };
    if (control.beforeSend !== undefined) await control.beforeSend();
    catchUp();
    const now = clock.now();
    // The page is no part of the API: it uses up no limit, and no fault strikes it.
    const page = answerWatcher(request, service.incidents, now);
    if (page) return send(page);
    requests += 1;
    const handle = () => service.handle(request, now);
    const fault = options.faults?.next(routeOf(request).kind);
    const ending = fault
      ? await misbehave(fault.effect, {
          handle,
          handleLater: (duration) => void late.push({ due: now + duration, request }),
          hold: (duration) => hold(duration, control),
          send,
          now,
        })
      : send(handle());
    options.onRequest?.({
      method: request.method,
      path: pathOf(request.url),
      status: statusOf(ending),
      ...(fault && { fault: fault.text }),
    });
    return ending;
  }

  return {
    clock,
    receive,
    async transport(request, control) {
      const { bodyOver, ...outcome } = await receive(request, control);
      if (bodyOver === undefined || outcome.phase !== "answered") return outcome;
      const gaveUp = await hold(bodyOver, control);
      if (gaveUp?.phase !== "unanswered") return outcome;
      const bodyError = gaveUp.reason === "timeout" ? "timeout" : "cancelled";
      return { ...outcome, body: outcome.body.subarray(0, 1), bodyError };
    },
    incidents() {
      catchUp();
      return service.incidents();
    },
    statistics() {
      catchUp();
      return { requests, ...service.counts() };
    },
  };
}

function statusOf(outcome: Outcome): RequestLine["status"] {
  if (outcome.phase === "answered") return outcome.status;
  return outcome.phase === "unanswered" && outcome.reason === "reset" ? "dropped" : "left";
}
