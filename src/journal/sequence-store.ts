// The logs of a journal, from its sequences. It promises:
// 1. Of all that append to a log as they read it, one gets `ours`, and then the event is durable.
// 2. What is `taken` is not in the log, and never will be; what is `unknown` is told by reading.
// 3. A reading is complete: it has all that anyone was told is there, or it fails.
// 4. A snapshot says what the entries before it said of everything that is not over; their numbers stay taken.
// 5. An entry that cannot be read stops the service and account that it is of, and no other.
import { Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { type EventStore, operationPrefix, serviceNameOf } from "./event-store.ts";
import { beganAt, hasId, isOpen, logOf } from "./logs.ts";
import type { Sequences } from "./sequence.ts";
import { createStream, type Stream } from "./stream.ts";

export interface SequenceDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
}

/** The sequence of the logs that are of no service. */
const otherLogs = "other";

/** The log that stands for all of a sequence that cannot be read. */
const unreadable = "unreadable";

export function createSequenceStore({ system }: SequenceDeps, sequences: Sequences): EventStore {
  const streams = new Map<string, Stream>();
  const streamOf = (name: string): Stream => {
    const stream = streams.get(name) ?? createStream(system, sequences.open(name));
    streams.set(name, stream);
    return stream;
  };
  const streamOfLog = (log: string) => streamOf(serviceNameOf(log) ?? otherLogs);

  /** The names of logs that begin with `prefix` and that `isWanted`; `unreadable` of a sequence that cannot be read. */
  async function names(prefix: string, isWanted: (...log: Parameters<typeof isOpen>) => boolean) {
    const found: (readonly [log: string, began: number])[] = [];
    for (const name of await sequences.names()) {
      if (serviceNameOf(prefix) !== undefined && serviceNameOf(prefix) !== name) continue;
      try {
        const { logs } = await streamOf(name).read();
        for (const [log, each] of logs)
          if (log.startsWith(prefix) && isWanted(each)) found.push([log, beganAt(each)]);
      } catch (error) {
        if (!(error instanceof Failure) || error.retryable) throw error;
        found.push([`${operationPrefix}${name}-${unreadable}`, 0]);
      }
    }
    return found;
  }

  const namesOf = async (...args: Parameters<typeof names>) =>
    (await names(...args)).map(([log]) => log).sort();

  return {
    append: (appends) => Promise.all(appends.map((each) => streamOfLog(each.log).append(each))),
    async read(log) {
      const { logs, service } = await streamOfLog(log).read();
      const { events, first } = logOf(logs.get(log), service);
      return { first, events };
    },
    unsettled: () => namesOf("", isOpen),
    logs: (prefix) => namesOf(prefix, () => true),
    async newest(limit, prefix = operationPrefix) {
      const found = await names(prefix, () => true);
      // Of a sequence, those that began later stand later.
      const ordered = found.toReversed().sort(([, one], [, other]) => other - one);
      return ordered.slice(0, limit).map(([log]) => log);
    },
    find: (id) => namesOf(operationPrefix, (log) => hasId(log, id.toLowerCase())),
    prune: (each) => streamOfLog(each.log).append({ ...each, isUnsettled: false, isBeginning: true }),
    async sweep(time) {
      sequences.sweep(time);
      // Those that this process has read.
      for (const stream of streams.values()) await stream.shorten();
    },
  };
}
