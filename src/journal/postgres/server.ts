// The PostgreSQL server that a journal is kept in: a URL, and the parameters and `PG*` variables of libpq, resolved to
// a value. Nothing is connected. No message repeats the URL, which may hold a password.
import type { ConnectionOptions } from "node:tls";
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { ownValue } from "../../untrusted-data.ts";

export interface PostgresServer {
  /** A host name, an IP address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Undefined: without TLS. */
  readonly tls: ConnectionOptions | undefined;
  /** Milliseconds. */
  readonly connectTimeout: number;
  /** Milliseconds for one statement. */
  readonly queryTimeout: number;
  /** Keeps the journals of several projects in one table apart. */
  readonly scope: string;
}

export interface ServerDeps {
  readonly system: Pick<System, "env">;
  readonly files: Pick<Files, "closeSync" | "constants" | "fstatSync" | "openSync" | "readSync">;
}

/** Each parameter of a URL, and its variable. */
const parameters = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  password: "PGPASSWORD",
  dbname: "PGDATABASE",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  channel_binding: "PGCHANNELBINDING",
  // Known, and without an effect.
  connect_timeout: undefined,
  application_name: undefined,
  scope: undefined,
} as const satisfies Record<string, string | undefined>;

type Parameter = keyof typeof parameters;

const verifiedChain = { rejectUnauthorized: true, checkServerIdentity: () => undefined };

/** The checks of each mode. The others of libpq let the server decide whether to encrypt. */
const sslModes: Readonly<Record<string, ConnectionOptions>> = {
  disable: {},
  require: { rejectUnauthorized: false },
  "verify-ca": verifiedChain,
  "verify-full": { rejectUnauthorized: true },
};

/** In bytes. */
const maxFileSize = 1024 * 1024;

/** Throws a `Failure` of kind "usage". */
export function resolveServer(deps: ServerDeps, url: string): PostgresServer {
  const value = readParameters(deps.system, url);
  const host = value("host") ?? "localhost";
  if (host.includes(",")) throw wrong("it names several hosts", "name one, the primary");
  const port = Number(value("port") ?? 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw wrong("its port is not a number");
  const user = value("user") ?? (deps.system.env.USER || deps.system.env.LOGNAME);
  if (!user) throw wrong("it names no user", "write postgres://USER@HOST/DATABASE, or set PGUSER");
  const database = value("dbname") ?? user;
  return {
    host,
    port,
    user,
    database,
    password: value("password"),
    tls: resolveTls(deps, value, host),
    connectTimeout: 10_000,
    queryTimeout: 10_000,
    scope: value("scope") ?? "default",
  };
}

/** How messages name it: never with the password. */
export function describeServer({ database, host, port, user }: PostgresServer): string {
  const place = host.startsWith("/") ? `${host}, port ${port}` : `${host}:${port}`;
  return `the database ${database} at ${place}, as ${user}`;
}

/**
 * The parameters of a URL, then its parts, then the variables. Not with pg-connection-string: it ignores `dbname`, takes
 * `%zz` and unknown parameters, changes escaped passwords where the URL has a space, and reads certificates of any size.
 */
function readParameters(
  { env }: ServerDeps["system"],
  text: string,
): (name: Parameter) => string | undefined {
  if (!URL.canParse(text)) throw wrong("it is no URL", "write postgres://USER@HOST/DATABASE");
  const url = new URL(text);
  const given = new Map<string, string>();
  try {
    const parts = {
      host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1"),
      port: url.port,
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      dbname: decodeURIComponent(url.pathname.replace(/^\//, "")),
    } satisfies Partial<Record<Parameter, string>>;
    for (const [name, value] of Object.entries(parts)) if (value !== "") given.set(name, value);
  } catch {
    throw wrong("it holds a % that starts no escape", "write %25 for a percent sign");
  }
  for (const [name, value] of url.searchParams) {
    // An option that is ignored may be one that security depends on.
    if (!Object.hasOwn(parameters, name))
      throw wrong("it has a parameter that is not known", `known are ${Object.keys(parameters).join(", ")}`);
    given.set(name, value);
  }
  return (name) => {
    const variable = parameters[name];
    return given.get(name) || (variable && env[variable]) || undefined;
  };
}

/** TLS with a verified certificate, except for this machine's own addresses, where the default is none. */
function resolveTls(
  { files }: ServerDeps,
  value: (name: Parameter) => string | undefined,
  host: string,
): ConnectionOptions | undefined {
  const isLocal = host.startsWith("/") || isLoopback(host.includes(":") ? `[${host}]` : host.toLowerCase());
  const mode = value("sslmode") ?? (isLocal ? "disable" : "verify-full");
  const checks = ownValue(sslModes, mode);
  if (checks === undefined)
    throw wrong("its sslmode does not say whether to encrypt", `use ${Object.keys(sslModes).join(", ")}`);
  // No channel is bound here. A certificate that is verified, with its name, keeps others out of it as well.
  if (value("channel_binding") === "require" && mode !== "verify-full")
    throw wrong("channel_binding=require needs sslmode=verify-full");
  // As libpq: a Unix socket has no TLS.
  if (mode === "disable" || host.startsWith("/")) return undefined;
  const root = value("sslrootcert");
  const read = (parameter: Parameter) => readFile(files, parameter, value(parameter));
  return {
    ...(root !== "system" && { ca: read("sslrootcert") }),
    cert: read("sslcert"),
    key: read("sslkey"),
    // As libpq: with a root certificate, `require` verifies the chain as well.
    ...(mode === "require" && root !== undefined ? verifiedChain : checks),
  };
}

function readFile(
  files: ServerDeps["files"],
  parameter: Parameter,
  path: string | undefined,
): string | undefined {
  if (path === undefined) return undefined;
  try {
    const bytes = readRegularFile(files, path, maxFileSize)?.bytes;
    if (bytes !== undefined && bytes.length <= maxFileSize) return Buffer.from(bytes).toString();
  } catch {
    // As a file that is too large.
  }
  throw wrong(`the file of its ${parameter} cannot be read`);
}

function wrong(problem: string, hint = "correct it in INCIDENT_CLI_JOURNAL, or in the profile"): Failure {
  return new Failure("usage", `the URL of the journal's PostgreSQL server cannot be used: ${problem}`, {
    hint,
  });
}
