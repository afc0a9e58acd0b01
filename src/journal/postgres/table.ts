// The table of a journal in PostgreSQL, and the statements of its sequences. Each checks, in its own transaction, whether the
// server may lose a confirmed write.

/** Stands in the comment of the journal's table. */
export const tableVersion = "incident journal, version 2";

/**
 * Makes the table, and the roles of docs/journal.md where the user may make roles. Identifiers are compared by their bytes: an index by a locale can break when the system's locales
 * are updated, and exclusivity with it.
 */
export const createTables = `BEGIN;
CREATE TABLE IF NOT EXISTS incident_journal (
  scope       text COLLATE "C" NOT NULL,
  -- One for each service and account.
  sequence    text COLLATE "C" NOT NULL,
  number      integer NOT NULL CHECK (number >= 0),
  -- NULL where a snapshot replaced the entry: its number stays taken.
  entry       json,
  is_snapshot boolean NOT NULL DEFAULT false,
  appended_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, sequence, number)
);
COMMENT ON TABLE incident_journal IS '${tableVersion}';
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolcreaterole)) THEN
    IF to_regrole('incident_append') IS NULL THEN CREATE ROLE incident_append NOLOGIN; END IF;
    IF to_regrole('incident_tidy') IS NULL THEN CREATE ROLE incident_tidy NOLOGIN; END IF;
    GRANT SELECT, INSERT (scope, sequence, number, entry) ON incident_journal TO incident_append;
    GRANT incident_append TO incident_tidy;
    GRANT INSERT, UPDATE ON incident_journal TO incident_tidy;
  END IF;
END $$;
COMMIT;
`;

/**
 * The state of the server in its own words. synchronous_commit is set for this transaction alone, because behind a
 * pooler a session belongs to many.
 */
export interface ServerState {
  readonly commits: string;
  readonly standby: boolean;
  readonly fsync: string;
  readonly pages: string;
  readonly persistence: string;
  readonly version: string | null;
  /** Whether the role may replace entries. */
  readonly tidies: boolean;
}

const server = `server AS MATERIALIZED (
  SELECT CASE current_setting('synchronous_commit')
      WHEN 'remote_apply' THEN 'remote_apply'
      ELSE set_config('synchronous_commit', 'on', true)
    END AS commits,
    pg_is_in_recovery() AS standby,
    current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages,
    relpersistence AS persistence,
    obj_description(oid, 'pg_class') AS version,
    has_table_privilege(oid, 'UPDATE') AS tidies
  FROM pg_class WHERE oid = 'incident_journal'::regclass
)`;

/** $1: whether durability is trusted. */
const isFit = `NOT standby AND persistence = 'p' AND version = '${tableVersion}'
      AND ($1::boolean OR (fsync = 'on' AND pages = 'on'))`;

/** $2: scope; $3: sequence; $4: number; $5: entry. Gives the number where it was inserted. */
function insertInto(columns: string, values: string): string {
  return `WITH ${server},
inserted AS (
  INSERT INTO incident_journal (${columns})
  SELECT ${values} FROM server WHERE ${isFit} AND ($4::integer = 0 OR EXISTS (
    SELECT FROM incident_journal WHERE scope = $2 AND sequence = $3 AND number = $4::integer - 1
  ))
  ON CONFLICT (scope, sequence, number) DO NOTHING
  RETURNING number
)
SELECT row_to_json(server), (SELECT json_agg(number) FROM inserted) FROM server`;
}

const columns = "scope, sequence, number, entry";
const values = "$2, $3, $4::integer, $5::text::json";

export const appendEntry = insertInto(columns, values);

/** A role that only appends cannot name the column of a snapshot. */
export const appendSnapshot = insertInto(`${columns}, is_snapshot`, `${values}, true`);

/** $2: scope; $3: sequence; $4: the first number, unless the newest snapshot has a higher one. */
export const readEntries = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(json_build_array(number, entry) ORDER BY number) FROM incident_journal
  WHERE scope = $2 AND sequence = $3 AND number >= greatest($4::integer, (
    SELECT number FROM incident_journal
    WHERE scope = $2 AND sequence = $3 AND number > $4::integer AND is_snapshot ORDER BY number DESC LIMIT 1
  ))
) FROM server WHERE $1::boolean IS NOT NULL`;

/** $2: scope; $3: sequence; $4: the number of a snapshot. */
export const dropEntries = `WITH ${server},
dropped AS (
  UPDATE incident_journal SET entry = NULL, is_snapshot = false FROM server
  WHERE ${isFit} AND scope = $2 AND sequence = $3 AND number < $4::integer AND entry IS NOT NULL
  RETURNING number
)
SELECT row_to_json(server), (SELECT json_agg(number) FROM dropped) FROM server`;

/** $2: scope. */
export const findSequences = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(sequence ORDER BY sequence) FROM incident_journal WHERE scope = $2 AND number = 0
) FROM server WHERE $1::boolean IS NOT NULL`;
