// The server of a journal in PostgreSQL, from its URL. Connects nothing, and repeats no URL, which may hold a password.
import type { ConnectionOptions } from "node:tls";
import { Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { type ReadDeps, readText } from "../../platform/regular-file.ts";
import { decodePercent } from "../../untrusted-data.ts";

export type PostgresServer = ReturnType<typeof resolveServer>;

export interface ServerDeps {
  readonly system: Pick<System, "env">;
  readonly files: ReadDeps;
}

const parameters = ["host", "scope", "sslmode", "sslrootcert"] as const;

/**
 * Throws a `Failure` of kind "usage". Not with pg-connection-string: it takes `%zz` and unknown parameters, changes escaped
 * passwords where the URL has a space, and reads certificates of any size.
 */
export function resolveServer({ files, system }: ServerDeps, text: string) {
  if (!URL.canParse(text)) throw wrong("it is no URL", "write postgres://USER@HOST/DATABASE");
  const url = new URL(text);
  // An option that is ignored may be one that security depends on.
  for (const name of url.searchParams.keys())
    if (!parameters.some((each) => each === name))
      throw wrong("it has a parameter that is not known", `known are ${parameters.join(", ")}`);
  const given = (name: (typeof parameters)[number]) => url.searchParams.get(name) || undefined;
  const host = given("host") ?? (partOf(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost");
  if (host.includes(",")) throw wrong("it names several hosts", "name one, the primary");
  const user = partOf(url.username);
  if (user === "") throw wrong("it names no user", "write postgres://USER@HOST/DATABASE");

  /**
   * TLS with a verified certificate, except for this machine's own addresses, where the default is none. The other modes of libpq
   * let the server decide whether to encrypt, or leave the name of the host out. A root certificate is never ignored.
   */
  function resolveTls(): ConnectionOptions | undefined {
    const mode = given("sslmode");
    const root = given("sslrootcert");
    const isSocket = host.startsWith("/");
    const isLocal = isSocket || isLoopback(host.includes(":") ? `[${host}]` : host.toLowerCase());
    switch (mode ?? (isLocal ? "disable" : "verify-full")) {
      case "disable":
        return undefined;
      case "require":
      case "verify-full": {
        // As libpq: a Unix socket has no TLS.
        if (isSocket) return undefined;
        const isVerified = mode !== "require" || root !== undefined;
        return { rejectUnauthorized: isVerified, ...(root !== undefined && { ca: readRoot(root) }) };
      }
      default:
        throw wrong("its sslmode is not known", "use disable, require or verify-full");
    }
  }

  function readRoot(path: string): string {
    const read = readText(files, path);
    if (typeof read === "object") return read.text;
    throw wrong("the file of its sslrootcert cannot be read");
  }

  return {
    /** A host name, an IP address without brackets, or the folder of a Unix socket. */
    host,
    port: Number(url.port || 5432),
    user,
    database: partOf(url.pathname.slice(1)) || user,
    password: partOf(url.password) || system.env.PGPASSWORD || undefined,
    /** Undefined: without TLS. */
    tls: resolveTls(),
    /** Milliseconds for a connection, and for one statement. */
    timeout: 10_000,
    /** Keeps the journals of several projects in one table apart. */
    scope: given("scope") ?? "default",
  };
}

/** How messages name it: never with the password. */
export function describeServer({ database, host, port, user }: PostgresServer): string {
  const place = host.startsWith("/") ? `${host}, port ${port}` : `${host}:${port}`;
  return `the database ${database} at ${place}, as ${user}`;
}

function partOf(text: string): string {
  const part = decodePercent(text);
  if (part === undefined) throw wrong("it holds a % that starts no escape", "write %25 for a percent sign");
  return part;
}

function wrong(problem: string, hint = "correct it in INCIDENT_CLI_JOURNAL, or in the profile"): Failure {
  return new Failure("usage", `the URL of the journal's PostgreSQL server cannot be used: ${problem}`, {
    hint,
  });
}
