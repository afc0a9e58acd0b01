// What can go wrong, as a closed set: every kind of failure with its exit code, and the shape of a
// diagnostic. Each layer classifies into these at its edge; only main.ts turns them into output.

/** Exit code of each kind of failure. The codes tell a script what to do next. */
export const exitCodes = {
  internal: 1,
  usage: 2,
  invalid: 3,
  credentials: 4,
  missing: 5,
  rejected: 6,
  unavailable: 7,
  uncertain: 8,
  partial: 9,
  timeout: 10,
  drift: 11,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<string, number>;

export type FailureKind = keyof typeof exitCodes;

/** One step of a path into a document: a field's name or a list's index. */
export type Path = readonly (string | number)[];

/** A place in a text file. `line` and `column` count from 1; columns are Unicode code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A stretch of one file; `end` is just past the last character. */
export interface Location {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
  /** The whole source line at `start`, as it stands in the file. */
  readonly source: string;
}

/**
 * Finds where a path stands in its file. A path that is not there gives its nearest ancestor. With `within`, the
 * place is narrowed to where that text first stands in it, if it does.
 */
export type Locate = (path: Path, part?: "key" | "value", within?: string) => Location;

/** The closed catalogue of what can be wrong with a file. Codes are stable: people filter by them. */
export type DiagnosticCode =
  | "file-too-large"
  | "not-utf8"
  | "yaml-syntax"
  | "yaml-version"
  | "too-deep"
  | "too-many-aliases"
  | "duplicate-key"
  | "unknown-tag"
  | "no-definition"
  | "wrong-type"
  | "unknown-field"
  | "missing-field"
  | "unknown-severity"
  | "unknown-status"
  | "unknown-value"
  | "name-too-long"
  | "blank-text"
  | "empty-list"
  | "not-a-guid"
  | "not-a-date"
  | "not-a-date-time"
  | "not-a-whole-number"
  | "unknown-service"
  | "unset-variable"
  | "bad-variable"
  | "not-a-fault"
  | "missing-id"
  | "duplicate-id";

/** One thing that is wrong in a file, where it stands, and what to write instead. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly level: "error" | "warning";
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to write instead. */
  readonly hint: string;
  readonly location: Location;
}

/** What the service answered, as far as it helps to understand a failure. */
export interface AnswerExcerpt {
  readonly status: number;
  /** The decoded JSON body, or an excerpt of a body that is not JSON. */
  readonly body?: unknown;
}

/** A command that comes next, and what it is for. */
export interface NextCommand {
  readonly command: string;
  readonly purpose: string;
}

export interface FailureDetails {
  /** One sentence that says what to do now. */
  readonly hint: string;
  /** Where there is a choice of commands to run next. */
  readonly commands?: readonly NextCommand[];
  /** Whether running the same command again is safe and may succeed. */
  readonly retryable?: boolean;
  readonly diagnostics?: readonly Diagnostic[];
  readonly response?: AnswerExcerpt;
  /** What customers should have read: for a responder who now has to paste it by hand. */
  readonly publicText?: string;
  readonly cause?: unknown;
}

/** Every expected failure of a command. `message` says what happened, `hint` what to do. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly hint: string;
  readonly commands: readonly NextCommand[] | undefined;
  readonly retryable: boolean;
  readonly diagnostics: readonly Diagnostic[] | undefined;
  readonly response: AnswerExcerpt | undefined;
  readonly publicText: string | undefined;

  constructor(kind: FailureKind, message: string, details: FailureDetails) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.hint = details.hint;
    this.commands = details.commands;
    this.retryable = details.retryable ?? false;
    this.diagnostics = details.diagnostics;
    this.response = details.response;
    this.publicText = details.publicText;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}

/** A command that SIGINT or SIGTERM ended; `signal.reason` is the signal's name. */
export function cancellation(
  signal: AbortSignal | undefined,
  hint: string,
  commands?: readonly NextCommand[],
): Failure {
  const terminated = signal?.reason === "SIGTERM";
  const message = `cancelled by ${terminated ? "SIGTERM" : "Ctrl-C"}`;
  return new Failure(terminated ? "terminated" : "interrupted", message, {
    hint,
    ...(commands && { commands }),
  });
}

/** Does `work`; a `Failure` of it is only a warning. For work after the result is printed, which must still count. */
export async function bestEffort(
  { warn }: { warn(text: string): void },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}
