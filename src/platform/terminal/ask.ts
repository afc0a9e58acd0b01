// Asks a person for one line, on stderr. It hides how the answer is kept from being seen, and how a question ends
// that nobody answers.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Ask } from "../context.ts";

/** A signal ends the question, as the person's own Ctrl-C and Ctrl-D do. */
export async function askLine(
  { stdin, stderr }: Pick<NodeJS.Process, "stdin" | "stderr">,
  signal: AbortSignal,
  ...[question, { hidden = false } = {}]: Parameters<Ask>
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? nowhere : stderr, terminal: true });
  // Only now: before, the terminal itself would show what is typed or pasted as soon as the question is there.
  if (hidden) stderr.write(question);
  const leave = () => lines.close();
  signal.addEventListener("abort", leave);
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", leave);
      if (signal.aborted) leave();
      else lines.question(hidden ? "" : question, resolve);
    });
  } finally {
    signal.removeEventListener("abort", leave);
    lines.close();
    if (hidden) stderr.write("\n");
  }
}
