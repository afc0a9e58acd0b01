// Notes of the previews that this machine showed, so that a confirmation that does not fit can name the difference. A
// convenience: no decision depends on them, and where they cannot be written, nothing else changes.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { FileDeps } from "../../journal/folder/private-files.ts";
import { openPrivateFolder } from "../../journal/folder/private-files.ts";
import { digestOf, type Proposal } from "./digest.ts";

/** The most notes that are kept, the newest. */
const mostNotes = 20;

export interface Previews {
  keep(proposal: Proposal): void;
  find(digest: string): Proposal | undefined;
}

export function openPreviews(context: FileDeps, stateDirectory: string): Previews {
  const folder = openPrivateFolder(context, stateDirectory, join(stateDirectory, "previews"), {
    isDurable: false,
  });
  const nameOf = (digest: string) => `${digest.replace(":", "-")}.json`;
  return {
    keep: (proposal) =>
      attempt(() => {
        folder.replace(nameOf(digestOf(proposal)), JSON.stringify(proposal));
        const byAge = [...folder.names()].sort(
          (one, other) => (folder.writtenAt(other) ?? 0) - (folder.writtenAt(one) ?? 0),
        );
        for (const name of byAge.slice(mostNotes)) folder.remove(name);
      }),
    find: (digest) =>
      attempt(() => {
        const text = folder.read(nameOf(digest));
        const proposal: Proposal | undefined = text === undefined ? undefined : JSON.parse(text);
        // A note that was changed says nothing about the preview.
        return proposal !== undefined && digestOf(proposal) === digest ? proposal : undefined;
      }),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}
