// The list of the service for a command that only looks for an incident in it: without a request for the document.
import { connect } from "../../../api/connect.ts";
import { operationsAtHand } from "../../../api/known-operations.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import type { GlobalFlags } from "../../../kit/global-flags.ts";
import { textOf } from "../../../rules/openapi/references.ts";
import type { Named } from "../journal/find-ids.ts";
import { mostListed } from "./most-listed.ts";
import { select } from "./select.ts";

/** The oldest first; undefined where it is not known how to list. Throws the `Failure` of a list that cannot be read. */
export async function readNamed(
  context: RunContext,
  global: GlobalFlags,
): Promise<readonly Named[] | undefined> {
  const { client } = await connect(context, global);
  const operation = (await operationsAtHand(context, client.settings))?.list;
  if (operation === undefined) return undefined;
  const { entries } = await client.listIncidents(operation, { most: mostListed, sharesConnection: true });
  const everything = { isOpen: false, serviceIds: new Set<string>(), severity: undefined };
  const all = select(entries, { ...everything, limit: mostListed, since: undefined, status: undefined });
  return all.toReversed().map(({ id, name }) => ({ id, ids: [id.toLowerCase()], name: textOf(name) }));
}
