// Which operations are under way, findable without reading the journal: by content for a create that has no id
// of its own, so that the same command run again takes up what the first began.
import type { CreateBody } from "../incident/wire.ts";
import { hash, type Journal, keyName, type Operation, type OperationKey } from "./journal.ts";
import { parseStored, type Store } from "./store.ts";

const day = 24 * 60 * 60 * 1000;

/** A finished create whose run was never told answers for its content no longer than this. */
const contentMemory = 7 * day;

/** A mark of something that ended is kept no longer than this. */
const markMemory = 90 * day;

export interface UnfinishedOptions {
  readonly journal: Journal;
  /** Marks of what is under way. */
  readonly open: Store;
  /** Marks of what was declared by its content and told. */
  readonly told: Store;
  readonly now: () => number;
  /** When this process started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

type ServiceKey = Pick<OperationKey, "baseUrl" | "account">;

export interface Claim {
  readonly key: OperationKey;
  /** What to release it by. */
  readonly mark: string;
  /** An incident with this content that was declared not long ago, and told: this is another. */
  readonly earlier?: { readonly id: string; readonly at: string };
}

export interface Unfinished {
  /** Marks an operation that has an id of its own; gives what to release it by. */
  mark(key: OperationKey): string;
  /**
   * The operation with this content that is under way, or that ended while this process was at work (it may have
   * been stopped), or a new one with an id by `mint`; always a new one where it has to be "fresh". `occurrence`
   * tells apart equal contents of one command.
   */
  claim(
    service: ServiceKey,
    content: { readonly digest: string; readonly occurrence: number },
    mint: () => string,
    freshness?: "fresh",
  ): Claim;
  /** The user has been told how it ended. */
  release(mark: string): void;
  /** Every operation of which nobody knows what came, but those that are being sent at this moment. */
  uncertain(): Operation[];
  /** Forgets marks of what ended long ago. */
  tidy(): void;
}

/** The digest of what would be sent, whatever its id. */
export function digestOf(body: CreateBody): string {
  return hash({ ...body, id: undefined });
}

export function createUnfinished(options: UnfinishedOptions): Unfinished {
  const { journal, now, open, startedAt, told } = options;
  const keyIn = (store: Store, mark: string): OperationKey | undefined => {
    const text = store.get(mark);
    // A fleeting mark can come out empty when the machine crashes.
    return text === undefined || text === ""
      ? undefined
      : (parseStored(mark, text) as unknown as OperationKey);
  };
  const createdAt = (key: OperationKey): number | undefined => {
    const created = key && journal.read(key)?.created;
    return created && Date.parse(created.at);
  };
  /** Undefined where the mark is free. */
  const claimed = (mark: string): OperationKey | "ended" | undefined => {
    const active = keyIn(open, mark);
    if (active !== undefined) {
      const created = createdAt(active);
      return created !== undefined && now() - created > contentMemory ? "ended" : active;
    }
    const ended = keyIn(told, mark);
    if (ended === undefined) return undefined;
    return (createdAt(ended) ?? 0) > startedAt ? ended : "ended";
  };

  const recently = (mark: string): Claim["earlier"] => {
    const key = keyIn(told, mark);
    const created = key && journal.read(key)?.created;
    const isRecent = created !== undefined && now() - Date.parse(created.at) < day;
    return isRecent ? { id: created.serviceId, at: created.at } : undefined;
  };

  return {
    mark(key) {
      const mark = `id-${keyName(key)}.json`;
      open.put(mark, JSON.stringify(key), "fleeting");
      return mark;
    },
    claim(service, { digest, occurrence }, mint, freshness) {
      const name = hash([service.baseUrl, service.account ?? null, digest, occurrence]).slice(0, 40);
      // A mark of what ended stays, and a later generation stands beside it: taking it away would let two
      // processes claim the same content.
      let earlier: Claim["earlier"];
      for (let generation = 0; ; ) {
        const mark = `content-${name}-${generation}.json`;
        const known = claimed(mark);
        if (known === "ended" || (known !== undefined && freshness === "fresh")) {
          earlier = recently(mark) ?? earlier;
          generation += 1;
        } else if (known !== undefined) return { key: known, mark };
        else {
          const key = { ...service, id: mint() };
          if (!open.put(mark, JSON.stringify(key))) continue;
          // Another process may have claimed, declared and told between the look and the claim.
          if (told.get(mark) === undefined) return { key, mark, ...(earlier && { earlier }) };
          open.remove(mark);
        }
      }
    },
    release(mark) {
      const key = mark.startsWith("content-") ? keyIn(open, mark) : undefined;
      if (key !== undefined) told.put(mark, JSON.stringify(key));
      open.remove(mark);
    },
    uncertain() {
      const keys = open.names("").map((mark) => keyIn(open, mark));
      const operations = keys.map((key) => key && journal.read(key));
      return operations.filter(
        (operation) => operation !== undefined && isLost(operation, now()),
      ) as Operation[];
    },
    tidy() {
      for (const store of [open, told]) {
        const marks = store.names("");
        for (const mark of marks) {
          const key = keyIn(store, mark);
          const created = key && createdAt(key);
          const isForgotten = store === told && key !== undefined && journal.read(key) === undefined;
          const isOld = created !== undefined && now() - created > markMemory;
          // A hole below a later generation would be claimed before it.
          if ((isOld || isForgotten) && !marks.includes(nextGeneration(mark))) store.remove(mark);
        }
      }
    },
  };
}

/** The mark beside which a later claim of the same content stands. */
function nextGeneration(mark: string): string {
  return mark.replace(/\d+(?=\.json$)/, (generation) => String(Number(generation) + 1));
}

/** Uncertain, and nobody can still be waiting for the answer. */
function isLost({ events, uncertain }: Operation, now: number): boolean {
  const last = events.at(-1);
  const waiting = last?.type === "sending" && Date.parse(last.at) + last.deadline > now;
  return uncertain !== undefined && !waiting;
}
