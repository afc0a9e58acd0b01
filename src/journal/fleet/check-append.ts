// Checks that a shared journal can be read and written, for `incident doctor`.
import { Failure } from "../../failure.ts";
import { emptyModel, extend, format } from "../model.ts";
import type { Sequences } from "../sequence.ts";
import { takeSnapshot } from "../snapshot.ts";

/** Appends to a sequence of its own, and drops its earlier entries where this machine may. Throws a `Failure`. */
export async function checkAppend(sequences: Sequences, writer: string): Promise<void> {
  const sequence = sequences.open("doctor");
  // A machine that has seen an entry finds its writer in the snapshot that replaces it.
  const { next: at, writers } = extend(emptyModel, await sequence.read(0), sequence.place);
  const mayDrop = sequence.mayDrop();
  const nothing = mayDrop ? { writers, snapshot: takeSnapshot(emptyModel, 0) } : { events: [] };
  if ((await sequence.append(at, { writer, ...format, at: 0, ...nothing })) !== "ours")
    throw new Failure("unavailable", "the journal did not accept an event", { hint: "run it again" });
  if (mayDrop) await sequence.drop(at);
}
