// Runs other programs without a shell: in the place of this one, or to capture their output.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { isatty } from "node:tty";
import type { ProgramResult, RunChild, RunProgram } from "./context.ts";
import { workingDirectory } from "./folders/working-directory.ts";

export const runChild: RunChild = async ([file = "", ...args], { env, signal }) => {
  const cwd = workingDirectory();
  try {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
    // A terminal sends Ctrl-C to the child as well. Any other signal reaches only this process.
    const forward = () => {
      if (signal.reason !== "SIGINT" || !isatty(0))
        child.kill(signal.reason === "SIGINT" ? "SIGINT" : "SIGTERM");
    };
    if (signal.aborted) forward();
    signal.addEventListener("abort", forward);
    const [exitCode, name] = await once(child, "exit");
    return { exitCode: exitCode ?? 128 + constants.signals[name as NodeJS.Signals] };
  } catch (error) {
    return { exitCode: 127, problem: startProblem(file, error as NodeJS.ErrnoException) };
  }
};

function startProblem(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `there is no program ${file}`;
  if (code === "EACCES") return `${file} may not be executed`;
  return message;
}

/** The time that a program gets after an abort, in milliseconds, so that a push that is nearly done can report. */
const abortedTime = 1000;

/** Milliseconds in which messages may still arrive after the program has ended. */
const drainTime = 500;

/** The most output, in MiB. */
const outputLimit = 64;

export const runProgram: RunProgram = ([file = "", ...args], { isShared = false, ...options }) =>
  new Promise<ProgramResult>((resolve) => {
    const { cwd, env, input, timeout, signal } = options;
    const stdio: SpawnOptions["stdio"] = isShared
      ? [isatty(0) ? "inherit" : "ignore", "pipe", "inherit"]
      : "pipe";
    const child = spawn(file, args, { cwd, env, detached: !isShared, stdio });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const timers = new Set<NodeJS.Timeout>();
    const after = (milliseconds: number, work: () => void) => void timers.add(setTimeout(work, milliseconds));
    let problem: string | undefined;
    let size = 0;
    const end = (reason: string) => {
      problem ??= reason;
      if (!isShared) return killGroup(child);
      // A program that asks at the terminal restores it first.
      child.kill();
      after(abortedTime, () => child.kill("SIGKILL"));
    };
    const shorten = () => after(abortedTime, () => end("was ended after an interruption"));
    const finish = (exitCode: number | undefined, reason?: string) => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener("abort", shorten);
      for (const stream of child.stdio) stream?.destroy();
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
      if (size > outputLimit * 1024 * 1024) end(`printed more than ${outputLimit} MiB`);
      else chunks.push(chunk);
    };
    child.stdout?.on("data", keep(stdout));
    child.stderr?.on("data", keep(stderr));
    // A program may end before it has read its input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    child.once("error", (error: NodeJS.ErrnoException) => finish(undefined, `did not start (${error.code})`));
    const conclude = () => {
      const { exitCode, signalCode } = child;
      finish(exitCode ?? undefined, exitCode === null ? `was ended by ${signalCode}` : undefined);
    };
    // stdout is the result, so its end counts. A child that stays, as ssh does to share a connection, can keep stderr open.
    const ends = [once(child, "exit"), once(child.stdout as NodeJS.ReadableStream, "end")];
    void Promise.all(ends).then(
      () => after(drainTime, conclude),
      () => undefined,
    );
    child.once("close", conclude);
    after(timeout, () => end(`did not end within ${timeout / 1000} seconds`));
    if (signal.aborted) shorten();
    else signal.addEventListener("abort", shorten, { once: true });
  }).catch(({ code }) => ({
    exitCode: undefined,
    stdout: "",
    stderr: "",
    problem: `did not start (${code})`,
  }));

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process group has ended already.
  }
}
