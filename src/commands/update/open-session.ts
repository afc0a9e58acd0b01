// What every update and edit of a run needs: the connection, the operations of the service, and the delivery.
import { connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import type { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { advise } from "../../text/advice.ts";
import { warnOfOtherPolicies } from "../shared/checks.ts";
import type { Target } from "./find-incident.ts";
import type { UpdateInput } from "./spec.ts";

export type Session = Awaited<ReturnType<typeof openSession>>;

export async function openSession(context: RunContext, { flags, global }: UpdateInput, target: Target) {
  const connection = await connect(context, { ...global, readsDocument: true });
  const { client } = connection;
  const { settings } = client;
  const known = await operationsOf(context, settings);
  if (!known.isKnown) throw unknownFailure(known.failure);
  const opened = await openDelivery(context, connection, { ...global, ...target });
  await warnOfOtherPolicies(context, []);
  const delivery = { ...opened.delivery, confirmed: flags.confirm };
  const { journal } = connection;
  return { client, settings, journal, operations: known.operations, delivery, state: opened.state };
}

/** The document could not be read, which does not say that it lacks the operation. */
function unknownFailure(failure: Failure): Failure {
  return failure.with({
    kind: "unavailable",
    message: `it is not known whether the service takes updates: ${failure.message}`,
    hint: advise`nothing was sent; ${failure.details.hint}`,
  });
}
