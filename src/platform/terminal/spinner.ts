// The animated line of a long wait. The only importer of ora, which loads when a wait becomes long.
import ora from "ora";
import type { Spinner } from "../context.ts";

/** Uses ASCII, which every terminal and locale can show. Calls `say` repeatedly. */
export function createSpinner(stream: NodeJS.WriteStream, say: () => string): Spinner {
  // ora clears the lines of a text of this width: without end where a terminal has no size.
  if (!stream.columns) return { clear: () => undefined, stop: () => undefined };
  const spinner = ora({
    stream,
    spinner: { frames: ["-", "\\", "|", "/"], interval: 120 },
    color: false,
    text: say(),
    // The reporter decides whether a spinner is shown. ora must not consume input.
    isEnabled: true,
    discardStdin: false,
  }).start();
  const clock = setInterval(() => {
    spinner.text = say();
  }, 250);
  return {
    clear: () => void spinner.clear(),
    stop: () => {
      clearInterval(clock);
      spinner.stop();
    },
  };
}
