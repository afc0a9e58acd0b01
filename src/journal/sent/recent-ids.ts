// The ids and names of creates that were sent from here, for shell completion. It opens no journal, because it runs
// with every press of Tab.
import type { Files } from "../../platform/context.ts";
import { readSentRecords } from "./sent-records.ts";

export interface RecentId {
  readonly id: string;
  readonly name: string;
}

const maxIds = 50;

/** The newest first. */
export function readRecentIds(files: Files, stateDirectory: string): readonly RecentId[] {
  return [...readSentRecords(files, stateDirectory, maxIds)].flatMap(({ event, key }) => {
    const name = event?.content?.body?.name;
    return typeof key?.id === "string" && typeof name === "string" ? [{ id: key.id, name }] : [];
  });
}
