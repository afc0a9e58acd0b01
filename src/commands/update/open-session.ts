// What every update and edit of a run needs: the connection, the operations of the service, and the delivery.
import { connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
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
  // A document that cannot be read does not say that it lacks the operation.
  if (!known.isKnown)
    throw known.failure.with({
      kind: "unavailable",
      message: `it is not known whether the service takes updates: ${known.failure.message}`,
      hint: advise`nothing was sent; ${known.failure.details.hint}`,
    });
  const opened = await openDelivery(context, connection, {
    ...global,
    ...target,
    noJournal: flags.noJournal,
  });
  await warnOfOtherPolicies(context, []);
  const delivery = { ...opened.delivery, confirmed: flags.confirm };
  const { journal } = connection;
  return { client, settings, journal, operations: known.operations, delivery, state: opened.state };
}
