// An event as a commit: its message is the event as JSON, its tree is empty, and its parent is the event before it.
import { Failure } from "../../failure.ts";
import type { StoredEvent } from "../event-store.ts";
import { newerEntry } from "../journal-errors.ts";

/** The format of a commit. A newer one names the first version of incident that reads it: `readBy`. */
const formatVersion = 1;

export interface EventRecord {
  readonly number: number;
  /** Whether the log is unsettled while this event is its last. */
  readonly isUnsettled: boolean;
  readonly event: StoredEvent;
}

/** An event in the store. `id` is the commit's. */
export interface EventCommit extends EventRecord {
  readonly id: string;
  /** Undefined for the first event of a log, and for one that replaces those before it. */
  readonly parent: string | undefined;
}

export interface CommitOptions {
  /** The id of the empty tree. */
  readonly tree: string;
  readonly parent: string | undefined;
  /** Seconds since the epoch. */
  readonly time: number;
  /** Two commits that are equal would both win, so each has a text of its own. */
  readonly nonce: string;
}

/** No pipeline runs for it where the journal's refs are branches. */
const skipPipeline = "[skip ci]";

export function renderCommit({ number, isUnsettled, event }: EventRecord, options: CommitOptions): string {
  const { nonce, parent, time, tree } = options;
  const author = `incident <incident@localhost> ${time} +0000`;
  const record = JSON.stringify({ incident: formatVersion, number, isUnsettled, nonce, event });
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${author}`,
    `committer ${author}`,
  ];
  return `${lines.join("\n")}\n\n${record}\n\n${skipPipeline}\n`;
}

/** Of `git rev-list`: the id, the parents and the message of each commit, between characters that JSON escapes. */
export const commitFormat = "--format=%x01%H%x02%P%x02%B%x03";

/** By the id; a `Failure` "usage" for a commit that is not an event. */
export type EventCommits = ReadonlyMap<string, EventCommit | Failure>;

export function parseCommits(listing: string): EventCommits {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of `commitFormat`.
  const commits = listing.matchAll(/\x01([0-9a-f]+)\x02([^\x02]*)\x02([^\x03]*)\x03/g);
  return new Map(
    [...commits].map(([, id = "", parents = "", message = ""]) => [id, parseCommit(id, parents, message)]),
  );
}

function parseCommit(id: string, parents: string, message: string): EventCommit | Failure {
  const { event, incident, isUnsettled, number, readBy } =
    parseRecord(message.slice(0, message.indexOf("\n"))) ?? {};
  if (typeof incident === "number" && incident > formatVersion) return newerEntry(`commit ${id}`, readBy);
  if (incident !== formatVersion || typeof number !== "number" || !isEvent(event))
    return untrustedCommit(id, "it is not an event, or was changed");
  const [parent] = parents.split(" ");
  return { id, parent: parent || undefined, number, isUnsettled: isUnsettled === true, event };
}

export function untrustedCommit(id: string, reason: string): Failure {
  return new Failure("usage", `the commit ${id} of the journal cannot be trusted: ${reason}`, {
    hint: "this run sent nothing, but an earlier one may have: look for the incident, at the status page or with incident get, and find out who pushed to the journal's refs",
  });
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null && "writer" in value && typeof value.writer === "string";
}
