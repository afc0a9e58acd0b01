// Looks at incidents again and again, at a pace that the service allows, and goes on where the network fails.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Context } from "../../platform/context.ts";

/** What was seen last. */
export interface Poll {
  readonly incidents: readonly Incident[];
  /** When it was seen, in milliseconds since the epoch. */
  readonly at: number;
  /** Why it could not be seen again since. */
  readonly trouble?: Failure;
}

export interface PollOptions {
  readonly context: Pick<Context, "clock" | "signal">;
  /** For the first look, which must succeed: a slip in the settings should not be waited out. */
  readonly client: Client;
  /** For the others: each is a try, and the next look is the retry. */
  readonly patientClient: Client;
  readonly ids: readonly string[];
  /** Milliseconds between two looks. */
  readonly interval: number;
  /** Milliseconds after which the last look is given again, for a clock that is shown beside it. */
  readonly tick?: number;
  /** Milliseconds since the epoch; the last look is no later than this. */
  readonly deadline?: number;
}

/** With a failing service, looks become rarer, down to one in this many milliseconds or in an interval. */
const rarest = 60_000;

/** Ends at the deadline, or when the signal is aborted. Throws a `Failure` that another look could not mend. */
export async function* poll(observing: PollOptions): AsyncGenerator<Poll, void> {
  const { context, client, patientClient, ids, interval, deadline = Number.POSITIVE_INFINITY } = observing;
  const { clock, signal } = context;
  let look: Poll = { incidents: await readAll(client, ids), at: clock.now() };
  let failures = 0;
  for (;;) {
    yield look;
    const pause = Math.min(Math.max(rarest, interval), interval * 2 ** failures);
    const next = Math.min(clock.now() + pause, deadline);
    while (clock.now() < next && !signal.aborted) {
      const rest = next - clock.now();
      await clock.sleep(Math.min(rest, observing.tick ?? rest), signal);
      if (observing.tick !== undefined && clock.now() < next && !signal.aborted) yield look;
    }
    if (signal.aborted || look.at >= deadline) return;
    try {
      look = { incidents: await readAll(patientClient, ids), at: clock.now() };
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure) || error.kind !== "unavailable") throw error;
      if (clock.now() >= deadline) return;
      look = { ...look, trouble: error };
      failures += 1;
    }
  }
}

async function readAll(client: Client, ids: readonly string[]): Promise<readonly Incident[]> {
  const incidents: Incident[] = [];
  for (const id of ids) incidents.push(await client.getIncident(id));
  return incidents;
}
