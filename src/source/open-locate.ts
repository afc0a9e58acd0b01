// Locates the fields of a definition that is read already. Parses the file again for the first location: a valid file
// needs few, and parsed files take much memory.
import type { Locate } from "../diagnostic.ts";
import type { SourceDocument } from "./documents.ts";

/** Returns, for the number of a valid document, the function that gives its locations. */
export function createOpenLocate(text: string, file: string): (index: number) => () => Promise<Locate> {
  let documents: Promise<ReadonlyMap<number, SourceDocument>> | undefined;
  return (index) => async () => {
    documents ??= parse(text, file);
    return ((await documents).get(index) as SourceDocument).locate;
  };
}

async function parse(text: string, file: string): Promise<ReadonlyMap<number, SourceDocument>> {
  const { parseDocuments } = await import("./documents.ts");
  return new Map(parseDocuments(text, file).documents.map((document) => [document.index, document]));
}
