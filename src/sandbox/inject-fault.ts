// What each fault does to the request it strikes: whether the service gets to see it, when, and what is left of
// its answer.
import type { Answered, Outcome } from "../http/transport.ts";
import type { Effect, FaultStatus, RetryAfter } from "./faults.ts";
import { type Answer, errorAnswer, htmlAnswer } from "./response.ts";

/** How a request ended, and over how many milliseconds its body comes where that is not at once. */
export type Ending = Outcome & { readonly bodyOver?: number };

/** One request at the service, as a fault may treat it. */
export interface Visit {
  /** Lets the service do what the request asks. */
  handle(): Answer;
  /** The same, `duration` milliseconds from now. */
  handleLater(duration: number): void;
  /** Waits, and gives the ending when the client's patience ends first. */
  hold(duration: number): Promise<Outcome | undefined>;
  send(answer: Answer): Answered;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dropped: Outcome = {
  phase: "unanswered",
  reason: "reset",
  detail: "the sandbox closed the connection without an answer",
};

function failing(status: FaultStatus, headers: Readonly<Record<string, string>> = {}): Answer {
  return status === 502 ? htmlAnswer(502, "502 Bad Gateway") : errorAnswer(status, undefined, headers);
}

function waitHeaders({ duration, as }: RetryAfter, now: number): Record<string, string> {
  const seconds = Math.ceil(duration / 1000);
  return {
    "retry-after": as === "seconds" ? String(seconds) : new Date(now + seconds * 1000).toUTCString(),
  };
}

/** The same JSON object with one more field, whose text holds a byte that UTF-8 does not know. */
function withInvalidByte({ body }: Answer): Uint8Array {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(',"note":"'), Buffer.of(0xff), Buffer.from('"}')]);
}

export async function misbehave(effect: Effect, visit: Visit): Promise<Ending> {
  switch (effect.kind) {
    case "status": {
      const { status, retryAfter } = effect;
      return visit.send(failing(status, retryAfter && waitHeaders(retryAfter, visit.now)));
    }
    case "redirect":
      return visit.send({ status: 302, headers: { location: effect.url }, body: new Uint8Array() });
    case "no-answer":
      return (await visit.hold(Number.POSITIVE_INFINITY)) ?? dropped;
    case "slow": {
      const answer = visit.handle();
      return (await visit.hold(effect.duration)) ?? visit.send(answer);
    }
    case "slow-body":
      return { ...visit.send(visit.handle()), bodyOver: effect.duration };
    case "slow-commit":
      visit.handleLater(effect.duration);
      return dropped;
    case "drop-before-commit":
      return dropped;
    case "drop-after-commit":
      visit.handle();
      return dropped;
    case "error-after-commit":
      visit.handle();
      return visit.send(failing(502));
    case "truncated": {
      const answer = visit.handle();
      const half = answer.body.subarray(0, answer.body.length / 2);
      return { ...visit.send({ ...answer, body: half }), bodyError: "truncated" };
    }
    case "invalid-json": {
      const answer = visit.handle();
      return visit.send({ ...answer, body: answer.body.subarray(0, -1) });
    }
    case "invalid-utf8": {
      const answer = visit.handle();
      return visit.send({ ...answer, body: withInvalidByte(answer) });
    }
    case "empty": {
      const answer = visit.handle();
      return visit.send({ ...answer, body: new Uint8Array() });
    }
    case "wrong-type": {
      const answer = visit.handle();
      const headers = { ...answer.headers, "content-type": "text/plain; charset=utf-8" };
      return visit.send({ ...answer, headers });
    }
    case "html":
      return visit.send(htmlAnswer(visit.handle().status, "Welcome"));
  }
}
