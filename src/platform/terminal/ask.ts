// Asks for one line on stderr. Hides how the echo of a secret is suppressed and how an unanswered question ends.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Ask } from "../context.ts";

/** An aborted `signal` ends the question, as Ctrl-C and Ctrl-D do. */
export async function askLine(
  { stdin, stderr }: Pick<NodeJS.Process, "stdin" | "stderr">,
  signal: AbortSignal,
  ...[question, { hidden = false } = {}]: Parameters<Ask>
): Promise<string | undefined> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? discard : stderr, terminal: true });
  // The question appears only now, when the terminal has stopped echoing keys.
  if (hidden) stderr.write(question);
  const close = () => lines.close();
  signal.addEventListener("abort", close);
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", close);
      if (signal.aborted) close();
      else lines.question(hidden ? "" : question, resolve);
    });
  } finally {
    signal.removeEventListener("abort", close);
    lines.close();
    if (hidden) stderr.write("\n");
  }
}
