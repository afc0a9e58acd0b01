// An entry as a commit: the message is JSON, the tree is empty, and the parent is the commit before it.
import { isMapping, parseJson } from "../../untrusted-data.ts";

/** No pipeline runs for it where the journal's refs are branches. */
export function messageOf(record: string): string {
  return `${record}\n\n[skip ci]\n`;
}

/** Of `git rev-list`: the id, the parents and the message of each commit, between characters that JSON escapes. */
export const commitFormat = "--format=%x01%H%x02%P%x02%B%x03";

/** A commit of the journal, before its content is read. */
export interface RawCommit {
  readonly id: string;
  readonly parent: string | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

/** By the id. */
export type RawCommits = ReadonlyMap<string, RawCommit>;

export function parseCommits(listing: string): RawCommits {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of `commitFormat`.
  const commits = listing.matchAll(/\x01([0-9a-f]+)\x02([^\x02]*)\x02([^\x03]*)\x03/g);
  return new Map(
    [...commits].map(([, id = "", parents = "", message = ""]) => {
      const parent = parents.split(" ")[0] || undefined;
      const record = parseJson(message.slice(0, message.indexOf("\n")));
      return [id, { id, parent, record: isMapping(record) ? record : {} }];
    }),
  );
}
