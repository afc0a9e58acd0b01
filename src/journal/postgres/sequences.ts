// Sequences as rows of a PostgreSQL table, whose primary key is the compare-and-swap. The number of an entry that was dropped
// stays taken.
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences } from "../sequence.ts";
import { createSession, type Session } from "./connection.ts";
import { checkServer, isRefusal, postgresFailure } from "./errors.ts";
import { type PostgresServer, resolveServer, type ServerDeps } from "./server.ts";
import {
  appendEntry,
  appendSnapshot,
  createTables,
  dropEntries,
  findSequences,
  readEntries,
  type ServerState,
} from "./table.ts";

/** Nothing is connected before the first call. Throws a `Failure` for a URL that names no server. */
export function openPostgres(deps: ServerDeps, url: string): Sequences {
  const server = resolveServer(deps, url);
  const { database, host, port, scope } = server;
  return {
    ...createPostgresSequences(server, createSession(server)),
    shared: JSON.stringify([host, port, database, scope]),
  };
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

export function createPostgresSequences(server: PostgresServer, session: Session): Sequences {
  let tidies = false;

  /** The result of a statement; throws a `Failure` for a server that may lose a confirmed write. */
  async function run(text: string, ...values: readonly unknown[]): Promise<readonly unknown[]> {
    const [row] = await session.query(text, [server.trustsDurability, server.scope, ...values]);
    const [state, found] = row as readonly (string | null)[];
    const said = JSON.parse(state as string) as ServerState;
    checkServer(server, said);
    ({ tidies } = said);
    return found == null ? [] : (JSON.parse(found) as unknown[]);
  }

  /** Runs a statement that appends nothing. */
  async function find(...statement: Parameters<typeof run>): Promise<readonly unknown[]> {
    try {
      return await run(...statement);
    } catch (error) {
      throw postgresFailure(server, error);
    }
  }

  function open(name: string): Sequence {
    const place = (number: number) => `entry ${number} of ${name} in incident_journal`;
    return {
      place,
      mayDrop: () => tidies,
      async read(from) {
        const rows = (await find(readEntries, name, from)) as readonly (readonly [number, Entry | null])[];
        const first = rows[0]?.[0] ?? from;
        const entries = rows.map(([number, entry], index) => {
          if (number !== first + index) throw untrusted(place(first + index), "it is gone");
          if (entry === null) throw untrusted(place(number), "it is empty");
          return entry;
        });
        return { first, entries };
      },
      async append(at, entry) {
        const statement = entry.snapshot === undefined ? appendEntry : appendSnapshot;
        try {
          return (await run(statement, name, at, asciiOf(entry))).length > 0 ? "ours" : "taken";
        } catch (error) {
          const failure = postgresFailure(server, error);
          if (failure === error || isRefusal(error)) throw failure;
          return "unknown";
        }
      },
      drop: async (at) => void (await find(dropEntries, name, at)),
    };
  }

  return {
    names: async () => (await find(findSequences)) as readonly string[],
    open,
  };
}
