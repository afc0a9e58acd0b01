// Finds logs by the ids of their operations: refs to which a push adds the ids of its events, in the same step. The newest
// commits are read with the lists, and the others only for a search.
import type { Append } from "../event-store.ts";
import { idDigest, idDigestsOf } from "../operation-ids.ts";
import { idEntriesOf, renderIds } from "./event-commit.ts";
import type { RefUpdate, ScratchRepository } from "./scratch-repository.ts";

export interface IdIndexDeps {
  readonly repository: ScratchRepository;
  readonly root: string;
  readonly nonce: () => string;
}

/**
 * The names of the refs, by the first digit of a digest: with 100,000 creates, up to 12,500 commits each. The push that
 * begins the journal begins all, and no other one does: a ref that is absent was lost.
 */
const digits = [..."0123456789abcdef"];

/** To git, all commits, also of a ref whose newest is here. */
const allCommits = 2_147_483_647;

export function createIdIndex({ nonce, repository, root }: IdIndexDeps) {
  const refOf = (digest: string) => `${root}/${digest.charAt(0)}`;

  return {
    root,
    /** `tips` are the newest commits by their refs. */
    async updates(
      listed: readonly { readonly append: Pick<Append, "event" | "log"> }[],
      tips: ReadonlyMap<string, string>,
      { isBeginning }: { readonly isBeginning: boolean },
    ): Promise<readonly RefUpdate[]> {
      const all = listed.flatMap(({ append }) =>
        idDigestsOf(append).map((digest) => [digest, append.log] as const),
      );
      const updates: RefUpdate[] = [];
      for (const ref of isBeginning ? digits.map(refOf) : tips.keys()) {
        const ids = all.filter(([digest]) => refOf(digest) === ref);
        if (ids.length === 0 && !isBeginning) continue;
        const from = tips.get(ref);
        updates.push({
          ref,
          from,
          to: await repository.write(renderIds({ ids, isBeginning }, nonce()), from),
        });
      }
      return updates;
    },
    /** Undefined where only reading all logs tells. */
    async find(id: string): Promise<readonly string[] | undefined> {
      const digest = idDigest(id);
      const ref = refOf(digest);
      await repository.fetch([`${ref}*`], { depth: allCommits });
      const tip = (await repository.refs(ref)).get(ref);
      if (tip === undefined) return undefined;
      const entries = [...(await repository.commits([tip])).values()].map(idEntriesOf);
      // Without its beginning, it may lack some.
      if (!entries.some(({ isBeginning }) => isBeginning)) return undefined;
      const found = entries.flatMap(({ ids }) => ids).filter(([each]) => each === digest);
      return [...new Set(found.map(([, log]) => log))];
    },
  };
}
