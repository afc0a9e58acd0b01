// An operation is sent exactly once. Each kind has its own request, search for its effect, and meaning of an ending.
// The loop of `deliver.ts` is the same for all kinds.
import type { SendConditions } from "../api/send.ts";
import type { Failure } from "../failure.ts";
import type { Incident } from "../incident/wire.ts";
import type { ClientIdMemory } from "../journal/client-ids.ts";
import type {
  Altered,
  EventOf,
  LoggedContent,
  OperationKey,
  OperationKind,
  OperationLog,
} from "../journal/events.ts";
import type { Delivered } from "./delivery-options.ts";
import type { UnsuccessfulEnding } from "./endings.ts";
import type { Step, StepRequest } from "./next-step.ts";

/** The effect of an operation at the service. */
export interface Found {
  readonly incident: Incident;
  /** The service's own id of it. */
  readonly serviceId: string;
  /** It has the content of an earlier attempt, which was edited since. */
  readonly isOfEarlierContent?: boolean;
  /**
   * It is open with the same content, and nothing was sent for it. `answer`: of a create without an id, which has no use
   * for a record. `record`: it is recorded as the incident of the id.
   */
  readonly open?: "answer" | "record";
  /** What the service has changed in it. */
  readonly altered?: Altered | undefined;
}

/** How an attempt ended. */
export type Sent =
  | {
      readonly kind: "created";
      readonly found: Found;
      readonly requestId?: string | undefined;
      /** Called once the journal has the answer: warns and learns. */
      readonly onRecorded: () => void;
    }
  | UnsuccessfulEnding;

/** The result of reading back. */
export type ReadBack =
  | { readonly kind: "found"; readonly found: Found }
  /** Nothing was found, which proves nothing: the commit may still come. The deadline of its sender is over. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly failure: Failure };

/**
 * One look of reading back. `until` is on the monotonic clock. "absent" where it would have been found, and undefined where
 * it could not be looked for.
 */
export type LookOnce = (until: number) => Promise<ReadBack | undefined>;

export type LookReason = Extract<Step, { readonly do: "look" }>["because"];

export interface Operation {
  readonly kind: OperationKind;
  readonly key: OperationKey;
  /** The log as it was read a moment ago; left out, it is read. If it is old, the next append is `lost`. */
  readonly log?: OperationLog | undefined;
  readonly content: LoggedContent;
  /** Whether the service keeps the ids that clients choose. */
  readonly ids: ClientIdMemory;
  /** Called right before an attempt, to prepare the result of `before`. */
  prepare?(): Promise<void>;
  /** What an attempt that begins now keeps in its `sending` event of what is there before. */
  before?(): Pick<EventOf<"sending">, "before" | "unclaimed"> | undefined;
  stepRequest(log: OperationLog): Omit<StepRequest, "maxRetries">;
  /**
   * Looks before sending. Returns a `Failure` where another one is in its place, and throws one where it could not look.
   */
  look(log: OperationLog, because: LookReason): Promise<Found | Failure | undefined>;
  /** Sends it once, also where another attempt was sent before. */
  send(log: OperationLog, withId: boolean, conditions: SendConditions): Promise<Sent>;
  /** `look` is undefined where there is nothing to look for; `absent` is the result where nothing is found in time. */
  reads(log: OperationLog): { readonly look: LookOnce | undefined; readonly absent: ReadBack };
  /** The answer of an operation that an earlier run finished. */
  replay(log: OperationLog): Promise<Delivered>;
}
