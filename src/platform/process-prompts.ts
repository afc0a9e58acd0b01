// The prompts of this process's terminal. Each part loads when it is first used.
import type { Prompts, Spin, Spinner } from "./context.ts";

/** `signal` ends a question. `setEditing` is called when an editor takes over the terminal, and when it ends. */
export function createProcessPrompts(
  signal: () => AbortSignal,
  setEditing: (isEditing: boolean) => void,
): Prompts {
  return {
    async ask(...question) {
      const { askLine } = await import("./terminal/ask.ts");
      return askLine(process, signal(), ...question);
    },
    async withoutEcho(work) {
      const { withoutEcho } = await import("./terminal/ask.ts");
      return withoutEcho(process, work);
    },
    async open(look) {
      const { createPrompts } = await import("./terminal/prompts.ts");
      const { stdin: input, stderr: output } = process;
      return createPrompts({ ...look, input, output, signal: signal() });
    },
    async runEditor(command) {
      const { runChild } = await import("./child-process.ts");
      setEditing(true);
      try {
        return await runChild(command, { env: {}, signal: signal() });
      } finally {
        setEditing(false);
      }
    },
    async openBrowser(...address) {
      return (await import("./open-browser.ts")).openBrowser(...address);
    },
    spin,
  };
}

/** A shorter wait shows no spinner. In milliseconds. */
const spinnerDelay = 200;

const spin: Spin = (say) => {
  let spinner: Spinner | undefined;
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { createSpinner } = await import("./terminal/spinner.ts");
    if (!isStopped) spinner = createSpinner(process.stderr, say);
  }, spinnerDelay);
  return {
    clear: () => spinner?.clear(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
};
