// The layout of a journal that 0.2.0 began: a ref for each log, and a second one while the log is unsettled. It is
// continued, so that 0.2.0 can still use the journal as well.
import { operationPrefix } from "../event-store.ts";
import type { Layout, LayoutDeps } from "./layout.ts";
import type { RefUpdate } from "./scratch-repository.ts";

export function createOldLayout({ repository, root }: LayoutDeps): Layout {
  const logs = `${root}/v1`;
  const open = `${logs}/open`;
  const refOf = (log: string) => `${logs}/${log.replace("-", "/")}`;
  const logOf = (ref: string) => ref.slice(logs.length + 1).replace("/", "-");
  /** Where the host forbids to delete a ref, a settled log stays in the list: readers look at the log. */
  let canDelete = true;

  const isDeletion = ({ from, to }: RefUpdate) => from !== undefined && to === undefined;

  return {
    format: 1,
    refOf,
    onlyLog: logOf,
    patternsOf: (refs) => refs.flatMap((ref) => [`${ref}*`, `${open}/${logOf(ref)}*`]),
    readLists: async () => true,
    async listUpdates(listed) {
      const refs = await repository.refs(open);
      // Of several events of a log, the last one counts.
      const last = new Map(listed.map((each) => [each.append.log, each]));
      return [...last.values()].flatMap(({ append: { isUnsettled, log }, commit }) => {
        const ref = `${open}/${log}`;
        const update = { ref, from: refs.get(ref), to: isUnsettled ? commit : undefined };
        return update.from === update.to || (isDeletion(update) && !canDelete) ? [] : [update];
      });
    },
    afterPush(updates, isDone) {
      if (isDone || !canDelete || !updates.some(isDeletion)) return false;
      canDelete = false;
      return true;
    },
    async unsettled() {
      await repository.fetch([`${open}/*`]);
      const refs = await repository.refs(open);
      return [...refs.keys()].map((ref) => ref.slice(open.length + 1)).sort();
    },
    logs: async (prefix) =>
      [...(await repository.remoteRefs(`${refOf(prefix)}*`)).values()].map(logOf).sort(),
    async newest(limit) {
      const refs = await repository.remoteRefs(`${refOf(operationPrefix)}*`);
      if (refs.size <= 1 || limit === Number.POSITIVE_INFINITY) return [...refs.values()].map(logOf);
      const newest = await repository.sortByAge([...refs.keys()]);
      return newest.slice(0, limit).map((commit) => logOf(refs.get(commit) as string));
    },
  };
}
