// Errors of PostgreSQL as failures that name the next action.
import { codeOf, Failure, type FailureKind, messageOf } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { advise, argv } from "../../text/advice.ts";
import { aroundJournal, storeHint } from "../journal-errors.ts";
import { describeServer, type PostgresServer } from "./server.ts";

/** An error of a statement, or of the connection that it needs. */
export class PostgresError extends Error {
  /** The SQLSTATE of the server, or the code of the system. */
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.code = codeOf(cause);
  }
}

/** The failure of a statement. Errors of the tool itself stay as they are. */
export function postgresFailure(server: PostgresServer, error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  const [kind, hint] = reasonOf(error);
  const redact = createRedaction(server.password === undefined ? [] : [server.password]);
  const message = redact(`the journal in ${describeServer(server)} cannot be used: ${error.message}`);
  return new Failure(kind, message, { hint, retryable: kind === "unavailable", cause: error.cause });
}

function reasonOf({ code = "" }: PostgresError): readonly [FailureKind, string] {
  if (code.startsWith("28")) return ["credentials", "check the user and the password"];
  if (/^(?:0A|3[DF]|42)/.test(code))
    return [
      "usage",
      advise`name a database of PostgreSQL 13 or later, run ${argv`incident journal init`} there, and grant the role incident_append to this user`,
    ];
  return [
    "unavailable",
    storeHint(
      "check the server, which has to be the primary, and the parameters sslmode and sslrootcert of its URL",
      aroundJournal,
    ),
  ];
}
