// Locates the fields of a definition whose text is no longer in memory.
import type { Locate } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { parseSource } from "./documents.ts";
import { type FileDeps, readSource } from "./read-source.ts";

/** Reads a valid file again, and gives the locations in the document of this number. Throws a usage `Failure`. */
export function locateAgain(deps: FileDeps, file: string, document: number): Locate {
  const { documents } = parseSource(readSource(deps, file));
  const found = documents.find(({ index }) => index === document);
  if (found !== undefined) return found.locate;
  throw new Failure("usage", `${file} changed during this run`, { hint: "run the command again" });
}
