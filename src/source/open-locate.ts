// Locates the fields of a definition that is read already. Parses the file again for the first location: a valid file
// needs few, and parsed files take much memory.
import type { Locate } from "../diagnostic.ts";
import { Failure } from "../failure.ts";
import { decodeText } from "./decode.ts";
import type { SourceDocument } from "./documents.ts";
import { type FileDeps, readSource } from "./read-source.ts";

/** Returns, for the number of a valid document, the function that gives its locations. */
export function createOpenLocate(text: string, file: string): (index: number) => () => Promise<Locate> {
  let documents: Promise<ReadonlyMap<number, SourceDocument>> | undefined;
  return (index) => async () => {
    documents ??= parse(text, file);
    return ((await documents).get(index) as SourceDocument).locate;
  };
}

/** Reads a valid file again, and gives the locations in the document of this number. Throws a usage `Failure`. */
export async function locateAgain(deps: FileDeps, file: string, document: number): Promise<Locate> {
  const decoded = decodeText(readSource(deps, file));
  const found = "text" in decoded ? (await parse(decoded.text, file)).get(document) : undefined;
  if (found !== undefined) return found.locate;
  throw new Failure("usage", `${file} changed during this run`, { hint: "run the command again" });
}

async function parse(text: string, file: string): Promise<ReadonlyMap<number, SourceDocument>> {
  const { parseDocuments } = await import("./documents.ts");
  return new Map(parseDocuments(text, file).documents.map((document) => [document.index, document]));
}
