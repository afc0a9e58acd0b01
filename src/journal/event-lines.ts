// The files of a journal in a folder: their names, and the text of a file of events, which has a line for each event
// that was written together with others. The file has the name of each of them, and a line begins with its own.
import { join } from "node:path";
import type { Files } from "../platform/context.ts";
import { readNewestNames } from "../platform/name-list.ts";

/** Where the first events of creates are: a folder, and the list of its logs in their order. */
export interface SentPlace {
  readonly folder: string;
  readonly order: string;
}

/** In a state directory: the journal in the folder, and the texts that were sent with a shared journal. */
export const sentPlaces = {
  folder: { folder: "journal", order: "operations" },
  shared: { folder: "sent", order: "sent-operations" },
} as const satisfies Record<string, SentPlace>;

export function operationsFile(stateDirectory: string): string {
  return join(stateDirectory, sentPlaces.folder.order);
}

/** For readers that open no journal. Empty where it cannot be read. */
export function readNewestOperations(
  files: Files,
  stateDirectory: string,
  limit: number,
  { folder, order }: SentPlace,
): readonly string[] {
  try {
    const listed = readNewestNames(files, join(stateDirectory, order), limit);
    if (listed !== undefined) return listed;
    // The first command that writes after an update makes the list.
    const names = files.readdirSync(join(stateDirectory, folder));
    return names.flatMap((name) => /^(op-.*)-000\.json$/.exec(name)?.[1] ?? []).slice(0, limit);
  } catch {
    return [];
  }
}

export function eventName(log: string, number: number): string {
  return `${log}-${String(number).padStart(3, "0")}.json`;
}

/** Also of version 0.1.0. */
export function lineOf(name: string, event: object): string {
  return `${JSON.stringify({ file: name, ...event })}\n`;
}

/** The line of the event `name`. An event that was written alone may omit its name. */
export function findLine(name: string, text: string): string {
  const start = JSON.stringify({ file: name }).replace("}", ",");
  return text.split("\n").find((line) => line.startsWith(start)) ?? text;
}
