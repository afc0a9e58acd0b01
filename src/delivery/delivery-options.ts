// What a delivery works with, what it is given and what it gives back.
import type { Client } from "../api/client.ts";
import type { Failure } from "../failure.ts";
import type { Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { ClientIdMemory } from "./client-ids.ts";
import type { Content, OperationKey } from "./journal/events.ts";
import type { Journal } from "./journal/journal.ts";

/** What a delivery works with; the same for all creates of a command. */
export interface DeliveryOptions {
  readonly context: Pick<Context, "clock" | "random" | "signal">;
  readonly client: Client;
  readonly service: Pick<OperationKey, "baseUrl" | "account">;
  readonly journal: Journal;
  readonly clientIds: ClientIdMemory;
  readonly maxRetries: number;
  /** Milliseconds to look for an incident whose create was not answered. */
  readonly settleFor: number;
  /** Waits before the create is sent again, and says why. */
  readonly pause: (outcome: Outcome, milliseconds: number) => Promise<void>;
  /** What is looked for is said to a person who waits. */
  readonly wait: Reporter["withSpinner"];
  /** Called before each create that is to be sent; what it throws keeps it from being sent. */
  readonly beforeSend?: () => Promise<void>;
  /** Asks a person, where there is one, whether to send again what nobody knows the outcome of. */
  readonly wantsResend?: (failure: Failure) => Promise<boolean>;
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
}

export interface Wanted {
  readonly key: OperationKey;
  readonly content: Content;
  /** Whether another machine may have declared this id: then it is looked for before it is sent. */
  readonly mayExist: boolean;
}

export interface Delivered {
  readonly incident: Incident;
  /** `declared`: by this run. `found`: it was there. `remembered`: an earlier run declared it. */
  readonly how: "declared" | "found" | "remembered";
  /** When an earlier run declared it: an ISO date-time, UTC. */
  readonly since?: string;
  /** The incident is declared, but something about it went wrong. */
  readonly failure?: Failure;
}

/** An ISO date-time, UTC. */
export function now({ context }: Pick<DeliveryOptions, "context">): string {
  return new Date(context.clock.now()).toISOString();
}
