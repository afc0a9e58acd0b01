// Checks the history of one run of a drill: against the port of sequences, and its journal against the second
// model of the protocol.
import type { Sequences } from "../../../src/journal/sequence.ts";
import { checkHistory } from "./check-history.ts";
import { createHistory, type RecordedCall } from "./history.ts";
import { replayHistory } from "./replay.ts";

/** How much was checked. */
export interface HistoryTally {
  appends: number;
  reads: number;
  /** Events that were replayed. */
  events: number;
}

export const noHistory: HistoryTally = { appends: 0, reads: 0, events: 0 };

export interface CheckedRun {
  /** Opened at the place of the processes. */
  readonly sequences: Sequences;
  readonly place: string;
  /** When each create arrived at the service, on the clock of the history. */
  readonly arrivals: readonly number[];
}

/**
 * `calls` are those of the processes that have ended. The sequences are read once more. Gives the violations,
 * and counts what was checked.
 */
export async function checkRun(
  calls: readonly RecordedCall[],
  { arrivals, place, sequences }: CheckedRun,
  tally: HistoryTally,
): Promise<readonly string[]> {
  const history = createHistory();
  const recorded = history.record(sequences, "the drill", place);
  for (const name of await sequences.names()) await recorded.open(name).read(0);
  const all = [...calls, ...history.calls()];
  const checked = checkHistory(all);
  const replayed = replayHistory(all, { arrivals });
  addHistory(tally, { ...checked, ...replayed });
  return [...checked.violations, ...replayed.violations];
}

export function addHistory(tally: HistoryTally, { appends, events, reads }: HistoryTally): void {
  tally.appends += appends;
  tally.reads += reads;
  tally.events += events;
}

/** A line for people. */
export function renderHistory({ appends, events, reads }: HistoryTally): string {
  return `history: ${appends} appends and ${reads} reads checked, ${events} events replayed`;
}
