// What the code of a process asks of the world, as data: each is one access to something that processes share, so the
// scheduler chooses when it happens and, where there are several, which of its endings.
import type { OwnEvent } from "../../../src/journal/events.ts";
import type { Entry } from "../../../src/journal/sequence.ts";
import type { ChangeRequest } from "./service-changes.ts";
import type { Belief } from "./start.ts";

export type Request =
  | StoreRequest
  | { readonly kind: "get"; readonly id: string }
  | { readonly kind: "list" }
  /** A create, an update or an edit is about to leave: the process checks its deadline next. */
  | { readonly kind: "send"; readonly what: "create" | "update" | "edit" }
  /** Waits for the answer to the last one that it sent. */
  | { readonly kind: "answer" }
  /** Waits: the time goes on for all processes. */
  | { readonly kind: "sleep"; readonly milliseconds: number }
  /** A person reads the result. */
  | {
      readonly kind: "print";
      readonly ids: readonly string[];
      readonly failure: string;
      /** The last log that a create has decided on. */
      readonly seen?: { readonly operation: string; readonly next: number } | undefined;
    }
  /** A person looks in the service's web application. */
  | {
      readonly kind: "inspect";
      readonly operation: string;
      readonly name: string | undefined;
      readonly says: Belief | undefined;
    };

/** `place`: the journal of a machine, or the one that all share. */
export interface Append {
  readonly kind: "append";
  readonly place: string;
  readonly number: number;
  readonly entry: Entry;
}

export type StoreRequest = Append | { readonly kind: "read"; readonly place: string };

/** The result of a request that the store does not answer. */
export const storeDown = { isDown: true } as const;

/** What is sent about an incident that exists, and the operation that it belongs to; "" for an edit, which is none. */
export interface OwnChange extends ChangeRequest {
  readonly operation: string;
}

/** What the code of a process changes at once. */
export type Effect =
  /** The first byte of a create, an update or an edit leaves. */
  | { readonly kind: "leave"; readonly body: string; readonly change?: OwnChange | undefined }
  /** An attempt begins: its deadline runs, in milliseconds. */
  | { readonly kind: "attempt"; readonly deadline: number }
  /** A hold begins (1) or ends (-1): meanwhile, a second signal does not end the process. */
  | { readonly kind: "hold"; readonly change: 1 | -1 };

/** The result of a request during which the first signal arrives. */
export interface Signalled {
  readonly isSignalled: true;
  readonly result: unknown;
}

export function describeRequest(request: Request): string {
  switch (request.kind) {
    case "append":
      return describeAppend(request);
    case "read":
      return "reads the journal";
    case "get":
      return `reads incident …${request.id.slice(-8)}`;
    case "list":
      return "reads the list";
    case "send":
      return `sends the ${request.what}`;
    case "answer":
      return "waits for the answer";
    case "sleep":
      return `waits ${request.milliseconds} ms`;
    case "print":
      return "prints";
    case "inspect":
      return `looks for incident …${request.operation.slice(-8)} by hand`;
  }
}

function describeAppend({ entry, number }: Append): string {
  const events = (entry.events ?? []) as readonly OwnEvent[];
  const what = events.map(({ event, id }) => `${event.type} of …${id.slice(-8)}`).join(", ");
  return `appends ${entry.snapshot === undefined ? what : "a snapshot"} as #${number}`;
}
