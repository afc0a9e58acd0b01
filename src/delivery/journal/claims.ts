// Finds the unfinished create of a content that has no id of its own, so that the same command run again continues
// the first run. A claim is an event in a log named by service and content: the last one names the operation, and the
// next is appended, exclusively, once that operation is acknowledged.
import type { CreateBody } from "../../incident/wire.ts";
import type { System } from "../../platform/context.ts";
import type { StoredEvent } from "./event-store.ts";
import type { OperationKey, OperationLog, ServiceKey } from "./events.ts";
import { appendSurely, hash, type Journal, type JournalDeps } from "./journal.ts";
import { untrusted } from "./journal-errors.ts";

/** A log of claims is pruned to its last one when it is longer. */
const longestLog = 20;

export interface ClaimsDeps extends JournalDeps {
  readonly journal: Journal;
  readonly system: Pick<System, "bootTime">;
  /** What a journal of 0.1.0 says about a content. */
  readonly readOldClaim: (content: string) => OldClaim | undefined;
}

export interface OldClaim {
  readonly key: OperationKey;
  readonly isAcknowledged: boolean;
}

export interface Claim {
  readonly key: OperationKey;
  /** An operation with the same content that was declared and acknowledged before: this is another incident. */
  readonly earlier?: { readonly id: string; readonly at: string };
}

export interface ClaimedContent {
  readonly digest: string;
  /** Tells apart equal contents of one command, from 1. */
  readonly occurrence: number;
}

export interface Claims {
  /**
   * The unfinished operation with this content, or a new one with an id by `createId`; with `isNew` always a new
   * one. An operation that was acknowledged while this process was already running counts as unfinished: both were
   * asked for the same incident.
   */
  claim(service: ServiceKey, content: ClaimedContent, createId: () => string, isNew: boolean): Promise<Claim>;
}

/** The digest of a body without its id. */
export function digestOf(body: CreateBody): string {
  return hash({ ...body, id: undefined });
}

export function createClaims(deps: ClaimsDeps): Claims {
  const { journal, readOldClaim, store, writer } = deps;

  function isFinished({ acknowledged, state }: OperationLog): boolean {
    if (acknowledged === undefined || state !== "created") return false;
    const { bootTime } = acknowledged;
    const started = bootTime && deps.system.bootTime("start");
    return started === undefined || bootTime?.boot !== started.boot || bootTime.elapsed <= started.elapsed;
  }

  return {
    async claim(service, { digest, occurrence }, createId, isNew) {
      const content = hash([service.baseUrl, service.account ?? null, digest, occurrence]).slice(0, 40);
      const name = `claim-${content}`;
      for (;;) {
        const { events, first } = await store.read(name);
        const last = events.at(-1);
        const old = last === undefined ? readOldClaim(content) : undefined;
        const current = last === undefined ? old?.key : parseClaim(name, last);
        let earlier: Claim["earlier"];
        if (current !== undefined) {
          const log = await journal.read(current);
          const isOver = old?.isAcknowledged === true || isFinished(log);
          if (!isOver && !isNew) return { key: current };
          if (log.created !== undefined) earlier = { id: log.created.serviceId, at: log.created.at };
        }
        const key = { ...service, id: createId() };
        const event = { writer: writer(), claim: key };
        // Nothing is sent before the `sending` event is durable, and the claim with it.
        const append = { log: name, number: first + events.length, event, isDeferred: true };
        if (events.length >= longestLog) {
          if ((await store.prune(append)) === "ours") return { key, ...(earlier && { earlier }) };
        } else if ((await appendSurely(deps, { ...append, isUnsettled: false })) === "ours") {
          return { key, ...(earlier && { earlier }) };
        }
      }
    },
  };
}

function parseClaim(name: string, { claim }: StoredEvent): OperationKey {
  const isKey = typeof claim === "object" && claim !== null && "baseUrl" in claim && "id" in claim;
  if (isKey) return claim as OperationKey;
  throw untrusted(name, "it was changed");
}
