// One create as a log of events, and what the log says of it.
import type { CreateBody, Incident } from "../../incident/wire.ts";

/** What an operation is for: the service, the account and the id that names it here. */
export interface OperationKey {
  readonly baseUrl: string;
  /** Undefined where no account is sent. */
  readonly account: string | undefined;
  /** The id that was chosen before sending, lower case. */
  readonly id: string;
}

/** What is to be declared. */
export interface Content {
  readonly body: CreateBody;
  readonly digest: string;
}

/** One step of an operation. `at` is an ISO date-time, UTC. */
export type OperationEvent =
  /** Taken before the first byte leaves. `withId`: whether the body carried the id; `deadline` in ms. */
  | {
      readonly type: "sending";
      readonly at: string;
      readonly withId: boolean;
      readonly deadline: number;
      readonly content?: Content;
    }
  /** The service refused it, so nothing came of it. */
  | { readonly type: "refused"; readonly at: string; readonly status: number; readonly message: string }
  | { readonly type: "uncertain"; readonly at: string; readonly reason: string }
  | {
      readonly type: "created";
      readonly at: string;
      readonly by: "answer" | "reading" | "person";
      /** The service's own id. */
      readonly serviceId: string;
      readonly incident?: Incident;
      readonly content?: Content;
    }
  /** A person says that nothing came of an uncertain create: it may be sent again. */
  | { readonly type: "not-created"; readonly at: string }
  /** A person wants it sent again although nobody knows what came of it. */
  | { readonly type: "resend"; readonly at: string };

/** `released`: a person has let it be sent again. */
export type OperationState = "sending" | "refused" | "uncertain" | "created" | "released";

export interface Operation {
  readonly key: OperationKey;
  readonly events: readonly OperationEvent[];
  readonly state: OperationState;
  /** An earlier attempt whose outcome nobody knows, whatever came after it. */
  readonly uncertain: Extract<OperationEvent, { type: "uncertain" | "sending" }> | undefined;
  /** The content that would be, or was, sent. */
  readonly content: Content;
  readonly created: Extract<OperationEvent, { type: "created" }> | undefined;
}

/** The content where the log does not have it yet, to be carried by its next event. */
export function newContent(known: Operation | undefined, content: Content): { content?: Content } {
  return known?.content.digest === content.digest ? {} : { content };
}

/** The state as a person is told it: an attempt that was never answered is uncertain, whatever came after it. */
export function showState({ events, state, uncertain }: Operation): OperationState | "not-created" {
  if (events.at(-1)?.type === "not-created") return "not-created";
  return uncertain !== undefined && state !== "sending" ? "uncertain" : state;
}

/** Somebody may still be waiting for the answer to its last attempt. `now` in milliseconds since the epoch. */
export function isBeingSent({ events }: Operation, now: number): boolean {
  const last = events.at(-1);
  return last?.type === "sending" && Date.parse(last.at) + last.deadline > now;
}

/** When an operation was begun. */
export function firstTime(operation: Operation): string {
  return operation.events[0]?.at ?? "";
}

/**
 * What a log says. An uncertain attempt stays uncertain until it is settled; a later refusal does not hide it.
 * Undefined where the log does not begin with its content.
 */
export function foldEvents(key: OperationKey, events: readonly OperationEvent[]): Operation | undefined {
  let state: OperationState = "released";
  let open: Extract<OperationEvent, { type: "sending" }> | undefined;
  let uncertain: Operation["uncertain"];
  let content: Operation["content"] | undefined;
  let created: Operation["created"];
  for (const event of events) {
    // An attempt that somebody else's step follows has no ending of its own.
    if (event.type !== "refused" && event.type !== "created") uncertain ??= open;
    open = undefined;
    if ("content" in event && event.content !== undefined) content = event.content;
    switch (event.type) {
      case "sending":
        open = event;
        state = "sending";
        break;
      case "refused":
        state = uncertain === undefined ? "refused" : "uncertain";
        break;
      case "uncertain":
        uncertain ??= event;
        state = "uncertain";
        break;
      case "not-created":
        uncertain = undefined;
        created = undefined;
        state = "released";
        break;
      case "resend":
        state = "released";
        break;
      case "created":
        created = event;
        uncertain = undefined;
        state = "created";
        break;
    }
  }
  if (content === undefined) return undefined;
  return { key, events, state, uncertain: uncertain ?? open, content, created };
}
