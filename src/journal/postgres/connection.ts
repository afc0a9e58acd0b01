// The connection to a PostgreSQL server, and the only importer of pg. A step that misses its deadline destroys it.
import type { Duplex } from "node:stream";
import { Client, Connection } from "pg";
import { codeOf, Failure, type FailureKind, messageOf } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { aroundJournal } from "../journal-errors.ts";
import { describeServer, type PostgresServer } from "./server.ts";

/** The values of each row as text. */
export type Rows = readonly (readonly (string | null)[])[];

export type Session = ReturnType<typeof createSession>;

/** Connects with the first statement, and after a loss. Sends no statement twice. Only a statement keeps the process running. */
export function createSession(server: PostgresServer) {
  let client: Client | undefined;

  function close(lost = client): void {
    lost?.connection.stream.destroy();
    if (lost === client) client = undefined;
  }

  async function open(): Promise<Client> {
    const opened = createClient(server);
    client = opened;
    // A connection that is lost between two statements is an event without a statement that it could fail.
    for (const event of ["error", "end"] as const) opened.on(event, () => close(opened));
    await opened.connect();
    return opened;
  }

  return {
    /** Throws a `Failure`. */
    async query(text: string, values: readonly unknown[]): Promise<Rows> {
      try {
        const used = client ?? (await open());
        const query = { text, values: [...values], rowMode: "array" } as const;
        const { rows } = await used.query<(string | null)[]>(query);
        return rows;
      } catch (error) {
        // The answer may still be on its way.
        close();
        throw postgresFailure(server, error);
      }
    },
    close: () => close(),
  };
}

/** The parts that the types of pg lack. */
declare module "pg" {
  interface ClientConfig {
    connection?: Connection;
  }
  interface Connection {
    attachListeners(stream: Pick<Duplex, "on">): void;
  }
}

/** A message that the parser cannot read ends the connection, not the process. */
class GuardedConnection extends Connection {
  override attachListeners(stream: Duplex): void {
    super.attachListeners({
      on: (name: string | symbol, listener: (...values: unknown[]) => void) =>
        stream.on(name, (...values: unknown[]) => {
          try {
            listener(...values);
          } catch (error) {
            stream.destroy(error instanceof Error ? error : new Error(String(error)));
          }
        }),
    } as Pick<Duplex, "on">);
  }
}

function createClient(server: PostgresServer): Client {
  return new Client({
    connection: new GuardedConnection({ ssl: server.tls ?? false }),
    host: server.host,
    port: server.port,
    user: server.user,
    database: server.database,
    application_name: "incident",
    connectionTimeoutMillis: server.timeout,
    query_timeout: server.timeout,
    ssl: server.tls ?? false,
    // Asked for only where the server wants one. Else pg would look for a file of passwords.
    password: async () => {
      if (server.password !== undefined) return server.password;
      throw Object.assign(new Error("the server asks for a password"), { code: "28P01" });
    },
    types: { getTypeParser: () => (text: string) => text },
  });
}

export function postgresFailure(server: PostgresServer, cause: unknown): Failure {
  // The SQLSTATE of the server, or the code of the system.
  const [kind, hint] = reasonOf(codeOf(cause) ?? "");
  const redact = createRedaction(server.password === undefined ? [] : [server.password]);
  const message = redact(`the journal in ${describeServer(server)} cannot be used: ${messageOf(cause)}`);
  return new Failure(kind, message, { hint, cause });
}

function reasonOf(code: string): readonly [FailureKind, string] {
  if (code.startsWith("28")) return ["credentials", "check the user and the password"];
  if (/^(?:0A|3[DF]|42)/.test(code))
    return [
      "usage",
      "name a database of PostgreSQL 13 or later, run incident journal init there, and grant the role incident_append to this user",
    ];
  return [
    "unavailable",
    `nothing was sent; check the server, which has to be the primary, and the parameters sslmode and sslrootcert of its URL; ${aroundJournal}`,
  ];
}
