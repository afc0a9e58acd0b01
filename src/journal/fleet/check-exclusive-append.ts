// Checks that a shared journal can be written and read, and that an append is exclusive: of two writers, one wins.
import { Failure } from "../../failure.ts";
import { emptyModel, format } from "../model.ts";
import type { Sequence, Sequences } from "../sequence.ts";
import { takeSnapshot } from "../snapshot.ts";

/** A sequence of its own. Where this machine may drop entries, each replaces those before it. */
const name = "doctor";

/** `one` and `other` are handles of two processes; `guid` is new. Throws a `Failure`. */
export async function checkExclusiveAppend(one: Sequences, other: Sequences, guid: string): Promise<void> {
  const handles = [one.open(name), other.open(name)] as const;
  const endOf = async (sequence: Sequence) => {
    const { entries, first } = await sequence.read(0);
    return first + entries.length;
  };
  const at = Math.max(...(await Promise.all(handles.map(endOf))));
  const mayDrop = handles[0].mayDrop();
  const nothing = mayDrop ? { writers: [], snapshot: takeSnapshot(emptyModel, 0) } : { events: [] };
  const writers = [`${guid}-1`, `${guid}-2`];
  const results = await Promise.all(
    handles.map((sequence, index) =>
      sequence.append(at, { writer: writers[index] as string, ...format, at: 0, ...nothing }),
    ),
  );
  const winners = writers.filter((_, index) => results[index] === "ours");
  const { entries, first } = await handles[0].read(at);
  const writer = entries[at - first]?.writer;
  if (winners.length > 1 || (winners.length === 1 && writer !== winners[0])) {
    throw new Failure("usage", "the journal lets two machines take the same step", {
      hint: "do not use it: an incident could be declared twice; choose another place for the journal",
    });
  }
  // Without a winner and without an entry, the journal kept nothing.
  if (writer === undefined)
    throw new Failure("unavailable", "the journal did not accept an event", { hint: "run it again" });
  if (mayDrop) await handles[0].drop(at);
}
