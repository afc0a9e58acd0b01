// The journal of this machine beside a shared one. It has a copy of each log that this machine appended to, with the texts
// that the shared journal does not hold, and each ending that the shared journal did not take. So it is evidence where the
// shared journal loses entries, and the past of the journal in a folder where the shared one cannot be reached.
import { bestEffort, Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import { argv } from "../../text/advice.ts";
import type { Append, EventStore, StoredEvent, StoredLog } from "../event-store.ts";
import type { OperationKey } from "../events.ts";
import { appendSurely, createJournal, type Journal, type JournalDeps } from "../journal.ts";
import { compareLogs, isEnding, isEqual, isUnsettled, stateOf } from "./compare-logs.ts";
import { withRedactedEvents } from "./redact-events.ts";

export interface OutboxDeps extends Pick<JournalDeps, "origin" | "writer"> {
  readonly system: Pick<System, "clock" | "signal">;
}

/** Milliseconds in which an ending is appended again, and between these attempts; the last repeats. */
const retryDeadline = 30_000;
const retryDelays = [500, 1000, 2000, 5000] as const;

/** `local` is the journal of this machine. */
export function createOutbox(shared: EventStore, local: EventStore, deps: OutboxDeps) {
  const { clock, signal } = deps.system;
  const plain = withRedactedEvents(shared);
  const own = createJournal({ ...deps, store: local, clock });
  /** By the log: its events in the shared journal, as far as this process knows them. */
  const known = new Map<string, readonly StoredEvent[]>();

  async function read(log: string): Promise<StoredLog> {
    for (;;) {
      const there = await plain.read(log);
      const here = await local.read(log);
      known.set(log, there.events);
      const comparison = compareLogs(here, there);
      switch (comparison.kind) {
        case "complete":
          await follow(log, here, there);
          return { ...there, events: there.events.map((event) => withText(event, here)) };
        case "behind":
          // Until it is appended, the attempt has no ending, and nothing is sent.
          if (!(await appendEnding(log, there, comparison.ending))) return there;
          break;
        case "lost":
        case "conflict":
          return { ...here, lost: lostFailure(here, comparison.kind) };
      }
    }
  }

  async function appendEnding(log: string, { events, first }: StoredLog, event: StoredEvent) {
    const append = {
      log,
      number: first + events.length,
      event,
      isUnsettled: isUnsettled([...events, event]),
    };
    try {
      await appendSurely({ clock, signal, store: plain }, append);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  /** Takes the settlement of another machine, so that this machine lists the operation no more. */
  async function follow(log: string, here: StoredLog, there: StoredLog): Promise<void> {
    if (!isUnsettled(here.events) || isUnsettled(there.events)) return;
    await tryToCopy(log, there.events);
  }

  /** `isAttempt`: throws a `Failure` where this machine has sent the operation with another journal meanwhile. */
  async function copyEvents(log: string, events: readonly StoredEvent[], isAttempt = false): Promise<void> {
    for (;;) {
      const here = await local.read(log);
      // The append is exclusive, so that of two processes with other events one learns of the other here.
      if (isAttempt && compareLogs(here, { first: 0, events }).kind !== "complete")
        throw lostFailure(here, "conflict");
      const event = events.find((each) => !here.events.some((known) => isEqual(known, each)));
      if (event === undefined) return;
      await local.append([
        {
          log,
          number: here.first + here.events.length,
          event,
          isUnsettled: isUnsettled([...here.events, event]),
        },
      ]);
    }
  }

  /** Nothing that is sent depends on it. */
  async function tryToCopy(log: string, events: readonly StoredEvent[]): Promise<void> {
    await bestEffort({ warn: () => undefined }, () => copyEvents(log, events));
  }

  return {
    store: {
      ...plain,
      read,
      /** Also those that the shared journal may have lost. */
      async unsettled() {
        return [...new Set([...(await plain.unsettled()), ...(await local.unsettled())])];
      },
      /** The same. */
      async find(id) {
        return [...new Set([...(await plain.find(id)), ...(await local.find(id))])];
      },
    } satisfies EventStore,
    /** Of the newest operations of this machine, at most `limit`: why nothing may be sent for those that are lost. */
    async findLost(limit: number): Promise<readonly Failure[]> {
      const logs = await Promise.all((await local.newest(limit)).map(read));
      return logs.flatMap(({ lost }) => lost ?? []);
    },
    /**
     * Copies an event that the shared journal has taken: an attempt is evidence on this machine before its first byte
     * leaves. Throws a `Failure` where it cannot be.
     */
    async copy({ event, log }: Pick<Append, "event" | "log">): Promise<void> {
      const events = [...(known.get(log) ?? []), event];
      known.set(log, events);
      if (stepTypeOf(event) === "sending" || event.event === undefined) await copyEvents(log, events, true);
      else await tryToCopy(log, events);
    },
    /** Appends an ending again for a while, and keeps it on this machine where the shared journal does not take it. */
    withEndingsKept(journal: Journal): Journal {
      return {
        ...journal,
        async append(log, event) {
          const deadline = clock.monotonic() + retryDeadline;
          for (let attempt = 0; ; attempt += 1) {
            try {
              return await journal.append(log, event);
            } catch (error) {
              if (!(error instanceof Failure) || !isEnding(event)) throw error;
              if (!error.retryable || signal.aborted || clock.monotonic() >= deadline) {
                await own.append(await own.read(log.key), event);
                throw error;
              }
            }
            await clock.sleep(retryDelays[Math.min(attempt, retryDelays.length - 1)] as number, signal);
          }
        },
      };
    },
  };
}

function stepTypeOf({ event }: StoredEvent): string | undefined {
  return (event as { readonly type?: string } | undefined)?.type;
}

/** The event as this machine has it. */
function withText(event: StoredEvent, { events }: StoredLog): StoredEvent {
  return events.find((each) => isEqual(each, event)) ?? event;
}

function lostFailure(here: StoredLog, kind: "lost" | "conflict"): Failure {
  const { claim, key } = here.events.at(-1) as unknown as { claim?: OperationKey; key: OperationKey };
  const { id } = claim ?? key;
  const outcome = claim === undefined ? outcomeOf(here) : "";
  if (kind === "conflict")
    return new Failure(
      "uncertain",
      `the create of ${id} is in the journal of this machine${outcome}, and the shared journal has another attempt`,
      {
        hint: `nothing was sent; find out whether the incident exists, then run INCIDENT_CLI_JOURNAL=folder incident journal settle ${id}`,
      },
    );
  return new Failure(
    "uncertain",
    `the create of ${id} is in the journal of this machine${outcome}, and not in the shared one, which lost entries or is another one`,
    {
      hint: "nothing was sent; put back what this machine knows, then run it again",
      commands: [{ command: argv`incident journal copy --to shared`, purpose: "put it back" }],
    },
  );
}

function outcomeOf(here: StoredLog): string {
  const { created, uncertain } = stateOf(here);
  if (created !== undefined) return `, where it was declared as ${created.serviceId}`;
  return uncertain === undefined ? "" : ", where its outcome is not known";
}
