// The logs of a journal, from its sequences. It promises:
// 1. Of all that append to a log as they read it, one gets `ours`, and then the event is durable.
// 2. What is `taken` is not in the log, and never will be; what is `unknown` is told by reading.
// 3. A reading is complete: it has all that anyone was told is there, or it fails.
// 4. A snapshot says what the entries before it said of everything that is not over; their numbers stay taken.
// 5. An entry that cannot be read stops the service and account that it is of, and no other.
import { Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { type EventStore, operationPrefix, serviceNameOf } from "./event-store.ts";
import type { MachineMemory, Seen } from "./fleet/machine-memory.ts";
import { beganAt, hasId, isOpen, type Log, type Logs, logOf } from "./logs.ts";
import type { Sequences } from "./sequence.ts";
import { createStream, type Stream } from "./stream.ts";

export interface SequenceDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
}

/** The sequence of the logs that are of no service. */
const otherLogs = "other";

/** The log that stands for all of a sequence that cannot be read. */
const unreadable = "unreadable";
const nothingKnown: Log = { first: 0, events: [], isUnsettled: true, began: 0 };

/** `memory`: of a journal that machines share. */
export function createSequenceStore(
  { system }: SequenceDeps,
  sequences: Sequences,
  memory?: MachineMemory,
): EventStore {
  const streams = new Map<string, Stream>();
  const streamOf = (name: string): Stream => {
    const own = memory && {
      last: () => memory.last(name),
      remember: (seen: Seen) => memory.remember(name, seen),
    };
    const stream = streams.get(name) ?? createStream(system, sequences.open(name), own);
    streams.set(name, stream);
    return stream;
  };
  const streamOfLog = (log: string) => streamOf(serviceNameOf(log) ?? otherLogs);

  /** What each sequence that may have such names says; the log `unreadable` of one that cannot be read. */
  async function readings(prefix: string): Promise<readonly Logs[]> {
    const own = serviceNameOf(prefix);
    // A sequence that this machine has seen may be gone.
    const all = async () => new Set([...(await sequences.names()), ...(memory?.names() ?? [])]);
    const names = own === undefined ? [...(await all())] : [own];
    return Promise.all(
      names.map(async (name) => {
        try {
          return (await streamOf(name).read()).logs;
        } catch (error) {
          if (!(error instanceof Failure) || error.retryable) throw error;
          return new Map([[`${operationPrefix}${name}-${unreadable}`, nothingKnown]]);
        }
      }),
    );
  }

  async function names(
    prefix: string,
    isWanted: (...log: Parameters<typeof isOpen>) => boolean = () => true,
  ) {
    const found: string[] = [];
    for (const logs of await readings(prefix))
      for (const [log, each] of logs)
        if ((log.startsWith(prefix) || log.endsWith(unreadable)) && isWanted(each)) found.push(log);
    return found.sort();
  }

  return {
    append: (appends) => Promise.all(appends.map((each) => streamOfLog(each.log).append(each))),
    async read(log) {
      const { logs, service } = await streamOfLog(log).read();
      const { events, first } = logOf(logs.get(log), service);
      return { first, events };
    },
    unsettled: () => names("", isOpen),
    logs: names,
    async newest(limit, prefix = operationPrefix) {
      const all = await readings(prefix);
      // Of a sequence, those that began later stand later.
      const newest = all.map((logs) => {
        const found = [...logs.keys()].filter((log) => log.startsWith(prefix));
        return found.toReversed().slice(0, limit);
      });
      if (newest.length < 2) return newest.flat();
      const timed = newest.flatMap((found, at) =>
        found.map((log) => [log, beganAt(all[at]?.get(log) ?? "")] as const),
      );
      return timed
        .sort(([, one], [, other]) => other - one)
        .slice(0, limit)
        .map(([log]) => log);
    },
    find: (id) => names(operationPrefix, (log) => hasId(log, id.toLowerCase())),
    async sweep(time) {
      sequences.sweep(time);
      // Those that this process has read.
      for (const stream of streams.values()) await stream.shorten();
    },
  };
}
