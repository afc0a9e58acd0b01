// Opens the journal of a PostgreSQL server. Nothing is connected before it is used.
import type { EventStore } from "../event-store.ts";
import { connectionFailure } from "./errors.ts";
import { resolveServer, type ServerDeps } from "./server.ts";
import { createSession } from "./session.ts";
import { createSlots, type SharedLimit } from "./shared-rate.ts";
import { createPostgresStore } from "./store.ts";
import { createTables } from "./table.ts";

/** Throws a `Failure` for a URL that names no server. */
export function openPostgres(deps: ServerDeps, url: string): EventStore {
  const server = resolveServer(deps, url);
  return createPostgresStore({ server, session: createSession(server) });
}

/** The slots of a shared rate limit. Nothing is connected before the first is taken. */
export function openSlots(
  deps: ServerDeps,
  url: string,
  key: string,
  limit: SharedLimit,
): ReturnType<typeof createSlots> {
  const server = resolveServer(deps, url);
  return createSlots(createSession(server), `${server.scope}:${key}`, limit);
}

/** Makes the tables, where they do not exist yet. Throws a `Failure`. */
export async function makePostgresTables(deps: ServerDeps, url: string): Promise<void> {
  const server = resolveServer(deps, url);
  const session = createSession(server);
  try {
    await session.query(createTables, []);
  } catch (error) {
    throw connectionFailure(server, error);
  } finally {
    session.close();
  }
}
