// The line that turns while somebody waits. The only importer of ora; it is loaded when a wait has become long.
import ora from "ora";
import type { Spinner } from "../context.ts";

/** Turns in ASCII, which every terminal and locale has. `say` is asked anew as time passes. */
export function createSpinner(stream: NodeJS.WriteStream, say: () => string): Spinner {
  const spinner = ora({
    stream,
    spinner: { frames: ["-", "\\", "|", "/"], interval: 120 },
    color: false,
    text: say(),
    // Whether it is wanted was decided before; what is typed meanwhile is not ora's to take.
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
