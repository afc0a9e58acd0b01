// One update of an incident, exactly once.

import type { AddUpdate } from "../../document/operations.ts";
import type { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { deliverOnce } from "../deliver.ts";
import type { OperationOptions } from "../delivery-options.ts";
import { readAgain } from "../read-back.ts";
import { type PostRequest, updateOperation } from "./update-operation.ts";

export interface PostOptions extends OperationOptions {
  /** As the service's document describes it. */
  readonly addUpdate: AddUpdate;
}

export interface Posted {
  /**
   * `posted`: by this run. `found`: the service has it, of an earlier attempt or of another machine. `posted-before`: an
   * earlier run or another person posted it.
   */
  readonly how: "posted" | "found" | "posted-before";
  /** As it was read last: after a post where that succeeds, else before it. */
  readonly incident: Incident;
  /** When it was read, on the monotonic clock. */
  readonly readAt: number;
  /** When an earlier run posted it: an ISO date-time, UTC. */
  readonly since?: string;
  /** It is posted, and something about it went wrong. */
  readonly failure?: Failure;
}

/**
 * Posts one update exactly once: an operation of the journal that is named by incident, status, text and occurrence. An
 * update that this journal knows as posted is not posted again, and one whose outcome is not known is read back first.
 * It does not ask whether an equal one is shown: `planUpdate` does, for an update that no file numbers. Throws a
 * `Failure`: "uncertain" when it was sent and its outcome is not known, "rejected" after a RESOLVED without `reopens`.
 */
export async function postOnce(options: PostOptions, request: PostRequest): Promise<Posted> {
  const { clock } = options.system;
  const operation = updateOperation(options, request, options.addUpdate);
  const { failure, how, since } = await deliverOnce(options, operation);
  const incident = operation.latest();
  if (how === "found") return { how, incident, readAt: clock.monotonic() };
  const after = await readAgain(options, incident.id);
  return {
    // Another process may have posted it since the incident was read.
    how: how === "declared" ? "posted" : "posted-before",
    incident: after ?? incident,
    readAt: after === undefined ? request.readAt : clock.monotonic(),
    ...(since && { since }),
    ...(failure && { failure }),
  };
}
