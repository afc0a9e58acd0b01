// The closed set of expected failures, with their exit codes. Each layer maps its errors to them; only main.ts prints them.
import type { Diagnostic } from "./diagnostic.ts";

/** A script decides on its next step by the code. */
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
  blocked: 12,
  confirmation: 13,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<string, number>;

export type FailureKind = keyof typeof exitCodes;

export interface AnswerExcerpt {
  readonly status: number;
  /** The decoded JSON body, or an excerpt of a body that is not JSON. */
  readonly body?: unknown;
}

export interface NextCommand {
  /** As a person pastes it into a shell. */
  readonly command: string;
  readonly purpose: string;
}

export interface Unconfirmed {
  /** The digest for --confirm; undefined where there is no command. */
  readonly confirm?: string;
  /** The words of the command line that sends exactly this. */
  readonly command?: readonly string[];
  /** The requests, or the plan. */
  readonly preview: unknown;
}

export interface FailureDetails {
  /** One sentence that states the next action. */
  readonly hint: string;
  /** Lines of YAML that show the next action. */
  readonly example?: string | undefined;
  /** The commands to choose from, if there are several. */
  readonly commands?: readonly NextCommand[] | undefined;
  /** Whether running the same command again is safe and may succeed, where the kind does not say it. */
  readonly retryable?: boolean | undefined;
  /** Whether no byte of the request reached the service. */
  readonly unreachable?: boolean;
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  readonly response?: AnswerExcerpt | undefined;
  /** For "confirmation". */
  readonly unconfirmed?: Unconfirmed | undefined;
  readonly cause?: unknown;
}

/** An expected failure of a command. `message` states the event, `hint` the next action. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  readonly details: FailureDetails;

  constructor(kind: FailureKind, message: string, details: FailureDetails) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  with(changes: Partial<FailureDetails & { kind: FailureKind; message: string }>): Failure {
    const { kind = this.kind, message = this.message, ...details } = changes;
    const { retryable } = this;
    return new Failure(kind, message, { ...this.details, retryable, cause: this, ...details });
  }

  get hint(): string {
    return this.details.hint;
  }

  get retryable(): boolean {
    return this.details.retryable ?? (this.kind === "unavailable" || this.kind === "timeout");
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}

/** The reason of a signal that a time limit of the command line aborts. */
export class TimeLimit {
  readonly flag: "--deadline" | "--wait-timeout";
  readonly text: string;

  /** `duration`: for a person, such as `30 s`. */
  constructor(flag: TimeLimit["flag"], duration: string) {
    this.flag = flag;
    this.text = `within ${duration} (${flag})`;
  }
}

/** The time limit that aborted `signal`; undefined where it is not aborted, or a person or the system stopped it. */
export function expiredLimit(signal: AbortSignal | undefined): TimeLimit | undefined {
  return signal?.reason instanceof TimeLimit ? signal.reason : undefined;
}

/** The service answered, and a time limit may have ended the command before it gave a better answer. */
export function atTimeLimit(failure: Failure, signal: AbortSignal | undefined): Failure {
  const limit = expiredLimit(signal);
  if (limit === undefined || failure.kind !== "unavailable") return failure;
  return failure.with({ kind: "timeout", message: `${failure.message}; not finished ${limit.text}` });
}

/** The meaning of an aborted signal: a time limit, or the name of the signal of the system as its reason. */
export function cancellation(signal: AbortSignal | undefined, hint: string): Failure {
  const limit = expiredLimit(signal);
  if (limit !== undefined) return new Failure("timeout", `not finished ${limit.text}`, { hint });
  return signal?.reason === "SIGTERM" || signal?.reason === "SIGHUP"
    ? new Failure("terminated", `cancelled by ${signal.reason}`, { hint })
    : new Failure("interrupted", "cancelled by Ctrl-C", { hint });
}

export function catchFailure(check: () => unknown): Failure | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return onlyFailure(error);
  }
}

/** The `Failure` that a `catch` gets. Throws any other error again. */
export function onlyFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** A thrown value as a failure. Any value but a `Failure` is a bug of this tool. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", `this is a bug in incident: ${messageOf(error)}`, {
    hint: "run it again with --debug and report what it prints",
    cause: error,
  });
}

/** For `catch`, where a `Failure` means that there is no value. */
export function ignoreFailure(error: unknown): undefined {
  onlyFailure(error);
}

/** Undefined where `work` throws: for an error that says no more than that there is no result. */
export function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Calls the system. Its error, such as `ENOENT`, is a `Failure` "usage" with the problem. */
export function callSystem<T>(problem: string, hint: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Failure("usage", `${problem} (${code})`, { hint, cause: error });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system or of a library, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
