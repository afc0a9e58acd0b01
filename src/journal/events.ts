// An operation as a log of events: the types of its steps, and of the state that follows from them (fold.ts).

import type { CreateBody } from "../incident/create-body.ts";
import type { ServiceTarget } from "../workspace/resolve.ts";
import type { Origin } from "./fleet/origin.ts";

export interface ServiceKey {
  readonly baseUrl: string;
  /** Undefined where no account is sent. */
  readonly account: string | undefined;
}

export function serviceKeyOf({ account, baseUrl }: Pick<ServiceTarget, "account" | "baseUrl">): ServiceKey {
  return { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
}

export interface OperationKey extends ServiceKey {
  /** The id that was chosen before sending, lower case. */
  readonly id: string;
}

/**
 * Whether a service keeps the id of a create, by its newest answer, because the spec (4.2) does not state it. `honoured`: it
 * does. `ignored`: it assigns another, so that nothing is found under the id that was sent.
 */
export type ClientIds = "unknown" | "honoured" | "ignored";

/** The content of a create. `digest` ignores the id. */
export interface Content {
  readonly body: CreateBody;
  readonly digest: string;
  readonly name: string;
  readonly parts: Parts;
}

/** Digests of the fields that an edit can change, and of each update. */
export interface Parts {
  readonly name: string;
  readonly severity: string;
  readonly services: string;
  readonly updates: readonly string[];
}

/** The effect of an operation on an incident that exists. A shared journal leaves out the text. */
export type Change =
  | {
      readonly kind: "update";
      /** The service's own id of the incident. */
      readonly incidentId: string;
      readonly status?: string | undefined;
      readonly notify: boolean;
      readonly description?: string;
      /** A command line asked for it, and no file. */
      readonly isUnnumbered?: true;
    }
  | {
      readonly kind: "edit";
      readonly incidentId: string;
      readonly fields: readonly string[];
    };

/** The content as an event has it. A shared journal keeps no body. */
export interface LoggedContent {
  readonly body?: CreateBody;
  readonly digest: string;
  /** Of the incident. */
  readonly name?: string | undefined;
  readonly parts?: Parts | undefined;
  readonly change?: Change | undefined;
}

/** The fields that the service had changed in its answer, with digests of its values. */
export type Altered = Readonly<Record<string, string>>;

/** One step of an operation. `attempt` is the number of the `sending` event that the step ends. */
type Step =
  /** Durable before the first byte leaves. `withId`: whether the body of a create carries the id; `deadline` in ms. */
  | {
      readonly type: "sending";
      readonly withId: boolean;
      readonly deadline: number;
      /** The digest that a person confirmed, for an auditor. */
      readonly confirmed?: string;
      /** Of a create without an id: its number among the equal contents of its command, from 1. */
      readonly claim?: number;
      readonly notify?: boolean;
      /** The texts of --key and --dedup-key. */
      readonly key?: string;
      readonly dedupKey?: string;
      /** The start times of the alert, as its body has them. */
      readonly alertStarts?: readonly string[];
      /** Of a create: the ids of the incidents of its name that were there before. */
      readonly before?: readonly string[];
      /** Of an update: how many equal updates the incident had that no operation had posted. */
      readonly unclaimed?: number;
      readonly content?: LoggedContent;
    }
  /** The attempt sent no byte. */
  | { readonly type: "unsent"; readonly attempt: number; readonly reason: string }
  /** The service refused the attempt: nothing was created. */
  | { readonly type: "refused"; readonly attempt: number; readonly status: number; readonly message: string }
  /** The attempt was sent, and its outcome is not known. */
  | {
      readonly type: "uncertain";
      readonly attempt: number;
      readonly reason: string;
      /** Of the answer, where there was one. */
      readonly status?: number;
    }
  | {
      readonly type: "created";
      readonly by: "answer" | "reading" | "person";
      /** Of an answer: whether the service kept the id that was sent. */
      readonly ids?: Exclude<ClientIds, "unknown">;
      /** The service's own id. */
      readonly serviceId: string;
      readonly altered?: Altered;
      readonly content?: LoggedContent;
    }
  /** The alert of the incident has fired again, with further start times; `ends`: or its end is about to be posted. */
  | { readonly type: "fired"; readonly alertStarts: readonly string[]; readonly ends?: true }
  /** A person confirms that a create did not happen, or that its incident is gone: it may be sent again. */
  | { readonly type: "not-created" };

/** `at` is an ISO date-time, UTC, for people and for housekeeping: no decision compares it. */
export type OperationEvent = Step & { readonly at: string; readonly origin?: Origin };

/** The events of an operation from its number `first` on. */
export interface Operation {
  readonly first: number;
  readonly events: readonly OperationEvent[];
  /** Milliseconds since the epoch, by the clock of the writer of its first event. */
  readonly began: number;
}

export interface OwnEvent {
  readonly id: string;
  readonly event: OperationEvent;
}

export type EventOf<T extends OperationEvent["type"]> = Extract<OperationEvent, { readonly type: T }>;

/**
 * `new`: nothing is known. `sendable`: an attempt may be sent, after `unsent` or `not-created`.
 * `refused`: the last attempt was refused. `sending`: an attempt has not ended. `uncertain`: an attempt was sent, and
 * its outcome is not known.
 */
export type OperationState = "new" | "sendable" | "refused" | "sending" | "uncertain" | "created";

/** A log and its state. `next` is the number of the event that comes next. */
export interface OperationLog {
  readonly key: OperationKey;
  readonly next: number;
  readonly events: readonly OperationEvent[];
  readonly state: OperationState;
  /** The earliest attempt whose outcome is not known, also if later events follow it. */
  readonly uncertain: EventOf<"sending" | "uncertain"> | undefined;
  /** The latest attempt without an ending: its sender may still be at work. */
  readonly unended: EventOf<"sending"> | undefined;
  /** Whether any attempt whose outcome is not known carried the id. */
  readonly mayBeFoundById: boolean;
  /** A proxy or a limiter may refuse a request that the service has committed. A person who settles the operation resets it. */
  readonly wasRefused: boolean;
  /** Whether exactly one attempt has an unknown outcome, and it was answered with a 500 or a 503. */
  readonly mayBeRepeated: boolean;
  /** The content that was, or would be, sent; absent where the log is new, shortened, or in a shared journal. */
  readonly content: Content | undefined;
  /** Undefined for a create. */
  readonly change: Change | undefined;
  /** Of the incident. */
  readonly name: string | undefined;
  readonly digest: string | undefined;
  /** Of the create, as it was sent or last edited; undefined where the journal does not have it. */
  readonly parts: Parts | undefined;
  readonly altered: Altered | undefined;
  readonly created: Pick<EventOf<"created">, "at" | "serviceId"> | undefined;
  /** The start times of its alert, grouped by delivery; once one of them has ended, only the groups with an end. */
  readonly alertGroups: readonly (readonly string[])[];
  readonly claim?: number | undefined;
}

/** The id of its incident: the service's own where it is known, else the sent one. */
export function incidentIdOf({ change, created, key }: OperationLog): string {
  return change?.incidentId ?? created?.serviceId ?? key.id;
}

/** The state as people read it: an attempt without an ending is uncertain, also if later events follow it. */
export function shownState({ events, state, uncertain }: OperationLog) {
  if (uncertain !== undefined) return state === "sending" ? "sending" : "uncertain";
  if (state === "created" || state === "refused") return state;
  const last = events.findLast(({ type }) => type === "not-created" || type === "unsent");
  return last?.type === "unsent" ? "unsent" : "not-created";
}
