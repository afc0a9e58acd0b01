// Sequences as folders, with a file for each entry. Linking its name is exclusive, so it is the compare-and-swap. Another file
// says at which snapshot the sequence begins: the names before it are free.
import { join } from "node:path";
import { isMapping, parseJson } from "../../untrusted-data.ts";
import { untrusted } from "../journal-errors.ts";
import type { Entry, Sequence, Sequences, Tail } from "../sequence.ts";
import { type FolderDeps, openPrivateFolder, type PrivateFolder } from "./private-files.ts";

const beginning = ".begins";
const nameOf = (number: number, suffix = ".json") => `${String(number).padStart(8, "0")}${suffix}`;

/** In the state directory `root`, which is made when the first entry is appended. */
export function createFolderSequences(deps: FolderDeps, root: string): Sequences {
  const all = join(root, "journal");
  return {
    names: async () =>
      openPrivateFolder(deps, all)
        .names()
        .filter((name) => /^[a-z0-9]+$/.test(name)),
    open: (name) => createSequence(openPrivateFolder(deps, join(all, name)), `journal/${name}`),
  };
}

function createSequence(folder: PrivateFolder, shown: string): Sequence {
  const place = (number: number) => `file ${shown}/${nameOf(number)}`;
  const firstNumber = () => {
    const names = folder.names().filter((name) => /^\d+\.begins$/.test(name));
    return Math.max(0, ...names.map(Number.parseFloat));
  };

  function read(from: number): Tail {
    const first = Math.max(from, firstNumber());
    const entries: Entry[] = [];
    for (;;) {
      const number = first + entries.length;
      const text = folder.read(nameOf(number));
      if (text === undefined) break;
      const entry = parseJson(text);
      if (!isMapping(entry)) throw untrusted(place(number), "it is torn or was changed");
      entries.push(entry as Entry);
    }
    // Another process may have dropped some meanwhile.
    const begins = firstNumber();
    if (begins > first) return read(from);
    if (begins === first && begins > 0 && entries.length === 0) {
      // Or appended it, and said that the sequence begins with it.
      if (folder.exists(nameOf(begins))) return read(from);
      throw untrusted(`file ${shown}/${nameOf(begins, beginning)}`, "the entry that it names is gone");
    }
    const end = first + entries.length;
    if (!folder.names().some((name) => Number.parseFloat(name) > end)) return { first, entries };
    // Other processes may have appended both since the first was read.
    if (folder.exists(nameOf(end))) return read(from);
    throw untrusted(place(end), "it is gone, and what came after it is not");
  }

  return {
    mayDrop: () => true,
    place,
    read: async (from) => read(from),
    async append(at, entry) {
      const name = nameOf(at);
      if (!folder.create(name, `${JSON.stringify(entry)}\n`)) return "taken";
      if (firstNumber() <= at) return "ours";
      // The name was free because its entry was dropped.
      folder.remove(name);
      return "taken";
    },
    async drop(at) {
      folder.create(nameOf(at, beginning), "\n");
      for (const name of folder.names()) if (Number.parseFloat(name) < at) folder.remove(name);
    },
  };
}
