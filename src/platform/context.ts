// The outside world as a command sees it: an argument, so that tests pass other streams, another clock or the sandbox.
import type * as fs from "node:fs";
import type { TimeLimit } from "../failure.ts";
import type { Transport } from "../http/transport.ts";
import type { captureChild, runChild, runProgram } from "./child-process.ts";
import type { PromptSession } from "./terminal/prompts.ts";
import type { SafeText } from "./terminal/safe-text.ts";

/** node:fs with absolute paths, without functions for whole files, which block on a FIFO: regular-file.ts has others. */
export interface Files
  extends Omit<
    typeof fs,
    "appendFileSync" | "copyFileSync" | "mkdirSync" | "readFileSync" | "writeFileSync"
  > {
  /** Makes one folder. The recursive form can loop for ever; see folders.ts. */
  mkdirSync(path: string, options: { readonly mode: number }): void;
}

export interface Output {
  readonly isTerminal: boolean;
  /** Width in columns; 80 if unknown. */
  readonly columns: number;
  /** Resolves when the system has accepted the text. Rejects when it cannot be written, as on a full disk. */
  write(text: SafeText): Promise<void>;
}

export interface Clock {
  now(): number;
  /** Milliseconds on a clock that never goes back and is never set. It may stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after `milliseconds`, or as soon as `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** A new random GUID (version 4) in lower case. */
  guid(): string;
  fraction(): number;
}

export type ProgramResult = Awaited<ReturnType<typeof runProgram>>;

/** An animated line on stderr during a wait. */
export interface Spinner {
  /** Removes the line until its next frame, so that other text can be written in its place. */
  clear(): void;
  stop(): void;
}

export interface Io {
  readonly stdin: {
    readonly isTerminal: boolean;
    /** Reads to the end, at most `limit` + 1 bytes. */
    read(limit: number): Promise<Uint8Array>;
  };
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** This user's numeric id; undefined on systems without one. */
  readonly user: number | undefined;
  /** This user's name and this machine's, for the journal. The first throws where the user has none. */
  readonly userName: () => string;
  readonly host: () => string;
  readonly home: string;
  readonly temporary: string;
  /** The folder of this tool below the user's caches, which need not exist; undefined for one that others can change. */
  readonly cacheFolder: () => Promise<string | undefined>;
  /** Minutes that the user's local time is ahead of UTC at an instant, given in milliseconds since the epoch. */
  readonly localOffset: (at: number) => number;
  readonly clock: Clock;
  /** Gives a function that says whether `milliseconds` are over, also after a stop of the process or a sleep of the machine. */
  readonly startDeadline: (milliseconds: number) => () => boolean;
  readonly random: Random;
  /** Aborted by SIGINT, SIGTERM or SIGHUP, with the signal's name as its reason, or by a `TimeLimit`. */
  readonly signal: AbortSignal;
  /**
   * Until the returned function is called, a second signal does not end the process: only this process knows an outcome that
   * has to be recorded. The first signal still aborts `signal`, which bounds each step.
   */
  readonly holdExit: () => () => void;
  /** Aborted when the time limit of the command expires; absent without one. `signal` is then aborted as well. */
  readonly deadline?: AbortSignal;
  /** Gives the limit once it is over, also within work that handles no event; absent without one. */
  readonly overdue?: () => TimeLimit | undefined;
  /** A signal that is aborted with `reason` after `milliseconds`. */
  readonly abortAfter: (milliseconds: number, reason: unknown) => AbortSignal;
  readonly runChild: typeof runChild;
  readonly captureChild: typeof captureChild;
  readonly runProgram: typeof runProgram;
  /** Has `work` done when the process ends, unless it is killed. */
  readonly atExit: (work: () => void) => void;
}

export interface Prompts {
  /** Asks on stderr. `hint`: of the `Failure` after Ctrl-C or Ctrl-D. Requires `canAsk`. */
  readonly open: (color: boolean, hint: string) => Promise<PromptSession>;
  readonly openBrowser: (address: string, cwd: string) => Promise<void>;
  /** Shows `say()`, redrawn several times a second, after a short delay. */
  readonly spin: (say: () => SafeText) => Spinner;
}

/** A function takes only the groups, or the parts of groups, that it uses. */
export interface Context {
  readonly io: Io;
  readonly system: System;
  readonly files: Files;
  /** Each call sends one request. Nothing is loaded or opened before the first one. */
  readonly network: Transport;
  readonly prompts: Prompts;
}

/** The messages of a running command, all on stderr. */
export interface Reporter {
  /** A message for people; silent with --quiet and under -o json. */
  info(text: string): void;
  warn(text: string): void;
  /** Runs `work`. A terminal shows `say()` with a spinner after a moment; elsewhere, `noted` writes it as a message. */
  withSpinner<T>(say: () => string, work: () => Promise<T>, noted?: "noted"): Promise<T>;
  /** Writes a line of the trace; absent without --debug. */
  readonly debug?: (line: string) => void;
}
