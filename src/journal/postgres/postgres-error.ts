// An error of a statement, or of the connection that it needs.

/** `unsent`: the server has not got the statement. `sent`: whether it was carried out is not known. */
export type Phase = "unsent" | "sent";

export class PostgresError extends Error {
  /** The SQLSTATE of the server, or the code of the system. */
  readonly code: string | undefined;
  readonly phase: Phase;

  constructor(phase: Phase, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.phase = phase;
    this.code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  }
}
