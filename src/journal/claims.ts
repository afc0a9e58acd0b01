// Finds the create of a content that has no id of its own, so that the same command run again continues the first run,
// or answers with its open incident. A claim is an event in a log named by service and content: the last one names the
// operation, and the next is appended, exclusively, once the incident of that operation is over.
import { jsonDigest } from "../text/json-digest.ts";
import { logPrefix, type StoredEvent } from "./event-store.ts";
import type { OperationKey, OperationLog, ServiceKey } from "./events.ts";
import { appendSurely, isKey, type Journal, type JournalDeps } from "./journal.ts";
import { untrusted } from "./journal-errors.ts";

export interface ClaimsDeps extends JournalDeps {
  readonly journal: Journal;
}

/** Finds the incident that a finished operation declared; undefined where it is over. */
export type FindOpen<Open> = (log: OperationLog) => Promise<Open | undefined>;

export interface Claim<Open> {
  readonly key: OperationKey;
  /** The incident that this content declared before. */
  readonly open?: Open;
}

export interface ClaimedContent {
  readonly digest: string;
  /** Tells apart equal contents of one command, from 1. */
  readonly occurrence: number;
}

export interface Claims {
  /** The operation that a create with this content continues or repeats, without a claim. */
  find(service: ServiceKey, content: ClaimedContent): Promise<OperationLog | undefined>;
  /**
   * The operation with this content that is unfinished, or whose incident is open, or else a new one with an id by
   * `createId`; with `isNew` a new one.
   */
  claim<Open>(
    service: ServiceKey,
    content: ClaimedContent,
    createId: () => string,
    isNew: boolean,
    findOpen: FindOpen<Open>,
  ): Promise<Claim<Open>>;
}

export function createClaims(deps: ClaimsDeps): Claims {
  const { journal, store, writer } = deps;

  /** The log of claims with this name, and the operation that its last claim names. */
  async function readClaim(name: string, isNew = false) {
    const { events, first } = await store.read(name);
    const last = events.at(-1);
    const log = last && !isNew ? await journal.read(parseClaim(name, last)) : undefined;
    return { next: first + events.length, log };
  }

  return {
    async find(service, { digest, occurrence }) {
      return (await readClaim(nameOf(service, digest, occurrence))).log;
    },
    async claim(service, content, createId, isNew, findOpen) {
      const name = nameOf(service, content.digest, content.occurrence);
      for (;;) {
        const { log, next } = await readClaim(name, isNew);
        if (log !== undefined && log.created === undefined) return { key: log.key };
        const open = log && (await findOpen(log));
        if (log !== undefined && open !== undefined) return { key: log.key, open };
        const key = { ...service, id: createId() };
        const event = { writer: writer(), claim: key };
        const append = { log: name, number: next, event, isUnsettled: false };
        const result = await appendSurely(deps, append);
        if (result === "ours") return { key };
      }
    },
  };
}

function nameOf(service: ServiceKey, digest: string, occurrence: number): string {
  return logPrefix("claim-", service) + jsonDigest([digest, occurrence]).slice(0, 40);
}

function parseClaim(name: string, { claim }: StoredEvent): OperationKey {
  if (isKey(claim)) return claim;
  throw untrusted(name, "it was changed");
}
