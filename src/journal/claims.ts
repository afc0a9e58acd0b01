// Finds the create of a content that has no id of its own, so that the same command run again continues the first run,
// or answers with its open incident. A claim is the first event of its operation, and the newest one counts.
import type { Claimed, OperationKey, OperationLog, ServiceKey } from "./events.ts";
import { emptyLog } from "./fold.ts";
import type { Journal } from "./journal.ts";
import { claimedFor, type Model } from "./model.ts";

/** Finds the incident that a finished operation declared; undefined where it is over. */
export type FindOpen<Open> = (log: OperationLog) => Promise<Open | undefined>;

export interface Claim<Open> {
  readonly key: OperationKey;
  /** The incident that this content declared before. */
  readonly open?: Open;
}

export interface ClaimRequest<Open> {
  readonly claim: Claimed;
  readonly createId: () => string;
  /** `--new`: always another operation. */
  readonly isNew: boolean;
  readonly findOpen: FindOpen<Open>;
}

/** The operation with this content that is unfinished, or whose incident is open, or else a new one. */
export async function claimContent<Open>(
  journal: Pick<Journal, "append" | "model">,
  service: ServiceKey,
  { claim, createId, findOpen, isNew }: ClaimRequest<Open>,
  at: () => string,
): Promise<Claim<Open>> {
  for (;;) {
    const log = claimedFor(await journal.model(service), claim);
    if (log !== undefined && !isNew) {
      if (log.created === undefined) return { key: log.key };
      const open = await findOpen(log);
      if (open !== undefined) return { key: log.key, open };
    }
    const key = { ...service, id: createId() };
    const isNewest = (model: Model) => claimedFor(model, claim)?.key.id === log?.key.id;
    const event = { type: "claimed", at: at(), claim } as const;
    const { result } = await journal.append(emptyLog(key), event, isNewest);
    if (result === "ours") return { key };
  }
}
