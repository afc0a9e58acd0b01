// A request of the client, without the parts that every request has.
import type { Failure } from "../failure.ts";
import type { Control, Outcome, WireRequest } from "../http/transport.ts";
import type { RequestFacts } from "./request-facts.ts";

export interface ServiceRequest {
  readonly method: WireRequest["method"];
  /** `incidents` without it. */
  readonly collection?: "services" | undefined;
  readonly id?: string | undefined;
  /** The last segment of the path, after the id. */
  readonly segment?: string | undefined;
  readonly query?: string;
  readonly body?: unknown;
  /** The ETag that the incident was read with. */
  readonly ifMatch?: string | undefined;
}

export interface ReadOptions {
  /** Milliseconds for the read with all its attempts; waiting for the rate limit does not count. */
  readonly budget?: number;
  /** For a read of a plan: it shares the connections of the other reads. */
  readonly sharesConnection?: boolean;
}

/** The calls before the first byte of a request that changes something leaves. */
export type SendConditions = Pick<Control, "beforeSend" | "isOverdue" | "onPermitted">;

/** Throws a `Failure` for an id that cannot be part of an address. */
export type Send = (request: ServiceRequest, options?: ReadOptions & SendConditions) => Promise<Outcome>;

/** `problem` completes "the answer …", for a success that cannot be used. */
export type FailureOf = (
  outcome: Outcome,
  operation: RequestFacts["operation"],
  id?: string,
  problem?: string,
) => Failure;
