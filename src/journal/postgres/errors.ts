// Errors of PostgreSQL as failures that name the next action.
import { codeOf, Failure, type FailureKind, messageOf } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { advise, argv, type Hint } from "../../text/advice.ts";
import { aroundJournal, newerEntry, StoreHint } from "../journal-errors.ts";
import { describeServer, type PostgresServer } from "./server.ts";
import { type ServerState, tableVersion } from "./table.ts";

/** `unsent`: the server has not got the statement. `sent`: whether it was carried out is not known. */
type Phase = "unsent" | "sent";

/** An error of a statement, or of the connection that it needs. */
export class PostgresError extends Error {
  /** The SQLSTATE of the server, or the code of the system. */
  readonly code: string | undefined;
  readonly phase: Phase;

  constructor(phase: Phase, cause: unknown) {
    super(messageOf(cause), { cause });
    this.phase = phase;
    this.code = codeOf(cause);
  }
}

/** Without a problem, the words of the server. */
type Reason = readonly [kind: FailureKind, problem: string | undefined, hint: Hint];

const makeTables = advise`run ${argv`incident journal init`}, as a role that may create tables`;

const otherwise = new StoreHint("check the server", aroundJournal);

/** Reasons for which the server gives no connection, or refuses a statement before it begins. */
const refusals: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ["42P01", ["usage", "it has no journal", makeTables]],
  ["3F000", ["usage", "it has no journal", makeTables]],
  ["42703", ["usage", "its table of the journal has other columns", makeTables]],
  ["42P10", ["usage", "its table of the journal has no primary key", makeTables]],
  [
    "42501",
    ["usage", "the role has too few privileges", "grant it incident_append, which journal init makes"],
  ],
  ["25006", ["unavailable", "it is read-only, as a standby is", "name the primary"]],
  ["28P01", ["credentials", undefined, "check the user and the password"]],
  ["28000", ["credentials", undefined, "check the user, the password and the server's pg_hba.conf"]],
  ["3D000", ["usage", "it has no such database", "create it, or name another"]],
  ["0A000", ["usage", "it does not support this", "use PostgreSQL 13 or later"]],
]);

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|ERR_SSL|ALTNAME|HOSTNAME_MISMATCH|DEPTH_ZERO/;

/** Whether the error proves that the statement was not carried out. */
export function isRefusal(error: unknown): error is PostgresError {
  if (!(error instanceof PostgresError)) return false;
  return error.phase === "unsent" || refusals.has(error.code ?? "");
}

/** The failure of a statement that changed nothing. Errors of the tool itself stay as they are. */
export function postgresFailure(server: PostgresServer, error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  const [kind, problem = error.message, hint] = reasonOf(error);
  return failure(server, kind, problem, hint, error.cause);
}

function reasonOf({ code = "", message }: PostgresError): Reason {
  const known = refusals.get(code);
  if (known !== undefined) return known;
  if (/server does not support SSL/.test(message))
    return ["usage", "it offers no TLS", "turn on TLS there, or permit its absence with sslmode=disable"];
  if (certificateCodes.test(code))
    return [
      "usage",
      `its certificate is refused: ${message}`,
      "name its root certificate with sslrootcert=FILE",
    ];
  return ["unavailable", undefined, otherwise];
}

/** Throws a `Failure` for a server that may lose a confirmed write, or whose table has another format. */
export function checkServer(server: PostgresServer, state: ServerState): void {
  const { commits, fsync, pages, persistence, standby, version } = state;
  if (standby)
    throw failure(server, "unavailable", "it is a standby, whose answers may be old", "name the primary");
  const [, reader] = /, read by incident (\S+)$/.exec(version ?? "") ?? [];
  if (reader !== undefined) throw newerEntry(`table in ${describeServer(server)}`, reader);
  if (version !== tableVersion)
    throw failure(
      server,
      "usage",
      version === null
        ? "its table of the journal names no version"
        : "its table of the journal has another version",
      advise`use one version of incident everywhere; ${argv`incident journal init`} makes the table of this one`,
    );
  if (persistence !== "p")
    throw failure(
      server,
      "usage",
      "its table of the journal is lost in a crash: it is unlogged or temporary",
      "make it an ordinary table: ALTER TABLE incident_journal SET LOGGED",
    );
  const off = Object.entries({ fsync, full_page_writes: pages }).flatMap(([name, value]) =>
    value === "on" ? [] : [name],
  );
  if (commits !== "on" && commits !== "remote_apply") off.push("synchronous_commit");
  if (off.length === 0 || (server.trustsDurability && !off.includes("synchronous_commit"))) return;
  throw failure(
    server,
    "usage",
    `it can lose commits in a crash: ${off.join(" and ")} is off`,
    "turn it on; where the storage itself makes commits durable, say so with durability=trusted in the URL",
  );
}

function failure(
  server: PostgresServer,
  kind: FailureKind,
  problem: string,
  hint: Hint,
  cause?: unknown,
): Failure {
  const redact = createRedaction(server.password === undefined ? [] : [server.password]);
  const message = redact(`the journal in ${describeServer(server)} cannot be used: ${problem}`);
  return new Failure(kind, message, { hint, retryable: kind === "unavailable", cause });
}
