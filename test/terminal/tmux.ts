// A real terminal in tmux: a test types keys and reads the screen.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { shellCommand } from "../built/program.ts";
import { temporaryFolder } from "../harness/incident.ts";

export interface Terminal {
  type(text: string): Promise<void>;
  /** Presses keys by the names of tmux: `Enter`, `Down`, `C-c`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes the text, in brackets where the program enabled bracketed paste. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Waits until the screen contains the text, and returns the screen. */
  see(text: string | RegExp): Promise<string>;
  /** The current screen, with escape sequences for colors if `colored`. */
  screen(how?: "colored"): Promise<string>;
  readonly folder: string;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** In milliseconds: the limit of a test ends later, and does not show the screen. */
const timeout = 200_000;

/** Runs a shell command line in a temporary folder, with the command as `incident`. */
export async function withTerminal(
  line: string,
  { columns = 80, rows = 30, env = {}, files = {} }: TerminalOptions,
  use: (terminal: Terminal) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "incident"), `#!/bin/sh\nexec ${shellCommand} "$@"\n`, { mode: 0o755 });
  const variables = {
    HOME: folder,
    PATH: `${folder}:${process.env.PATH}`,
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    CI: "",
    ...env,
  };
  // The shells of tmux set their own PATH, and vitest sets FORCE_COLOR.
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  writeFileSync(
    join(folder, "script"),
    `trap : INT\nunset FORCE_COLOR NO_COLOR\n${exports.join("")}${line}\necho "[exit $?]"\nexec sleep 600\n`,
  );
  const tmux = async (...args: readonly string[]) => {
    const { stdout } = await execa("tmux", ["-u", "-S", join(folder, "tmux"), "-f", "/dev/null", ...args]);
    return stdout;
  };
  const screen = (how?: "colored") =>
    tmux("capture-pane", "-p", "-t", "0", ...(how === undefined ? [] : ["-e"])).then((text) =>
      text.trimEnd(),
    );
  try {
    const size = ["-x", String(columns), "-y", String(rows)];
    await tmux("new-session", "-d", ...size, "-c", folder, "sh ./script");
    await use({
      folder,
      type: async (text) => void (await tmux("send-keys", "-t", "0", "-l", text)),
      press: async (...keys) => void (await tmux("send-keys", "-t", "0", ...keys)),
      paste: async (text) => {
        await tmux("set-buffer", "--", text);
        await tmux("paste-buffer", "-p", "-t", "0");
      },
      resize: async (width, height) =>
        void (await tmux("resize-window", "-t", "0", "-x", String(width), "-y", String(height))),
      see: async (text) => {
        const until = Date.now() + timeout;
        for (;;) {
          const seen = await screen();
          if (typeof text === "string" ? seen.includes(text) : text.test(seen)) return seen;
          if (Date.now() > until) throw new Error(`${text} did not appear; the screen is:\n${seen}`);
          await delay(40);
        }
      },
      screen,
    });
  } finally {
    await tmux("kill-server").catch(() => undefined);
  }
}

/** The draft in the state directory of the variables. */
export function draftIn(service: Readonly<Record<string, string>>): string | undefined {
  const folder = service.INCIDENT_CLI_STATE_DIR ?? "";
  return readdirSync(folder).includes("draft.yaml")
    ? readFileSync(join(folder, "draft.yaml"), "utf8")
    : undefined;
}
