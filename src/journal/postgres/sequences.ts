// Sequences as rows of a PostgreSQL table, whose primary key is the compare-and-swap. The number of an entry that was dropped
// stays taken.
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences } from "../sequence.ts";
import { createSession, type Rows, type Session } from "./connection.ts";
import { isRefusal, PostgresError, postgresFailure } from "./errors.ts";
import { type PostgresServer, resolveServer, type ServerDeps } from "./server.ts";
import {
  appendEntry,
  appendSnapshot,
  checkServer,
  createTables,
  dropEntries,
  findSequences,
  readEntries,
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
  let isChecked = false;

  /** Runs a statement at a server that was checked. Where that fails, a check has changed nothing. */
  async function run(text: string, ...values: readonly unknown[]): Promise<Rows> {
    if (!isChecked) {
      const [[problem, mayReplace] = []] = await explained(() => session.query(checkServer, []));
      if (problem) throw postgresFailure(server, new PostgresError("unsent", new Error(problem)));
      tidies = mayReplace === "t";
      isChecked = true;
    }
    return session.query(text, [server.scope, ...values]);
  }

  /** Does work that appends nothing. */
  async function explained(work: () => Promise<Rows>): Promise<Rows> {
    try {
      return await work();
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
        const rows = await explained(() => run(readEntries, name, from));
        const first = Number(rows[0]?.[0] ?? from);
        const entries = rows.map(([number, entry], index) => {
          if (Number(number) !== first + index) throw untrusted(place(first + index), "it is gone");
          if (entry == null) throw untrusted(place(first + index), "it is empty");
          return JSON.parse(entry) as Entry;
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
      drop: async (at) => void (await explained(() => run(dropEntries, name, at))),
    };
  }

  return {
    names: async () => (await explained(() => run(findSequences))).map(([name]) => String(name)),
    open,
  };
}
