// The tables of a journal in PostgreSQL, and the statements of the store. Each statement of the store checks, in its
// own transaction, whether the server may lose a confirmed write.

import { operationPrefix } from "../event-store.ts";

/** Stands in the comment of the journal's table. A newer one ends with ", read by incident 1.2.3". */
export const tableVersion = "incident journal, version 1";

/**
 * Makes the tables. Identifiers are compared by their bytes: an index by a locale can break when the system's locales
 * are updated, and exclusivity with it.
 */
export const createTables = `BEGIN;
CREATE TABLE IF NOT EXISTS incident_journal (
  scope       text COLLATE "C" NOT NULL,
  operation   text COLLATE "C" NOT NULL,
  number      integer NOT NULL CHECK (number >= 0),
  -- NULL where the event was pruned: its number stays taken.
  event       json,
  -- The digests of the ids that find the operation; NULL where the event has none.
  ids         text[],
  unsettled   boolean NOT NULL,
  appended_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, operation, number)
);
CREATE INDEX IF NOT EXISTS incident_journal_unsettled ON incident_journal (scope, operation, number) WHERE unsettled;
CREATE INDEX IF NOT EXISTS incident_journal_newest ON incident_journal (scope, appended_at)
  WHERE number = 0 AND starts_with(operation, '${operationPrefix}');
CREATE INDEX IF NOT EXISTS incident_journal_ids ON incident_journal USING gin (ids) WHERE ids IS NOT NULL;
COMMENT ON TABLE incident_journal IS '${tableVersion}';
COMMIT;
`;

/** For a person who may create roles. Each user of the journal gets one of them. */
export const createRoles = `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'incident_append') THEN CREATE ROLE incident_append NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'incident_tidy') THEN CREATE ROLE incident_tidy NOLOGIN; END IF;
END $$;
-- Reads and appends, and can neither change nor delete an event: GRANT incident_append TO name_of_a_user;
GRANT SELECT, INSERT ON incident_journal TO incident_append;
-- Its creates also tidy up, once a day; one machine is enough: GRANT incident_tidy TO name_of_a_user;
GRANT incident_append TO incident_tidy;
GRANT DELETE ON incident_journal TO incident_tidy;
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
    obj_description(oid, 'pg_class') AS version
  FROM pg_class WHERE oid = 'incident_journal'::regclass
)`;

/** $1: whether durability is trusted. */
const isFit = `NOT standby AND persistence = 'p' AND version = '${tableVersion}'
      AND ($1::boolean OR (fsync = 'on' AND pages = 'on'))`;

/**
 * $2: scope; $3 to $7: operations, numbers, whether they are unsettled, events, and their ids as the text of an array or
 * null. Gives those that were inserted.
 */
export const appendEvents = `WITH ${server},
inserted AS (
  INSERT INTO incident_journal (scope, operation, number, unsettled, event, ids)
  SELECT $2, given.operation, given.number, given.unsettled, given.event::json, given.ids::text[]
  FROM unnest($3::text[], $4::integer[], $5::boolean[], $6::text[], $7::text[])
    AS given(operation, number, unsettled, event, ids), server
  WHERE ${isFit}
  ORDER BY given.operation COLLATE "C", given.number
  ON CONFLICT (scope, operation, number) DO NOTHING
  RETURNING operation, number
)
SELECT row_to_json(server), (SELECT json_agg(json_build_array(operation, number)) FROM inserted) FROM server`;

/** $2: scope; $3: operations. */
export const readEvents = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(json_build_array(operation, number, event) ORDER BY operation, number)
  FROM incident_journal WHERE scope = $2 AND operation = ANY ($3::text[])
) FROM server WHERE $1::boolean IS NOT NULL`;

/** $2: scope. */
export const findUnsettled = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(DISTINCT operation) FROM incident_journal AS each WHERE scope = $2 AND unsettled AND NOT EXISTS (
    SELECT FROM incident_journal AS next
    WHERE next.scope = $2 AND next.operation = each.operation AND next.number = each.number + 1
  )
) FROM server WHERE $1::boolean IS NOT NULL`;

/**
 * $2: scope; $3: the most rows; $4: seconds since the epoch, before which they were appended. Marks events as settled that are no longer the last of their logs, so that the index of
 * the unsettled stays small. They are replaced in one statement, because a role may not update: no number is ever free.
 */
export const settleEvents = `WITH ${server},
old AS MATERIALIZED (
  SELECT operation, number FROM incident_journal AS each
  WHERE scope = $2 AND unsettled AND appended_at < to_timestamp($4::float8) AND EXISTS (
    SELECT FROM incident_journal AS next
    WHERE next.scope = $2 AND next.operation = each.operation AND next.number = each.number + 1
  ) ORDER BY operation, number LIMIT $3::integer
),
dropped AS (
  DELETE FROM incident_journal AS each USING old, server
  WHERE ${isFit} AND each.scope = $2 AND each.unsettled
    AND each.operation = old.operation AND each.number = old.number
  RETURNING each.operation, each.number, each.event, each.ids, each.appended_at
),
kept AS (
  INSERT INTO incident_journal (scope, operation, number, event, ids, unsettled, appended_at)
  SELECT $2, operation, number, event, ids, false, appended_at FROM dropped
  RETURNING operation, number
)
SELECT row_to_json(server), (SELECT json_agg(json_build_array(operation, number)) FROM kept) FROM server`;

/** $2: scope; $3: prefix. */
export const findOperations = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(operation) FROM incident_journal
  WHERE scope = $2 AND number = 0 AND starts_with(operation, $3)
) FROM server WHERE $1::boolean IS NOT NULL`;

/** $2: scope; $3: the most operations, or null for all. */
export const findNewest = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(operation ORDER BY appended_at DESC) FROM (
    SELECT operation, appended_at FROM incident_journal
    WHERE scope = $2 AND number = 0 AND starts_with(operation, '${operationPrefix}')
    ORDER BY appended_at DESC LIMIT $3::bigint
  ) AS newest
) FROM server WHERE $1::boolean IS NOT NULL`;

/** $2: scope; $3: the digest of an id. */
export const findById = `WITH ${server}
SELECT row_to_json(server), (
  SELECT json_agg(DISTINCT operation) FROM incident_journal
  WHERE scope = $2 AND ids IS NOT NULL AND ids @> ARRAY[$3::text]
) FROM server WHERE $1::boolean IS NOT NULL`;

/** $2: scope; $3: operation; $4: number; $5: event; $6: its ids, or null. The numbers before it stay taken, without their events. */
export const pruneEvents = `WITH ${server},
begun AS (
  INSERT INTO incident_journal (scope, operation, number, unsettled, event, ids)
  SELECT $2, $3, $4::integer, false, $5::text::json, $6::text[] FROM server WHERE ${isFit}
  ON CONFLICT (scope, operation, number) DO NOTHING
  RETURNING operation, number
),
dropped AS (
  DELETE FROM incident_journal AS old USING begun
  WHERE old.scope = $2 AND old.operation = begun.operation AND old.number < begun.number AND old.event IS NOT NULL
  RETURNING old.operation, old.number, old.appended_at
),
kept AS (
  INSERT INTO incident_journal (scope, operation, number, unsettled, appended_at)
  SELECT $2, operation, number, false, appended_at FROM dropped
  RETURNING number
)
SELECT row_to_json(server), (SELECT json_agg(json_build_array(operation, number)) FROM begun) FROM server`;
