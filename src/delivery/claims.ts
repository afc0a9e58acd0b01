// Which creates without an id of their own are under way, findable by their content, so that the same command run
// again takes up what the first began; and which were told, so that the next one is another incident.
import type { CreateBody } from "../incident/wire.ts";
import { hash, type Journal } from "./journal.ts";
import type { OperationKey } from "./operation.ts";
import { parseStored, type Store } from "./store.ts";

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
  /** Undefined where the name is free. */
  const claimed = (name: string): OperationKey | "ended" | undefined => {
    const open = keyUnder(openFile(name));
    if (open !== undefined) {
      const created = createdAt(open);
      return created !== undefined && now() - created > contentMemory ? "ended" : open;
    }
    // Looked for after the open one, which becomes this one in a single step.
    const told = keyUnder(toldFile(name));
    if (told === undefined) return undefined;
    return (createdAt(told) ?? 0) > startedAt ? told : "ended";
  };

  const recently = (name: string): Claim["earlier"] => {
    const key = keyUnder(toldFile(name));
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
          if (!store.put(openFile(name), JSON.stringify(key))) continue;
          // Another process may have claimed, declared and told between the look and the claim.
          if (store.get(toldFile(name)) === undefined) return { key, name, ...(earlier && { earlier }) };
          store.remove(openFile(name));
        }
      }
    },
    release: (name) => store.rename(openFile(name), toldFile(name)),
    tidy() {
      const files = [...store.names(openPrefix), ...store.names(toldPrefix)];
      const names = new Set(files.map(nameOf));
      for (const file of files) {
        const key = keyUnder(file);
        const created = key && createdAt(key);
        const isForgotten =
          file.startsWith(toldPrefix) && key !== undefined && journal.read(key) === undefined;
        const isOld = created !== undefined && now() - created > claimMemory;
        // A hole below a later generation would be claimed before it.
        const [content, generation] = nameOf(file).split("-");
        if ((isOld || isForgotten) && !names.has(`${content}-${Number(generation) + 1}`)) store.remove(file);
      }
    },
  };
}

const openPrefix = "open-";
const toldPrefix = "told-";

function openFile(name: string): string {
  return `${openPrefix}${name}.json`;
}

function toldFile(name: string): string {
  return `${toldPrefix}${name}.json`;
}

function nameOf(file: string): string {
  return file.slice(openPrefix.length, -".json".length);
}
