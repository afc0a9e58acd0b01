// Errors of PostgreSQL as failures that name the next action.
import { codeOf, Failure, type FailureKind, messageOf } from "../../failure.ts";
import { createRedaction } from "../../http/redact.ts";
import { advise, argv } from "../../text/advice.ts";
import { aroundJournal, storeHint } from "../journal-errors.ts";
import { describeServer, type PostgresServer } from "./server.ts";

/** The failure of a statement, or of the connection that it needs. */
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
