// Starts child processes without a shell: the command of a rehearsal, and a command that prints a key. The only
// importer of execa.
import { constants } from "node:os";
import { isatty } from "node:tty";
import { execa, type Result } from "execa";
import type { CaptureChild, RunChild } from "./context.ts";
import { workingDirectory } from "./folders.ts";
import { killGroup } from "./run-program.ts";

export const runChild: RunChild = async (command, { env, signal }) => {
  const [file, ...args] = command;
  const cwd = workingDirectory();
  const child = execa(file as string, args, { cwd, env, stdio: "inherit", reject: false, cleanup: false });
  // A terminal sends Ctrl-C to the child as well. Any other signal reaches only this process.
  const forward = () => {
    if (signal.reason !== "SIGINT" || !isatty(0))
      child.kill(signal.reason === "SIGINT" ? "SIGINT" : "SIGTERM");
  };
  if (signal.aborted) forward();
  signal.addEventListener("abort", forward);
  const result = await child;
  signal.removeEventListener("abort", forward);
  if (result.exitCode !== undefined) return { exitCode: result.exitCode };
  if (result.signal !== undefined) return { exitCode: 128 + constants.signals[result.signal] };
  return { exitCode: 127, problem: startProblem(file as string, result) };
};

function startProblem(file: string, { code, shortMessage }: Pick<Result, "code" | "shortMessage">): string {
  if (code === "ENOENT") return `there is no program ${file}`;
  if (code === "EACCES") return `${file} may not be executed`;
  return shortMessage?.split("\n").at(-1) ?? "it did not start";
}

export const captureChild: CaptureChild = async (command, { cwd, timeout, signal }) => {
  const [file, ...args] = command;
  const isInteractive = isatty(0);
  const child = execa(file as string, args, {
    cwd,
    // A process group of its own has no terminal, which a program that asks for a passphrase needs.
    detached: !isInteractive,
    stdin: isInteractive ? "inherit" : "ignore",
    stderr: "inherit",
    maxBuffer: 1024 * 1024,
    stripFinalNewline: false,
    reject: false,
  });
  let isLate = false;
  // A child of the program can hold its stdout open, and outlive it.
  const stop = () => {
    child.kill("SIGKILL");
    if (!isInteractive) killGroup(child);
    child.stdout.destroy();
  };
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeout);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  const result = await child;
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  const { exitCode, stdout } = result;
  if (isLate) return { stdout: "", problem: `did not end within ${timeout / 1000} seconds` };
  if (result.isMaxBuffer) return { stdout: "", problem: "printed more than 1 MiB" };
  if (exitCode !== undefined) return { exitCode, stdout };
  return {
    stdout: "",
    problem: result.signal ? `was ended by ${result.signal}` : `did not start (${result.code})`,
  };
};
