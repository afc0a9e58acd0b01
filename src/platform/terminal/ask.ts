// Asks for one line on stderr. Hides how a paste of several lines becomes one answer, and how an unanswered question
// ends.
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Ask } from "../context.ts";
import { markPastes, unmarkPastes } from "./paste.ts";
import { createKeys } from "./streams.ts";

type TerminalProcess = Pick<NodeJS.Process, "env" | "stdin" | "stderr">;

/** An aborted `signal` ends the question, as Ctrl-C and Ctrl-D do. */
export async function askLine(
  { env, stdin, stderr }: TerminalProcess,
  signal: AbortSignal,
  ...[question]: Parameters<Ask>
): Promise<string | undefined> {
  const keys = createKeys(stdin);
  const marks = env.TERM !== "dumb";
  const lines = createInterface({ input: keys, output: stderr, terminal: true });
  stdin.pipe(keys);
  if (marks) stderr.write(markPastes);
  const close = () => lines.close();
  signal.addEventListener("abort", close);
  let answer: string | undefined;
  try {
    answer = await new Promise<string | undefined>((resolve) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", close);
      if (signal.aborted) close();
      else lines.question(question, resolve);
    });
    return answer;
  } finally {
    signal.removeEventListener("abort", close);
    stdin.unpipe(keys);
    stdin.pause();
    lines.close();
    if (marks) stderr.write(unmarkPastes);
    // Ctrl-C and Ctrl-D leave the cursor behind the question.
    if (answer === undefined) stderr.write("\n");
  }
}

/** How long the rest of a paste may take to arrive, in milliseconds. */
const pasteTime = 50;

/**
 * Does `work` while keys are neither shown nor kept for the shell: a paste can be longer than the answer that it gave.
 * Ctrl-C works as ever.
 */
export async function withoutEcho<T>(
  { stdin, kill, pid }: Pick<NodeJS.Process, "stdin" | "kill" | "pid">,
  work: () => Promise<T>,
): Promise<T> {
  const swallow = (keys: Buffer) => {
    if (keys.includes("\u0003")) kill(pid, "SIGINT");
  };
  stdin.setRawMode(true);
  stdin.on("data", swallow).resume();
  try {
    return await work();
  } finally {
    await delay(pasteTime);
    stdin.off("data", swallow).pause();
    stdin.setRawMode(false);
  }
}
