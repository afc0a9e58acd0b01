// Runs a program in a process group of its own, so that it ends with all its children.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ProgramResult, RunProgram } from "./context.ts";

/** The time that a program gets after an abort, in milliseconds, so that a push that is nearly done can report. */
const abortedTime = 1000;

/** Milliseconds in which messages may still arrive after the program has ended. */
const drainTime = 500;

const outputLimit = 64 * 1024 * 1024;

export const runProgram: RunProgram = ([file = "", ...args], { cwd, env, input, timeout, signal }) =>
  new Promise<ProgramResult>((resolve) => {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: "pipe" });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const timers = new Set<NodeJS.Timeout>();
    const after = (milliseconds: number, work: () => void) => void timers.add(setTimeout(work, milliseconds));
    let problem: string | undefined;
    let size = 0;
    const end = (reason: string) => {
      problem ??= reason;
      killGroup(child);
    };
    const shorten = () => after(abortedTime, () => end("was ended after an interruption"));
    const finish = (exitCode: number | undefined, reason?: string) => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", shorten);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
      const why = problem ?? reason;
      resolve({
        exitCode: why === undefined ? exitCode : undefined,
        stdout: text(stdout),
        stderr: text(stderr),
        ...(why !== undefined && { problem: why }),
      });
    };
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > outputLimit) end("printed too much");
      else chunks.push(chunk);
    };
    child.stdout.on("data", keep(stdout));
    child.stderr.on("data", keep(stderr));
    // A program may end before it has read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("error", (error: NodeJS.ErrnoException) => finish(undefined, `did not start (${error.code})`));
    const conclude = () => {
      const { exitCode, signalCode } = child;
      finish(exitCode ?? undefined, exitCode === null ? `was ended by ${signalCode}` : undefined);
    };
    // stdout is the result, so its end counts. A child that stays, as ssh does to share a connection, can keep stderr open.
    const ends = [once(child, "exit"), once(child.stdout, "end")];
    void Promise.all(ends).then(
      () => after(drainTime, conclude),
      () => undefined,
    );
    child.once("close", conclude);
    after(timeout, () => end(`did not end within ${timeout / 1000} seconds`));
    if (signal.aborted) shorten();
    else signal.addEventListener("abort", shorten, { once: true });
  });

/** Ends a program with all its children, where it has a process group of its own. */
export function killGroup({ pid }: Pick<ChildProcess, "pid">): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has ended already.
  }
}
