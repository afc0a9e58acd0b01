// One sequence and its model. It reads the entries that are new, appends, and replaces a long sequence by a snapshot. Its
// calls take turns, so that each sees the entries of the one before it.
import { cancellation, catchFailure, Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { shortDigest } from "../text/json-digest.ts";
import type { OwnEvent, ServiceKey } from "./events.ts";
import { hasSeen, type MachineMemory, rolledBack, type Seen } from "./fleet/machine-memory.ts";
import { addEvent, draftOf, emptyModel, extend, format, type Model } from "./model.ts";
import type { Entry, Sequence } from "./sequence.ts";
import { takeSnapshot } from "./snapshot.ts";

/** More entries than this are replaced by a snapshot. */
const longestSequence = 256;

/** How often, and after how many milliseconds, a sequence is read again that is shorter than it was said to be. */
const stalePauses = [100, 500, 2000] as const;

/** After how many milliseconds a store that did not take an entry is asked again, and until when. */
const appendPauses = [100, 500, 2000, 5000, 10_000, 10_000] as const;
const longestAppend = 30_000;

/** The most lost appends in a row: more than machines that begin together cause. */
const mostLost = 200;

export type Still = (model: Model) => boolean;

/** `ours`: the event is durable. `lost`: it is not there, because `still` no longer held. `model`: as it is now. */
interface Appended {
  readonly result: "ours" | "lost";
  readonly model: Model;
}

export type Stream = ReturnType<typeof createStream>;

export interface StreamDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
  /** Of a journal that machines share. */
  readonly memory?: MachineMemory | undefined;
}

/** An append that waits for its turn. */
interface Waiting {
  readonly service: ServiceKey;
  readonly own: OwnEvent;
  readonly still: Still;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export function createStream(
  { memory, system: { clock, random, signal } }: StreamDeps,
  name: string,
  sequence: Sequence,
) {
  let model = emptyModel;
  let wasRead = false;
  /** How often in a row an append of this process has met another. */
  let lost = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let reading: Promise<Model> | undefined;
  const waiting: Waiting[] = [];

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  const lastSeen = (): Seen | undefined =>
    model.next === 0
      ? memory?.last(name)
      : { number: model.next - 1, writer: shortDigest(model.writers.at(-1)) };

  function remember(): void {
    const seen = model.next === 0 ? undefined : lastSeen();
    if (seen !== undefined) memory?.remember(name, seen);
  }

  /** Reads the new entries, until they have the last entry that was seen, and number `taken`: a replica may be behind. */
  async function refresh(taken = -1): Promise<void> {
    const seen = lastSeen();
    const from = model.endsInSnapshot || model.next === 0 ? model.next : model.next - 1;
    for (const pause of [...stalePauses, undefined]) {
      const tail = await sequence.read(from);
      // A snapshot that this process has read is not read again.
      const isAfterIt = model.endsInSnapshot && tail.first === model.next;
      const isWhole = seen === undefined || isAfterIt || hasSeen(tail, seen);
      if (isWhole && tail.first + tail.entries.length > taken) {
        model = extend(model, tail, sequence.place);
        wasRead = true;
        return;
      }
      if (pause !== undefined && !signal.aborted) await clock.sleep(pause, signal);
      else if (!isWhole) throw rolledBack(sequence.place(seen.number));
    }
    throw storeFailure(
      `contradicts itself: its ${sequence.place(taken)} is taken, and not shown`,
      "find out what hides or drops its entries, such as a trigger, row security, or a copy that was restored",
      false,
    );
  }

  /** Whether the entry is in the sequence, which is read where the store does not say. Else another entry has its number. */
  async function appendSurely(entry: Entry): Promise<boolean> {
    const at = model.next;
    let problem: unknown;
    const keep = (error: unknown) => {
      problem = error;
    };
    const until = clock.monotonic() + longestAppend;
    for (const pause of [...appendPauses, undefined]) {
      const result = await sequence.append(at, entry).catch(keep);
      if (result === "ours") {
        model = extend(model, { first: at, entries: [entry] }, sequence.place);
        return true;
      }
      await refresh(result === "taken" ? at : undefined).catch(keep);
      if (model.next > at) return model.writers.at(at - model.next) === entry.writer;
      if (signal.aborted)
        throw cancellation(signal, "nothing was sent; the journal did not confirm an entry");
      if (!(problem instanceof Failure) || !problem.retryable) break;
      if (pause === undefined || clock.monotonic() + pause > until) break;
      await clock.sleep(pause, signal);
    }
    throw problem;
  }

  async function appendAll(calls: readonly Waiting[]): Promise<void> {
    for (let isFresh = false; lost < mostLost; isFresh = true) {
      const at = clock.now();
      const draft = draftOf(model);
      const events: OwnEvent[] = [];
      const isIn = calls.map(({ own, service, still }) => {
        if (!still(draft)) return false;
        draft.service ??= service;
        addEvent(draft, own, at);
        events.push(own);
        return true;
      });
      // This process may not have read what they follow.
      if (!wasRead || (!isFresh && isIn.includes(false))) {
        await refresh();
        continue;
      }
      const { service } = draft;
      const entry = { writer: random.guid(), ...format, at, service, events };
      lost += 1;
      if (events.length > 0) {
        // Nothing is appended where this machine cannot remember it.
        remember();
        if (!(await appendSurely(entry))) continue;
        // Before anything that it announces is sent.
        remember();
        lost = 0;
      }
      for (const [index, { resolve }] of calls.entries())
        resolve({ result: isIn[index] ? "ours" : "lost", model });
      return;
    }
    throw storeFailure(
      `took none of ${mostLost} entries as that of this process, the last as ${sequence.place(model.next)}`,
      "find out what takes its entries, such as a trigger; else run it again",
    );
  }

  async function appendWaiting(): Promise<void> {
    // Calls that are ready at the same time go together from the first.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const calls = waiting.splice(0);
      await appendAll(calls).catch((error: unknown) => {
        for (const { reject } of calls) reject(error);
      });
    }
  }

  async function shorten(): Promise<void> {
    if (model.next - model.first <= longestSequence || !sequence.mayDrop()) return;
    // Another machine may have done it.
    await refresh();
    const { first, next, service, writers } = model;
    if (next - first <= longestSequence) return;
    const at = clock.now();
    const snapshot = takeSnapshot(model, at);
    const entry = { writer: random.guid(), ...format, at, service, writers, snapshot };
    const result = await sequence.append(next, entry).catch((error: unknown) => {
      // Another machine was first, or a later run does it.
      if (!(error instanceof Failure) || !error.retryable) throw error;
    });
    if (result !== "ours") return;
    model = extend(model, { first: next, entries: [entry] }, sequence.place);
    await sequence.drop(next);
  }

  return {
    known: () => model,
    model() {
      reading ??= inTurn(async () => {
        reading = undefined;
        await refresh();
        // A command that only reads needs no memory.
        catchFailure(remember);
        return model;
      });
      return reading;
    },
    append: (service: ServiceKey, own: OwnEvent, still: Still) =>
      new Promise<Appended>((resolve, reject) => {
        waiting.push({ service, own, still, resolve, reject });
        if (waiting.length === 1) void inTurn(appendWaiting);
      }),
    shorten: () => inTurn(shorten),
  };
}

function storeFailure(problem: string, hint: string, retryable?: boolean): Failure {
  const details = { hint: `nothing was sent; ${hint}`, retryable };
  return new Failure("unavailable", `the journal's store ${problem}`, details);
}
