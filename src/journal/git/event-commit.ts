// An event as a commit, and the logs of a ref from its chain of commits. The message is the event as JSON, the tree is
// empty, and the parent is the commit before it in the same ref. A ref holds several logs, so that each event names its
// own.
import { Failure } from "../../failure.ts";
import { fieldOf, isMapping, parseJson } from "../../untrusted-data.ts";
import type { Append, StoredEvent } from "../event-store.ts";
import { newerEntry } from "../journal-errors.ts";

/** The format of the journal, and the first version that reads it. */
const format = { incident: 1, readBy: "0.2.0" } as const;

/** An event that is to be appended. */
export interface EventRecord extends Append {
  /** Whether the event replaces those before it. */
  readonly isBeginning: boolean;
  /** A random id, by which the writer finds the event again in any commit. Two equal commits would both win. */
  readonly nonce: string;
}

/** An event in the store. */
interface EventCommit extends Omit<EventRecord, "isUnsettled"> {
  /** Milliseconds since the epoch, by the clock of the writer. */
  readonly at: number;
}

export function renderEvent(
  at: number,
  { event, isBeginning, isUnsettled, log, nonce, number }: EventRecord,
): string {
  const record = { log, at, ...(isBeginning && { isBeginning }), number, isUnsettled, nonce, event };
  return JSON.stringify({ ...format, ...record });
}

/** The logs of a part of the journal: those that are unsettled, and the newest of operations with their times. */
export interface LogList {
  readonly open: readonly string[];
  readonly newest: readonly (readonly [log: string, at: number])[];
}

export function renderList({ newest, open }: LogList, nonce: string): string {
  return JSON.stringify({ ...format, nonce, open, newest });
}

/** The additions of a push to an index of ids. */
export interface IdEntries {
  /** Whether the index has no entries before these. */
  readonly isBeginning: boolean;
  readonly ids: readonly (readonly [digest: string, log: string])[];
}

export function renderIds({ ids, isBeginning }: IdEntries, nonce: string): string {
  return JSON.stringify({ ...format, nonce, ...(isBeginning && { isBeginning }), ids });
}

/** No pipeline runs for it where the journal's refs are branches. */
const skipPipeline = "[skip ci]";

/** `tree` is the id of the empty tree, and `time` in seconds since the epoch. */
export function renderCommit(
  record: string,
  {
    parent,
    time,
    tree,
  }: { readonly tree: string; readonly parent: string | undefined; readonly time: number },
): string {
  const author = `incident <incident@localhost> ${time} +0000`;
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

/** A commit of the journal, before its content is read. */
export interface RawCommit {
  readonly id: string;
  readonly parent: string | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

/** By the id. */
export type RawCommits = ReadonlyMap<string, RawCommit>;

export function parseCommits(listing: string): RawCommits {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the separators of `commitFormat`.
  const commits = listing.matchAll(/\x01([0-9a-f]+)\x02([^\x02]*)\x02([^\x03]*)\x03/g);
  return new Map(
    [...commits].map(([, id = "", parents = "", message = ""]) => {
      const parent = parents.split(" ")[0] || undefined;
      const record = parseJson(message.slice(0, message.indexOf("\n")));
      return [id, { id, parent, record: isMapping(record) ? record : {} }];
    }),
  );
}

/** Throws a `Failure` "usage" for a commit that is no event. */
export function eventOf({ id, record }: RawCommit): EventCommit {
  const { at = 0, event, isBeginning = false, log, nonce, number } = record;
  checkFormat(id, record);
  if (typeof log !== "string" || typeof number !== "number" || !isEvent(event))
    throw untrustedCommit(id, changed);
  return {
    number,
    event,
    log,
    nonce: String(nonce),
    isBeginning: isBeginning === true,
    at: Number(at),
  };
}

/** The events of a log that pruning has left. */
export interface Chain {
  readonly first: number;
  readonly commits: readonly Pick<EventCommit, "event" | "nonce">[];
  /** When its first event was written, by the clock of the writer. */
  readonly began: number;
}

export const emptyChain: Chain = { first: 0, commits: [], began: 0 };

/** The number of the event that comes next. */
export function endOf({ commits, first }: Chain): number {
  return first + commits.length;
}

export function withEvent(chain: Chain, commit: Omit<EventCommit, "log">): Chain {
  const began = chain.commits.length === 0 ? commit.at : chain.began;
  if (commit.isBeginning) return { first: commit.number, commits: [commit], began };
  return { first: chain.first, commits: [...chain.commits, commit], began };
}

/** By the name of the log. Throws a `Failure` where the events of a log do not follow each other. */
export function chainsOf(tip: string | undefined, known: RawCommits): Map<string, Chain> {
  const commits: RawCommit[] = [];
  for (let id = tip; id !== undefined; ) {
    const commit = known.get(id);
    if (commit === undefined) throw untrustedCommit(id, "it is gone, and commits after it are not");
    commits.push(commit);
    id = commit.parent;
  }
  const chains = new Map<string, Chain>();
  for (const raw of commits.reverse()) {
    const commit = eventOf(raw);
    const chain = chains.get(commit.log) ?? emptyChain;
    if (commit.number !== endOf(chain)) throw untrustedCommit(raw.id, "its number does not follow");
    chains.set(commit.log, withEvent(chain, commit));
  }
  return chains;
}

/** Throws a `Failure` "usage" for a commit that is no list. */
export function listOf({ id, record }: RawCommit): LogList {
  const { newest, open } = record;
  checkFormat(id, record);
  if (!isListOf(newest, isTimedName) || !isListOf(open, isName)) throw untrustedCommit(id, changed);
  return { newest, open };
}

/** Throws a `Failure` "usage" for a commit that adds to no index. */
export function idEntriesOf({ id, record }: RawCommit): IdEntries {
  const { ids, isBeginning } = record;
  checkFormat(id, record);
  if (!isListOf(ids, isNamedId)) throw untrustedCommit(id, changed);
  return { ids, isBeginning: isBeginning === true };
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isName(value: unknown): value is string {
  return typeof value === "string";
}

function isTimedName(value: unknown): value is LogList["newest"][number] {
  return Array.isArray(value) && isName(value[0]) && Number.isFinite(value[1]);
}

function isNamedId(value: unknown): value is IdEntries["ids"][number] {
  return Array.isArray(value) && isName(value[0]) && isName(value[1]);
}

const changed = "it is not an event, or was changed";

function checkFormat(id: string, { incident, readBy }: RawCommit["record"]): void {
  if (incident === format.incident) return;
  if (typeof incident === "number") throw newerEntry(`commit ${id}`, readBy);
  throw untrustedCommit(id, changed);
}

function untrustedCommit(id: string, reason: string): Failure {
  return new Failure("usage", `the commit ${id} of the journal cannot be trusted: ${reason}`, {
    hint: "this run sent nothing, but an earlier one may have: look for the incident, at the status page or with incident get, and find out who pushed to the journal's refs",
  });
}

function isEvent(value: unknown): value is StoredEvent {
  return typeof fieldOf(value, "writer") === "string";
}
