// What a command says while it works, on stderr: notes, warnings, and the line that turns while somebody waits.
// It hides who is to be told what: a person, a script that reads JSON, or nobody.
import type { Format, GlobalFlags } from "../commands/define-command.ts";
import type { Context, Reporter, Spinner } from "../platform/context.ts";
import { escapeLine } from "../view/terminal/escape.ts";

export function createReporter(context: Context, { quiet, debug }: GlobalFlags, format: Format): Reporter {
  const json = format === "json";
  const canSpin = context.stderr.isTerminal && context.env.TERM !== "dumb" && !quiet && !json;
  const waits: Wait[] = [];
  let spinner: Spinner | undefined;
  let isProgressing = false;
  const write = (text: string) => {
    spinner?.clear();
    if (isProgressing) reporter.progress("");
    void context.stderr.write(`${text}\n`).catch(() => undefined);
  };
  const stopSpinner = () => {
    spinner?.stop();
    spinner = undefined;
  };
  /** The outermost says what it is about, until another one within it becomes long. */
  const sayWait = () => {
    const now = context.clock.now();
    const long = waits.slice(1).findLast(({ since }) => now - since >= longWait);
    return escapeLine((long ?? waits[0])?.say() ?? "");
  };
  const reporter: Reporter = {
    info: (text) => {
      if (!quiet && !json) write(escapeLine(text));
    },
    warn: (text) => write(json ? JSON.stringify({ warning: text }) : `warning: ${escapeLine(text)}`),
    progress: (text) => {
      isProgressing = text !== "";
      // One line at a time: this one has more to say.
      if (isProgressing) stopSpinner();
      if (!quiet && !json && context.stderr.isTerminal)
        void context.stderr.write(`\r\u001b[K${escapeLine(text)}`).catch(() => undefined);
    },
    withSpinner: async (say, work, noted) => {
      if (!canSpin || isProgressing) {
        if (noted === "noted") reporter.info(say());
        return work();
      }
      const wait = { say, since: context.clock.now() };
      waits.push(wait);
      spinner ??= context.spin(sayWait);
      try {
        return await work();
      } finally {
        waits.splice(waits.indexOf(wait), 1);
        if (waits.length === 0) stopSpinner();
      }
    },
    ...(debug ? { debug: (line: string) => write(escapeLine(line)) } : {}),
  };
  return reporter;
}

/** Something that is waited for; `since` in milliseconds since the epoch. */
interface Wait {
  readonly say: () => string;
  readonly since: number;
}

/** From here on, a wait within another is what a person wants to know of. In milliseconds. */
const longWait = 1000;
