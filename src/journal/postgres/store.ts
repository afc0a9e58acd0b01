// Events as rows of a PostgreSQL table, whose primary key is the compare-and-swap. Calls that are made while a
// statement is on its way go together in the next one.
import { Failure } from "../../failure.ts";
import { createBatcher } from "../batcher.ts";
import type { Append, AppendResult, EventStore, StoredEvent, StoredLog } from "../event-store.ts";
import { untrusted } from "../journal-errors.ts";
import { idDigest, idDigestsOf } from "../operation-ids.ts";
import { createSession, type Rows, type Session } from "./connection.ts";
import { checkServer, isRefusal, postgresFailure } from "./errors.ts";
import { type PostgresServer, resolveServer, type ServerDeps } from "./server.ts";
import {
  appendEvents,
  createTables,
  findById,
  findNewest,
  findOperations,
  findUnsettled,
  pruneEvents,
  readEvents,
  type ServerState,
  settleEvents,
} from "./table.ts";

export interface PostgresStoreDeps {
  readonly server: PostgresServer;
  readonly session: Session;
}

/** The most rows that a pass of tidying up changes. */
const rowsInPass = 5000;

/** Nothing is connected before the first call. Throws a `Failure` for a URL that names no server. */
export function openPostgres(deps: ServerDeps, url: string): EventStore {
  const server = resolveServer(deps, url);
  return createPostgresStore({ server, session: createSession(server) });
}

/** Makes the tables, where they do not exist yet. Throws a `Failure`. */
export async function makePostgresTables(deps: ServerDeps, url: string): Promise<void> {
  const server = resolveServer(deps, url);
  const session = createSession(server);
  try {
    await session.query(createTables, []);
  } catch (error) {
    throw postgresFailure(server, error);
  } finally {
    session.close();
  }
}

export function createPostgresStore({ server, session }: PostgresStoreDeps): EventStore {
  const { scope } = server;
  /** Runs a statement that changes nothing. */
  async function find(text: string, ...values: readonly unknown[]): Promise<unknown> {
    try {
      return parse(await session.query(text, [server.trustsDurability, scope, ...values]));
    } catch (error) {
      throw postgresFailure(server, error);
    }
  }

  /** Runs a statement that may append. Undefined where the server did not say. */
  async function change(text: string, ...values: readonly unknown[]): Promise<unknown[] | undefined> {
    let rows: Rows;
    try {
      rows = await session.query(text, [server.trustsDurability, scope, ...values]);
    } catch (error) {
      if (isRefusal(error)) throw postgresFailure(server, error);
      return undefined;
    }
    return parse(rows) as unknown[];
  }

  /** The result of a statement; throws a `Failure` for a server that may lose a confirmed write. */
  function parse(rows: Rows): readonly unknown[] {
    const [state, found] = rows[0] as Rows[number];
    checkServer(server, JSON.parse(state as string) as ServerState);
    return found == null ? [] : (JSON.parse(found) as unknown[]);
  }

  const findRows = createBatcher<string, readonly StoredRow[]>(async (logs) => {
    const rows = (await find(readEvents, [...new Set(logs)])) as StoredRow[];
    return logs.map((log) => rows.filter(([operation]) => operation === log));
  });

  const append = createBatcher<Append, AppendResult>(async (appends) => {
    const keyOf = (log: string, number: number) => `${log} ${number}`;
    // Of two for the same number, the first.
    const first = new Map(appends.toReversed().map((each) => [keyOf(each.log, each.number), each]));
    const sent = [...first.values()];
    const inserted = await change(
      appendEvents,
      sent.map(({ log }) => log),
      sent.map(({ number }) => number),
      sent.map(({ isUnsettled }) => isUnsettled),
      sent.map(({ event }) => textOf(event)),
      sent.map(arrayOf),
    );
    if (inserted === undefined) return appends.map(() => "unknown");
    const rows = inserted as (readonly [string, number])[];
    const ours = new Set(rows.map(([log, number]) => first.get(keyOf(log, number))));
    return appends.map((each) => (ours.has(each) ? "ours" : "taken"));
  });

  return {
    append: (appends) => Promise.all(appends.map(append)),
    read: async (log) => logOf(log, await findRows(log)),
    unsettled: async () => ((await find(findUnsettled)) as string[]).sort(),
    logs: async (prefix) => ((await find(findOperations, prefix)) as string[]).sort(),
    newest: async (limit) => (await find(findNewest, Number.isFinite(limit) ? limit : null)) as string[],
    find: async (id) => (await find(findById, idDigest(id))) as string[],
    async prune(append) {
      const { event, log, number } = append;
      const begun = await change(pruneEvents, log, number, textOf(event), arrayOf(append));
      if (begun === undefined) return "unknown";
      return begun.length > 0 ? "ours" : "taken";
    },
    async sweep(time) {
      try {
        await change(settleEvents, rowsInPass, time / 1000);
      } catch (error) {
        // Another process may do the same: the next pass goes on.
        if (!(error instanceof Failure)) throw error;
      }
    },
  };
}

/** The digests of the ids of an event, as the text of an array. Digests fit into a database of any encoding. */
function arrayOf(append: Pick<Append, "event" | "log">): string | null {
  const digests = idDigestsOf(append);
  return digests.length === 0 ? null : `{${digests.join()}}`;
}

/** Plain ASCII, so that it fits into a database of any encoding. */
function textOf(event: StoredEvent): string {
  return JSON.stringify(event).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** An operation, a number, and its event: null where it was pruned. */
type StoredRow = readonly [string, number, StoredEvent | null];

/** Rows of one operation in their order. Pruned events come first; none is missing. */
function logOf(log: string, rows: readonly StoredRow[]): StoredLog {
  if (rows.some(([, number], index) => number !== index))
    throw untrusted(`${log}-${rows.length}`, "an event before it is gone");
  const first = rows.findIndex(([, , event]) => event !== null);
  const events = rows.slice(Math.max(0, first)).map(([, , event]) => event);
  if (events.some((event) => event === null)) throw untrusted(`${log}-${first}`, "an event after it is gone");
  return { first: Math.max(0, first), events: events as StoredEvent[] };
}
