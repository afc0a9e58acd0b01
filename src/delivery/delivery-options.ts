// The dependencies, the request and the result of a delivery, and the `Operation`, whose methods differ between a create and an
// update. The loop of deliver.ts is the same for both.
import type { Client } from "../api/client.ts";
import type { KnownOperations } from "../api/known-operations.ts";
import type { List } from "../api/lists.ts";
import type { SendConditions } from "../api/request.ts";
import type { Pages } from "../document/contract.ts";
import { Failure } from "../failure.ts";
import type { Outcome } from "../http/transport.ts";
import type { Update } from "../incident/definition.ts";
import type { Incident } from "../incident/wire.ts";
import type {
  Altered,
  ClientIds,
  Content,
  EventOf,
  LoggedContent,
  OperationLog,
  ServiceKey,
} from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { Model } from "../journal/model.ts";
import type { Reporter, System } from "../platform/context.ts";
import type { EndingKind, Findings, Step, StepRequest } from "./next-step.ts";

/** The age, in milliseconds, after which a read is repeated before something is sent. */
export const freshness = 10_000;

export interface DeliveryOptions {
  readonly system: Pick<System, "holdExit" | "clock" | "localOffset" | "random" | "signal" | "startDeadline">;
  readonly reporter: Pick<Reporter, "info" | "warn" | "withSpinner">;
  readonly client: Client;
  readonly service: ServiceKey;
  readonly journal: Journal;
  /** `--no-journal`: no other run knows what this one sends. */
  readonly noJournal?: boolean;
  readonly maxRetries: number;
  /** Milliseconds to look for an incident before a create, and after an attempt without an answer. */
  readonly settleFor: number;
  /** The digest that a person confirmed, for the journal. */
  readonly confirmed?: string | undefined;
  /** The texts of --key, which identifies a definition without an id, and of --dedup-key. */
  readonly named?: { readonly key?: string; readonly dedupKey?: string };
  /** Waits before an operation is sent again, and says why. */
  readonly waitForRetry: (outcome: Outcome, milliseconds: number) => Promise<void>;
  /** Called before each request is sent; if it throws, nothing is sent. */
  readonly beforeSend?: () => Promise<void>;
  /** A dry run: an operation that would be sent ends as `unsent`. */
  readonly neverSends?: boolean;
  /** For tests, in the place of the function of this name. */
  readonly nextStep?: (progress: Progress, request: StepRequest) => Step;
  /** The operations that the service's document describes; read when they are needed. */
  readonly operations: () => Promise<KnownOperations>;
  /** The id alone identifies the incident, because the text of an alert differs from run to run. */
  readonly acceptsAnyContent?: boolean;
  readonly alertStarts?: readonly string[] | undefined;
  /** `--new`: an unfinished create or an open incident with the same content is another one. */
  readonly isNew?: boolean;
  /** Asks at a terminal whether to declare another incident like an open one. Throws a `Failure` after a no. */
  readonly confirmSimilar?: () => Promise<void>;
  /** The monotonic clock before the run read anything. */
  readonly began: number;
  readonly memory: RunMemory;
}

/** Whether the readings of the run may be outdated: a read is repeated before something is sent. */
export function isStale({ began, system }: Pick<DeliveryOptions, "began" | "system">): boolean {
  return system.clock.monotonic() - began > freshness;
}

export interface UnsuccessfulEnding {
  readonly kind: EndingKind;
  readonly outcome: Outcome;
  readonly failure: Failure;
}

export interface RunMemory {
  /** The ids of the incidents that this run declared or found, in lower case, each with the id of its create. */
  readonly answers: Map<string, string>;
  /** The ids of the creates with a warning of a similar incident. */
  readonly similar: Set<string>;
  /** The list, and when its read began, on the monotonic clock. */
  list?: { readonly at: number; readonly newest: Promise<List> } | undefined;
}

/** The log of an operation, and the facts of this run that are not in it. */
export interface Progress extends Findings {
  readonly log: OperationLog;
  readonly ending?: UnsuccessfulEnding & NonNullable<Findings["ending"]>;
  /** Why the incident could not be read. */
  readonly failure?: Failure;
}

export interface DeliveryRequest {
  readonly log: OperationLog;
  readonly content: Content;
  /** All updates of a file with an id of its own, which can describe a resolved incident, or one that shows its later updates. */
  readonly updates?: readonly Update[] | undefined;
  /** Whether another machine may have declared this id, which is then read before it is sent. */
  readonly mayExist: boolean;
  /** The number of a create without an id, which gets a random one, among equal contents of the command, from 1. */
  readonly claim?: number;
  /** The id of the last create with this claim, whose incident is over. */
  readonly after?: string | undefined;
}

export interface Delivered {
  readonly incident: Incident;
  readonly log: OperationLog;
  /**
   * `declared`: by this run. `found`: it existed. `open`: an open incident has its content; once that is resolved, the create
   * declares another. `unsent`: a dry run would send it.
   */
  readonly how: "declared" | "found" | "open" | "unsent";
  /** When an earlier run declared it: an ISO date-time, UTC. */
  readonly since?: string | undefined;
  /** The incident is declared, and something about it went wrong. */
  readonly failure?: Failure | undefined;
}

/** How the service lists its incidents; undefined where it has no list. Throws a `Failure` where that cannot be read now. */
export async function pagesOf({
  operations,
}: Pick<DeliveryOptions, "operations">): Promise<Pages | undefined> {
  const known = await operations();
  if (!(known instanceof Failure)) return known.list;
  // Without a document, a service has no list; while its document cannot be read, it may have one.
  if (known.kind === "unavailable") throw known;
  return undefined;
}

/** Whether the service keeps the ids of creates, as far as the journal was read. */
export function clientIds({ journal, service }: Pick<DeliveryOptions, "journal" | "service">): ClientIds {
  return journal.known(service).ids;
}

/** The least time of a read, in milliseconds. The search can take this much longer than --settle-for. */
const shortestRead = 500;

/** Milliseconds for a read of a look that ends at `until`, on the monotonic clock. */
export function budgetUntil({ system }: Pick<DeliveryOptions, "system">, until: number): number {
  return Math.max(shortestRead, until - system.clock.monotonic());
}

/** The longest time, in milliseconds, that a cache or a replica is taken to be behind. */
const longestLag = 5 * 60_000;

/** Whether an answer may not show a request of the time `at` yet, an ISO date-time. */
export function mayBeBehind(at: string, { clock }: Pick<System, "clock">): boolean {
  return clock.now() - Date.parse(at) < longestLag;
}

export function timestamp({ system }: { readonly system: Pick<System, "clock"> }): string {
  return new Date(system.clock.now()).toISOString();
}

export interface Found {
  readonly incident: Incident;
  readonly serviceId: string;
  /** Undefined where the attempts of this run decide. */
  readonly how?: "open";
  /** It answers a create without an id, and is not recorded. */
  readonly isAnswer?: boolean;
  /** Whether no other create has the incident by now. */
  readonly isFree?: (model: Model) => boolean;
  readonly altered?: Altered | undefined;
  /** Of an answer: whether the service kept the id that was sent. */
  readonly ids?: EventOf<"created">["ids"];
}

export type Sent =
  | {
      readonly kind: "created";
      readonly found: Found;
      /** Told once the journal has the answer. */
      readonly warnings: readonly string[];
    }
  | UnsuccessfulEnding;

/** `unclear`: after an attempt whose outcome is not known. */
export type LookReason = Extract<Step, { readonly do: "look" }>["because"] | "unclear";

/** `absent`: the look would have found it, though its commit may still come. Undefined where a miss proves nothing. */
export type Looked = Found | "absent" | undefined;

export interface Operation {
  /** As it was read a moment ago. If it is old, the next append is `lost`. */
  readonly log: OperationLog;
  readonly content: LoggedContent;
  /** The log in the model, or that of another run that has begun the same create: this run continues it. */
  logIn(model: Model, log: OperationLog): OperationLog;
  /** Called right before an attempt. Returns the fields of its `sending` event that only this kind has. */
  prepare(log: OperationLog): Promise<Partial<EventOf<"sending">>>;
  stepRequest(log: OperationLog): StepRequest;
  /**
   * One look for its effect. `until` is on the monotonic clock. Throws the
   * `Failure` of a read, and one where another incident has its id, or one of several may be it.
   */
  find(log: OperationLog, because: LookReason, until: number): Promise<Looked>;
  send(log: OperationLog, withId: boolean, conditions: SendConditions): Promise<Sent>;
  /** The result of an operation that an earlier run finished. */
  replay(log: OperationLog): Promise<Delivered>;
}
