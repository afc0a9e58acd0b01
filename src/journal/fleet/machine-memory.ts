// The last entry of each sequence of a shared journal that this machine has seen. A journal that lacks it, and has no snapshot
// that names it, was rolled back. Each entry is the name of a file, so that no process replaces a later one.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import { shortDigest } from "../../text/json-digest.ts";
import { type FolderDeps, openPrivateFolder } from "../folder/private-files.ts";
import { namedWriters } from "../model.ts";
import type { Tail } from "../sequence.ts";

/** An entry; `writer` is a digest of the id of its writer. */
export interface Seen {
  readonly number: number;
  readonly writer: string;
}

export type MachineMemory = ReturnType<typeof openMachineMemory>;

/** Of the journal with this name, in the state directory `root`. */
export function openMachineMemory(deps: FolderDeps, root: string, journal: string) {
  const folder = openPrivateFolder(deps, join(root, "seen", shortDigest(journal)));
  const all = () =>
    folder.names().flatMap((name) => {
      const [, sequence = "", number, writer = ""] = /^([a-z0-9]+)-(\d+)-([0-9a-f]+)$/.exec(name) ?? [];
      return sequence === "" ? [] : [{ name, sequence, number: Number(number), writer }];
    });
  const of = (sequence: string) =>
    all()
      .filter((each) => each.sequence === sequence)
      .sort((one, other) => other.number - one.number);
  const names = () => [...new Set(all().map(({ sequence }) => sequence))];
  return {
    last: (sequence: string): Seen | undefined => of(sequence)[0],
    names,
    /** Durable when it returns. */
    remember(sequence: string, { number, writer }: Seen): void {
      const before = of(sequence);
      if ((before[0]?.number ?? -1) >= number) return;
      folder.create(`${sequence}-${number}-${writer}`, "\n");
      for (const { name } of before) folder.remove(name);
    },
    /** Forgets all, and gives the number of the sequences: a person goes on with the journal as it is. */
    accept() {
      const { length } = names();
      for (const { name } of all()) folder.remove(name);
      return length;
    },
  };
}

/** Whether the sequence, read from its beginning or its newest snapshot, has the entry. */
export function hasSeen({ entries, first }: Tail, { number, writer }: Seen): boolean {
  if (number >= first) return shortDigest(entries[number - first]?.writer) === writer;
  const named = entries[0]?.writers;
  if (!Array.isArray(named)) return false;
  return first - number > namedWriters || named.some((each) => shortDigest(each) === writer);
}

export function rolledBack(place: string): Failure {
  return new Failure("uncertain", `the journal was rolled back: it lacks ${place}, which was there`, {
    hint: "nothing was sent; a later run may send again what it lost: compare it with the status page, then go on with what it has: incident journal accept",
    commands: [{ command: "incident journal accept", purpose: "go on with the journal as it is" }],
  });
}
