// The creates that were sent from this machine, with the journal in its folder. Completion needs them. A
// sequence that cannot be read is left out.
import type { System } from "../platform/context.ts";
import type { FileDeps } from "./folder/private-files.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createJournal } from "./journal.ts";
import { type Model, recent } from "./model.ts";

interface FolderDeps extends FileDeps {
  readonly system: Pick<System, "clock" | "random" | "signal" | "user">;
}

const maxIds = 50;

/** The newest first, without those that are past, which have no text. */
export async function readRecentIds(deps: FolderDeps, folder: string) {
  const { system } = deps;
  const sequences = createFolderSequences(deps, folder);
  const journal = createJournal({ system, writer: system.random.guid, sequences });
  const { models } = await journal.models().catch(() => ({ models: [] as readonly Model[] }));
  return models
    .toSorted((one, other) => other.began - one.began)
    .flatMap(recent)
    .flatMap(({ change, key, name }) => (change || name === undefined ? [] : [{ id: key.id, name }]))
    .slice(0, maxIds);
}
