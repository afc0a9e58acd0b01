// Starts programs without a shell: a rehearsal's command, a key's command, git, a browser. The only importer of execa.
import { once } from "node:events";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { execa, type Options } from "execa";
import { tryTo } from "../failure.ts";

/** At the time limit, in milliseconds, or soon after an abort of `signal`, a program ends together with its children. */
interface ProgramLimits {
  readonly cwd: string;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

interface Environment {
  readonly env: Readonly<Record<string, string>>;
}

interface ProgramResult {
  /** Undefined where the program did not start, or was ended before it exited. */
  readonly exitCode?: number | undefined;
  /** Empty where there is a problem. */
  readonly stdout: string;
  readonly stderr: string;
  /** The reason for a missing exit code; it contains no argument. */
  readonly problem?: string;
}

/** Gives the exit code: 128 plus the number of the signal that ended the child, or 127 and the reason it did not start. */
export async function runChild(
  command: readonly string[],
  { cwd, env, signal }: Environment & Omit<ProgramLimits, "timeout">,
): Promise<{ readonly exitCode: number; readonly problem?: string }> {
  const [file, ...args] = command;
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
  return { exitCode: 127, problem: `${file} did not start (${result.code})` };
}

/** Captures the stdout of a command. It shares stderr and a terminal with this process. */
export function captureChild(command: readonly string[], limits: ProgramLimits): Promise<ProgramResult> {
  const isInteractive = isatty(0);
  // A process group of its own has no terminal, which a program that asks for a passphrase needs.
  const streams = { detached: !isInteractive, stdin: isInteractive ? "inherit" : "ignore" } as const;
  return capture(command, limits, { ...streams, stderr: "inherit", maxBuffer: 2 ** 20 });
}

/** Runs a program apart from the terminal: Ctrl-C does not reach it, and it can ask nothing. `env` is all that it gets. */
export function runProgram(
  command: readonly string[],
  { env, input = "", ...limits }: ProgramLimits & Environment & { readonly input?: string },
): Promise<ProgramResult> {
  const apart = { env, extendEnv: false, input, detached: true, maxBuffer: 64 * 2 ** 20 };
  return capture(command, limits, apart);
}

async function capture(
  [file = "", ...args]: readonly string[],
  { cwd, timeout, signal }: ProgramLimits,
  options: Options,
): Promise<ProgramResult> {
  const child = execa(file, args, { ...options, cwd, reject: false, stripFinalNewline: false });
  const { pid, stdout, stderr } = child;
  const timers: NodeJS.Timeout[] = [];
  const after = (milliseconds: number, work: () => void) => void timers.push(setTimeout(work, milliseconds));
  let problem: string | undefined;
  const end = (reason: string) => {
    problem ??= reason;
    child.kill("SIGKILL");
    // Its children as well: one can hold an output open and outlive it. The group may have ended already.
    if (options.detached && pid !== undefined) tryTo(() => process.kill(-pid, "SIGKILL"));
    for (const stream of [stdout, stderr]) stream?.destroy();
  };
  // A program apart from the terminal gets a second, so that a push that is nearly done can report.
  const shorten = () => after(stderr === null ? 0 : 1000, () => end("was ended after an interruption"));
  after(timeout, () => end(`did not end within ${timeout / 1000} seconds`));
  if (signal.aborted) shorten();
  signal.addEventListener("abort", shorten);
  // The result is on stdout. A child that stays, as ssh does to share a connection, can keep stderr open: messages may still
  // arrive for half a second.
  if (stdout && stderr)
    void Promise.all([once(child, "exit"), once(stdout, "end")]).then(
      () => after(500, () => stderr.destroy()),
      () => undefined,
    );
  const result = await child;
  signal.removeEventListener("abort", shorten);
  for (const timer of timers) clearTimeout(timer);
  if (result.isMaxBuffer) end(`printed more than ${Number(options.maxBuffer) / 2 ** 20} MiB`);
  const { code, exitCode } = result;
  if (exitCode === undefined)
    problem ??= result.signal ? `was ended by ${result.signal}` : `did not start (${code})`;
  const output = { stdout: String(result.stdout ?? ""), stderr: String(result.stderr ?? "") };
  return problem === undefined ? { exitCode, ...output } : { ...output, stdout: "", problem };
}

/** The shell's own `start` of Windows would read the address as a command line. */
const openers: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]],
]);

/** Opens an address in the browser, where there is one. `cwd` is no folder of a checkout. */
export function openBrowser(address: string, cwd: string): void {
  const own = process.env.BROWSER;
  const [file, ...args] = own ? [own] : (openers.get(process.platform) ?? ["xdg-open"]);
  void execa(file, [...args, address], { cwd, detached: true, stdio: "ignore", reject: false });
}
