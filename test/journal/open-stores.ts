// The store over each kind of sequences, with the clock of this machine, for tests of the store alone.
import type { EventStore } from "../../src/journal/event-store.ts";
import type { FileDeps } from "../../src/journal/folder/private-files.ts";
import { createGitSequences, openGit } from "../../src/journal/git/sequences.ts";
import { createMemorySequences } from "../../src/journal/memory-sequences.ts";
import { openFolderStore } from "../../src/journal/open-store.ts";
import type { Session } from "../../src/journal/postgres/connection.ts";
import { createPostgresSequences } from "../../src/journal/postgres/sequences.ts";
import type { PostgresServer } from "../../src/journal/postgres/server.ts";
import type { Sequences } from "../../src/journal/sequence.ts";
import { createSequenceStore, type SequenceDeps } from "../../src/journal/sequence-store.ts";
import { machineClock } from "../harness/incident.ts";

const own: SequenceDeps["system"] = {
  clock: machineClock,
  random: { guid: () => crypto.randomUUID(), fraction: Math.random },
  signal: new AbortController().signal,
};

export function openSequences(
  sequences: Sequences,
  system: Partial<SequenceDeps["system"]> = {},
): EventStore {
  return createSequenceStore({ system: { ...own, ...system } }, sequences);
}

export const createMemoryStore = (): EventStore => openSequences(createMemorySequences());

export function createFolderStore(deps: FileDeps, root: string): EventStore {
  return openFolderStore({ files: deps.files, system: { ...own, ...deps.system } }, root);
}

export async function createGitStore(...[deps, ...rest]: Parameters<typeof openGit>): Promise<EventStore> {
  return openSequences(await openGit(deps, ...rest), deps.system);
}

export function createStoreAt(...[deps, ...rest]: Parameters<typeof createGitSequences>): EventStore {
  return openSequences(createGitSequences(deps, ...rest), deps.system);
}

export function createPostgresStore(given: { readonly server: PostgresServer; readonly session: Session }) {
  return openSequences(createPostgresSequences(given.server, given.session));
}
