// The statements of one process, in their order, over a connection that is opened with the first one, and again after
// it was lost. No statement is sent twice.
import type { PostgresConnection, Rows } from "./connection.ts";
import type { PostgresServer } from "./server.ts";

export interface Session {
  /** Rejects with a `PostgresError`. */
  query(text: string, values: readonly unknown[]): Promise<Rows>;
  close(): void;
}

export function createSession(server: PostgresServer): Session {
  let connection: PostgresConnection | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run(text: string, values: readonly unknown[]): Promise<Rows> {
    if (!connection?.isUsable()) {
      const { openConnection } = await import("./connection.ts");
      connection = await openConnection(server);
    }
    return connection.query(text, values);
  }

  return {
    query(text, values) {
      const rows = last.then(() => run(text, values));
      last = rows.catch(() => undefined);
      return rows;
    },
    close: () => connection?.close(),
  };
}
