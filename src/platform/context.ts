// Everything of the outside world that a command may touch. Commands get it as an argument, so that a test
// hands them other streams, another clock or the sandbox instead of replacing modules.
import type * as fs from "node:fs";
import type { Transport } from "../http/transport.ts";

/** The synchronous part of node:fs that the tool uses. Paths are absolute. */
export type Files = Pick<
  typeof fs,
  | "constants"
  | "appendFileSync"
  | "closeSync"
  | "fchmodSync"
  | "fstatSync"
  | "fsyncSync"
  | "linkSync"
  | "lstatSync"
  | "mkdirSync"
  | "mkdtempSync"
  | "openSync"
  | "readFileSync"
  | "readSync"
  | "readdirSync"
  | "realpathSync"
  | "renameSync"
  | "rmSync"
  | "statSync"
  | "unlinkSync"
  | "writeFileSync"
  | "writeSync"
>;

export interface Input {
  readonly isTerminal: boolean;
  /** Reads to the end, at most `limit` + 1 bytes. */
  read(limit: number): Promise<Uint8Array>;
}

export interface Output {
  readonly isTerminal: boolean;
  /** Width in columns; 80 where it is not known. */
  readonly columns: number;
  /** Height in lines; 24 where it is not known. */
  readonly rows: number;
  /** Resolves when the text is handed to the system. Rejects when it cannot be written, as on a full disk. */
  write(text: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that never goes back and is never set. It may stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after `milliseconds`, or at once when `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** An instant on the machine's own clock, which cannot be set: comparable only within one boot of one machine. */
export interface BootTime {
  readonly boot: string;
  /** Milliseconds since the machine started, its sleep included. */
  readonly elapsed: number;
}

export interface Random {
  /** A fresh random GUID (version 4), lower case. */
  guid(): string;
  /** At least 0, below 1. */
  fraction(): number;
}

/** How a child process ended: its exit code, 128 plus the number of the signal that ended it, or 127 and why it did not start. */
export type RunChild = (
  command: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) => Promise<{ readonly exitCode: number; readonly problem?: string }>;

/**
 * Runs a command without a shell for what it prints: at most 1 MiB. Its stderr goes to this process's own, and it
 * may ask a person who sits at a terminal. `problem` says why there is no exit code; it repeats no argument.
 */
export type CaptureChild = (
  command: readonly string[],
  /** `timeout` in milliseconds. */
  options: { readonly cwd: string; readonly timeout: number; readonly signal: AbortSignal },
) => Promise<{ readonly exitCode?: number | undefined; readonly stdout: string; readonly problem?: string }>;

/**
 * Asks a person for one line, on stderr; `hidden` shows nothing of the answer. Undefined where the person ends the
 * question with Ctrl-C or Ctrl-D. Only for where `canAsk` of commands/asking.ts holds.
 */
export type Ask = (question: string, options?: { readonly hidden?: boolean }) => Promise<string | undefined>;

/** A line on stderr that turns while somebody waits. */
export interface Spinner {
  /** Takes the line away until it is drawn the next time, so that another can be written in its place. */
  clear(): void;
  /** Takes it away for good. */
  stop(): void;
}

/** Shows `say()`, drawn anew several times a second, unless it is stopped before a person would notice the wait. */
export type Spin = (say: () => string) => Spinner;

/** One question; what it resolves to is undefined where the person ends it with Ctrl-C or Escape. */
interface Question<T> {
  readonly message: string;
  readonly initial?: T | undefined;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
}

export interface PromptLook {
  readonly colour: boolean;
  /** Whether symbols beyond ASCII can be shown. */
  readonly unicode: boolean;
}

/** Asks a person with lists and lines, on stderr. Only for where `canAsk` of commands/asking.ts holds. */
export interface PromptSession {
  /** One line; `check` gives what is wrong with it. */
  text(
    question: Question<string> & {
      readonly placeholder?: string | undefined;
      readonly check: (text: string) => string | undefined;
    },
  ): Promise<string | undefined>;
  choose<T extends string>(
    question: Question<T> & { readonly choices: readonly Choice<T>[] },
  ): Promise<T | undefined>;
  /** At least one of a list that typing narrows down. */
  chooseSeveral(
    question: Question<readonly string[]> & { readonly choices: readonly Choice<string>[] },
  ): Promise<readonly string[] | undefined>;
}

/** The process's standard streams. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The machine and the user that the command runs for. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** As Node.js writes it: `v20.18.1`. */
  readonly nodeVersion: string;
  /** This user's numeric id; undefined where the system has none. */
  readonly user: number | undefined;
  readonly home: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  /** Minutes that the user's local time is ahead of UTC at an instant, given in milliseconds since the epoch. */
  readonly localOffset: (at: number) => number;
  readonly clock: Clock;
  /** Now, and when this process started; undefined where the system does not say. */
  readonly bootTime: (of: "now" | "start") => BootTime | undefined;
  readonly random: Random;
  /** Aborted by SIGINT or SIGTERM, with the signal's name as its reason. */
  readonly signal: AbortSignal;
  readonly runChild: RunChild;
  readonly captureChild: CaptureChild;
}

export interface Network {
  /** Builds the way to the network; nothing is loaded or opened before the first request. */
  readonly openTransport: () => Transport;
}

/** How a command talks with the person at the terminal. */
export interface Prompts {
  readonly ask: Ask;
  readonly open: (look: PromptLook) => Promise<PromptSession>;
  /** Runs a program that has the terminal, and Ctrl-C with it, to itself until it ends. */
  readonly runEditor: (command: readonly string[]) => ReturnType<RunChild>;
  readonly spin: Spin;
}

/** The outside world, in groups: a function takes only the groups, or the parts of them, that it uses. */
export interface ContextGroups {
  readonly io: Io;
  readonly system: System;
  readonly files: Files;
  readonly network: Network;
  readonly prompts: Prompts;
}

/** TRANSITION: the flat members go once each room takes groups. */
export interface Context
  extends ContextGroups,
    Io,
    System,
    Network,
    Pick<Prompts, "ask" | "runEditor" | "spin"> {
  readonly openPrompts: Prompts["open"];
}

/** What a command may say while it works; all of it goes to stderr. */
export interface Reporter {
  /** Progress, for people; silent with --quiet and under -o json. */
  info(text: string): void;
  warn(text: string): void;
  /** A line that the next one replaces, on a person's terminal alone; an empty one takes it away. */
  progress(text: string): void;
  /**
   * Does `work`. On a person's terminal a line says what is waited for, once that takes a moment, and leaves no
   * trace; `noted` says it in a note where there is no such line.
   */
  withSpinner<T>(say: () => string, work: () => Promise<T>, noted?: "noted"): Promise<T>;
  /** A line of `--debug`'s trace; absent without it. */
  readonly debug?: (line: string) => void;
}
