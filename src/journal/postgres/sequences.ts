// Sequences as rows of a PostgreSQL table, whose primary key is the compare-and-swap. A dropped number stays taken.
import { untrusted } from "../journal-errors.ts";
import { asciiOf, type Entry, type Sequence, type Sequences } from "../sequence.ts";
import { createSession, postgresFailure, type Rows, type Session } from "./connection.ts";
import { type PostgresServer, resolveServer, type ServerDeps } from "./server.ts";

/**
 * Makes the table, and the roles of docs/journal.md where the user may make roles. Identifiers are compared by their bytes:
 * an index by a locale can break when the system's locales are updated, and exclusivity with it.
 */
export const createTables = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('incident_journal'));
  -- One of another schema of the search path is the journal of other machines, which a second one would hide.
  IF to_regclass('incident_journal') IS NULL THEN
    CREATE TABLE incident_journal (
      scope       text COLLATE "C" NOT NULL,
      -- One for each service and account.
      sequence    text COLLATE "C" NOT NULL,
      number      integer NOT NULL CHECK (number >= 0),
      -- NULL where a snapshot replaced the entry: its number stays taken.
      entry       json,
      appended_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (scope, sequence, number)
    );
  END IF;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)) THEN
    -- All databases of the server share them, and another one can make them at this moment: the lock is of one database.
    BEGIN CREATE ROLE incident_append NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END;
    BEGIN CREATE ROLE incident_tidy NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END;
    GRANT SELECT, INSERT (scope, sequence, number, entry) ON incident_journal TO incident_append;
    GRANT incident_append TO incident_tidy;
    GRANT UPDATE ON incident_journal TO incident_tidy;
  ELSE
    -- Fails where this user may not read the table.
    PERFORM FROM incident_journal LIMIT 0;
  END IF;
END $$;
`;

/** Whether the server may lose or hide a confirmed write, as a problem in words; and whether the role may replace entries. */
export const checkServer = `SELECT CASE
    WHEN pg_is_in_recovery() THEN 'it is a standby, whose answers may be old'
    WHEN current_setting('fsync') = 'off' THEN 'it can lose commits in a crash: fsync is off'
    WHEN relpersistence <> 'p' THEN 'its table of the journal is lost in a crash: it is unlogged or temporary'
  END, has_table_privilege(oid, 'UPDATE')
FROM pg_class WHERE oid = 'incident_journal'::regclass`;

/** $1: scope; $2: sequence; $3: number; $4: entry. Sets synchronous_commit for the transaction: a pooler shares sessions. */
export const appendEntry = `WITH durable AS MATERIALIZED (
  SELECT CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply'
    ELSE set_config('synchronous_commit', 'on', true)
  END
)
INSERT INTO incident_journal (scope, sequence, number, entry)
SELECT $1, $2, $3::integer, $4::text::json FROM durable WHERE $3::integer = 0 OR EXISTS (
  SELECT FROM incident_journal WHERE scope = $1 AND sequence = $2 AND number = $3::integer - 1
)
ON CONFLICT (scope, sequence, number) DO NOTHING
RETURNING number`;

/** $1: scope; $2: sequence; $3: the first number, unless it was dropped. */
const readEntries = `SELECT number, entry FROM incident_journal
WHERE scope = $1 AND sequence = $2 AND number >= greatest($3::integer, (
  SELECT number + 1 FROM incident_journal
  WHERE scope = $1 AND sequence = $2 AND number >= $3::integer AND entry IS NULL ORDER BY number DESC LIMIT 1
))
ORDER BY number`;

/** $1: scope; $2: sequence; $3: the number of a snapshot. */
const dropEntries = `UPDATE incident_journal SET entry = NULL
WHERE scope = $1 AND sequence = $2 AND number < $3::integer AND entry IS NOT NULL`;

/** $1: scope. */
const findSequences =
  "SELECT sequence FROM incident_journal WHERE scope = $1 AND number = 0 ORDER BY sequence";

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
  await createSession(resolveServer(deps, url)).query(createTables, []);
}

export function createPostgresSequences(server: PostgresServer, session: Session): Sequences {
  let tidies = false;
  let isChecked = false;

  /** Runs a statement at a server that was checked. Where that fails, a check has changed nothing. */
  async function run(text: string, ...values: readonly unknown[]): Promise<Rows> {
    if (!isChecked) {
      const [[problem, mayReplace] = []] = await session.query(checkServer, []);
      if (problem) throw postgresFailure(server, problem);
      tidies = mayReplace === "t";
      isChecked = true;
    }
    return session.query(text, [server.scope, ...values]);
  }

  function open(name: string): Sequence {
    const place = (number: number) => `entry ${number} of ${name} in incident_journal`;
    return {
      place,
      mayDrop: () => tidies,
      async read(from) {
        const rows = await run(readEntries, name, from);
        const first = Number(rows[0]?.[0] ?? from);
        const entries = rows.map(([number, entry], index) => {
          if (Number(number) !== first + index) throw untrusted(place(first + index), "it is gone");
          return JSON.parse(String(entry)) as Entry;
        });
        return { first, entries };
      },
      async append(at, entry) {
        const rows = await run(appendEntry, name, at, asciiOf(entry));
        return rows.length > 0 ? "ours" : "taken";
      },
      drop: async (at) => void (await run(dropEntries, name, at)),
    };
  }

  return {
    names: async () => (await run(findSequences)).map(([name]) => String(name)),
    open,
  };
}
