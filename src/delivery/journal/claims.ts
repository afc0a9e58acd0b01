// Which creates without an id of their own are under way, findable by their content, so that the same command run
// again takes up what the first began; and which were told, so that the next one is another incident.
import type { CreateBody } from "../../incident/wire.ts";
import type { OperationKey } from "./events.ts";
import type { Store } from "./folder-store.ts";
import { hash, type Journal } from "./journal.ts";
import { parseStored } from "./journal-errors.ts";

const day = 24 * 60 * 60 * 1000;

/** A finished create whose run was never told answers for its content no longer than this. */
const contentMemory = 7 * day;

/** A claim of something that ended is kept no longer than this. */
const claimMemory = 90 * day;

export interface ClaimsOptions {
  readonly journal: Journal;
  readonly store: Store;
  readonly now: () => number;
  /** When this process started, in milliseconds since the epoch. */
  readonly startedAt: number;
}

type ServiceKey = Pick<OperationKey, "baseUrl" | "account">;

export interface Claim {
  readonly key: OperationKey;
  /** What to release it by. */
  readonly name: string;
  /** An incident with this content that was declared not long ago, and told: this is another. */
  readonly earlier?: { readonly id: string; readonly at: string };
}

export interface Claims {
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
  release(name: string): void;
  /** Forgets what ended long ago. */
  tidy(): void;
}

/** The digest of what would be sent, whatever its id. */
export function digestOf(body: CreateBody): string {
  return hash({ ...body, id: undefined });
}

export function createClaims({ journal, now, startedAt, store }: ClaimsOptions): Claims {
  const keyUnder = (file: string): OperationKey | undefined => {
    const text = store.get(file);
    return text === undefined ? undefined : (parseStored(file, text) as unknown as OperationKey);
  };
  const createdAt = (key: OperationKey): number | undefined => {
    const created = journal.read(key)?.created;
    return created && Date.parse(created.at);
  };
  const isTold = (name: string, { id }: OperationKey) => keyUnder(toldFile(name))?.id === id;
  /** Undefined where the name is free. */
  const claimed = (name: string): OperationKey | "ended" | undefined => {
    const key = keyUnder(claimFile(name));
    if (key === undefined) return undefined;
    const created = createdAt(key);
    if (isTold(name, key)) return (created ?? 0) > startedAt ? key : "ended";
    return created !== undefined && now() - created > contentMemory ? "ended" : key;
  };

  const recently = (name: string): Claim["earlier"] => {
    const key = keyUnder(claimFile(name));
    const created = key && journal.read(key)?.created;
    const isRecent = created !== undefined && now() - Date.parse(created.at) < day;
    return isRecent ? { id: created.serviceId, at: created.at } : undefined;
  };

  return {
    claim(service, { digest, occurrence }, mint, freshness) {
      const content = hash([service.baseUrl, service.account ?? null, digest, occurrence]).slice(0, 40);
      // A claim that ended stays, and a later generation stands beside it: taking it away would let two
      // processes claim the same content.
      let earlier: Claim["earlier"];
      for (let generation = 0; ; ) {
        const name = `${content}-${generation}`;
        const known = claimed(name);
        if (known === "ended" || (known !== undefined && freshness === "fresh")) {
          earlier = recently(name) ?? earlier;
          generation += 1;
        } else if (known !== undefined) return { key: known, name };
        else {
          const key = { ...service, id: mint() };
          if (store.put(claimFile(name), JSON.stringify(key)))
            return { key, name, ...(earlier && { earlier }) };
        }
      }
    },
    release(name) {
      if (store.alias(claimFile(name), toldFile(name))) return;
      // A told name without its claim is what a process left that died while it tidied.
      const key = keyUnder(claimFile(name));
      if (key === undefined || isTold(name, key)) return;
      store.remove(toldFile(name));
      store.alias(claimFile(name), toldFile(name));
    },
    tidy() {
      const names = store.names(claimPrefix).map((file) => file.slice(claimPrefix.length, -".json".length));
      for (const name of names) {
        const key = keyUnder(claimFile(name));
        if (key === undefined) continue;
        const created = createdAt(key);
        const isForgotten = journal.read(key) === undefined && isTold(name, key);
        const isOld = created !== undefined && now() - created > claimMemory;
        // A hole below a later generation would be claimed before it.
        if ((!isOld && !isForgotten) || names.includes(nextGeneration(name))) continue;
        store.remove(claimFile(name));
        store.remove(toldFile(name));
      }
    },
  };
}

const claimPrefix = "claim-";

function claimFile(name: string): string {
  return `${claimPrefix}${name}.json`;
}

function toldFile(name: string): string {
  return `told-${name}.json`;
}

/** The name beside which a later claim of the same content stands. */
function nextGeneration(name: string): string {
  return name.replace(/\d+$/, (generation) => String(Number(generation) + 1));
}
