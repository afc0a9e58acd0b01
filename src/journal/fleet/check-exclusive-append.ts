// Checks that a shared journal can be written and read, that an append is exclusive (of two writers, one wins), and
// that a log can be settled.
import { Failure } from "../../failure.ts";
import type { EventStore } from "../event-store.ts";

/** A log of its own, of which a snapshot keeps the last events. */
const log = "probe-doctor";

/** `one` and `other` are handles of two processes; `guid` is new. Throws a `Failure`. */
export async function checkExclusiveAppend(one: EventStore, other: EventStore, guid: string): Promise<void> {
  const reads = [await one.read(log), await other.read(log)];
  const number = Math.max(...reads.map(({ events, first }) => first + events.length));
  const appendOf = (name: string) => ({
    log,
    number,
    event: { writer: `${guid}-${name}` },
    isUnsettled: true,
  });
  const results = await Promise.all([one.append([appendOf("1")]), other.append([appendOf("2")])]);
  const winners = results.flatMap(([result], index) => (result === "ours" ? [`${guid}-${index + 1}`] : []));
  const { events, first } = await one.read(log);
  const writer = events[number - first]?.writer;
  if (winners.length > 1 || (winners.length === 1 && writer !== winners[0])) {
    throw new Failure("usage", "the journal lets two machines take the same step", {
      hint: "do not use it: an incident could be declared twice; choose another place for the journal",
    });
  }
  // Without a winner and without an event, the journal kept nothing.
  if (writer === undefined) {
    throw new Failure("unavailable", "the journal did not accept an event", { hint: "run it again" });
  }
  const end = { log, number: first + events.length, event: { writer: `${guid}-3` } };
  await one.append([{ ...end, isUnsettled: false }]);
}
