// Errors of PostgreSQL as failures that name the next action.
import { codeOf, Failure, type FailureKind, messageOf } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { advise, argv, type Hint } from "../../text/advice.ts";
import { aroundJournal, storeHint } from "../journal-errors.ts";
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

/** The classes of SQLSTATE that prove that the statement was not carried out. */
const refusals = /^(?:0A|2[2358]|3[DF]|42)/;

const certificateCodes =
  /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|ERR_SSL|ALTNAME|HOSTNAME_MISMATCH|DEPTH_ZERO/;

/** Whether the error proves that the statement was not carried out. */
export function isRefusal(error: unknown): error is PostgresError {
  if (!(error instanceof PostgresError)) return false;
  return error.phase === "unsent" || refusals.test(error.code ?? "");
}

/** The failure of a statement that changed nothing. Errors of the tool itself stay as they are. */
export function postgresFailure(server: PostgresServer, error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  const [kind, hint] = reasonOf(error);
  return failure(server, kind, error.message, hint, error.cause);
}

function reasonOf({ code = "", message }: PostgresError): readonly [FailureKind, Hint] {
  if (code.startsWith("28")) return ["credentials", "check the user and the password"];
  if (code === "42501") return ["usage", "grant it incident_append, which journal init makes"];
  if (/^(?:0A|3[DF]|42)/.test(code))
    return [
      "usage",
      advise`name a database of PostgreSQL 13 or later, and run ${argv`incident journal init`} there, as a role that may create tables`,
    ];
  if (certificateCodes.test(code) || /does not support SSL/.test(message))
    return ["usage", "correct sslmode, or name its root certificate with sslrootcert=FILE"];
  return ["unavailable", storeHint("check the server, which has to be the primary", aroundJournal)];
}

/** Throws a `Failure` for a server that may lose a confirmed write, or whose table has another format. */
export function checkServer(server: PostgresServer, state: ServerState): void {
  const refuse = (problem: string, hint: Hint, kind: FailureKind = "usage"): never => {
    throw failure(server, kind, problem, hint);
  };
  if (state.standby) refuse("it is a standby, whose answers may be old", "name the primary", "unavailable");
  if (state.version !== tableVersion)
    refuse(
      "its table of the journal has another version, or names none",
      advise`use one version of incident everywhere; ${argv`incident journal init`} makes the table of this one`,
    );
  if (state.persistence !== "p")
    refuse(
      "its table of the journal is lost in a crash: it is unlogged or temporary",
      "make it an ordinary table: ALTER TABLE incident_journal SET LOGGED",
    );
  const settings = server.trustsDurability ? {} : { fsync: state.fsync, full_page_writes: state.pages };
  const commits = state.commits === "remote_apply" ? "on" : state.commits;
  const off = Object.entries({ ...settings, synchronous_commit: commits }).filter(([, is]) => is !== "on");
  if (off.length > 0)
    refuse(
      `it can lose commits in a crash: ${off.map(([name]) => name).join(" and ")} is off`,
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
