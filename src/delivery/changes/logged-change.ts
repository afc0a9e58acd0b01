// One more look for an update or an edit that the journal has, perhaps without its text.
import { statuses } from "../../incident/values.ts";
import type { Incident } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import type { Operation } from "../operation.ts";
import { loggedEdit } from "./edit-once.ts";
import { openUpdateIds } from "./update-identity.ts";
import { updateOperation } from "./update-operation.ts";

/** Undefined where the journal has not enough of it to look for. It must not be sent. */
export function loggedChange(
  options: DeliveryOptions,
  log: OperationLog,
  incident: Incident,
): Operation | undefined {
  const { change, digest, key } = log;
  if (change?.kind !== "update" || digest === undefined) return loggedEdit(options, log, incident);
  const status = statuses.find((each) => each === change.status);
  const text = { description: change.description ?? "", notifySubscribers: change.notify };
  return updateOperation(options, {
    incident,
    update: { ...text, ...(status && { status }) },
    occurrence: 0,
    isStale: false,
    reopens: false,
    log,
    logged: { key, digest },
    addUpdate: undefined,
    ids: openUpdateIds(options),
  });
}
