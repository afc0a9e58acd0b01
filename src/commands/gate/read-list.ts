// The list of the service, for `incident gate`: as the service's own document describes it, never as a file of the checkout
// does. Where it cannot be read whole, the gate says how far it came.
import type { Client } from "../../api/client.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { reasonFor } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { readIncidents } from "../shared/incident-list.ts";
import { latestTimeOf } from "./known-incidents.ts";

export type ListFacts =
  /** The service describes none; `reason` is a clause. */
  | { readonly is: "none"; readonly reason: string }
  /** `isDescribed`: its document could be read. */
  | { readonly is: "unread"; readonly isDescribed: boolean; readonly problem: string }
  /** `reached`: the date of the oldest one, as the service wrote it; undefined where the order is not known. */
  | { readonly is: "read"; readonly isComplete: boolean; readonly reached: string | undefined };

interface ListRead {
  readonly facts: ListFacts;
  readonly entries: readonly Incident[];
}

/** Throws the `Failure` of a key that is not accepted. `since`: older ones need not be read. */
export async function readList(
  context: RunContext,
  client: Client,
  since: number | undefined,
): Promise<ListRead> {
  const { signal } = context.system;
  const stopped = { is: "unread", isDescribed: true, problem: "it was stopped" } as const;
  if (signal.aborted) return without(stopped);
  const known = await operationsOf(context, client.settings, { ignoresContract: true });
  if (!known.isKnown) {
    const { kind, message } = known.failure;
    if (kind !== "unavailable") return without({ is: "none", reason: message });
    return without({ is: "unread", isDescribed: false, problem: message });
  }
  const { list } = known.operations;
  if (list === undefined) {
    const why = reasonFor(known.operations, "list");
    // A list that the document describes, and that cannot be read, may have any incident.
    if (!why.startsWith("it has no ")) return without({ is: "unread", isDescribed: false, problem: why });
    return without({ is: "none", reason: `the service's document describes no list: ${why}` });
  }
  try {
    const { entries, isComplete } = await readIncidents(context, client, list, (all) => isPast(all, since));
    const facts = {
      is: "read",
      isComplete: isComplete || isPast(entries, since),
      reached: oldestOf(entries),
    } as const;
    return { facts, entries };
  } catch (error) {
    if (signal.aborted) return without(stopped);
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    return without({ is: "unread", isDescribed: true, problem: error.message });
  }
}

const without = (facts: ListFacts): ListRead => ({ facts, entries: [] });

function isPast(entries: readonly Incident[], since: number | undefined): boolean {
  const last = entries.at(-1);
  const time = last && latestTimeOf(last);
  return since !== undefined && time !== undefined && time < since && isNewestFirst(entries);
}

function oldestOf(entries: readonly Incident[]): string | undefined {
  const last = entries.at(-1);
  return last && isNewestFirst(entries) ? incidentFacts(last).createdAt : undefined;
}

/** Nothing states the order of a list. */
function isNewestFirst(entries: readonly Incident[]): boolean {
  const times = entries.map(latestTimeOf);
  return times.every((time, at) => at === 0 || (time ?? 0) <= (times[at - 1] ?? 0));
}
