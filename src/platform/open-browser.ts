// Opens an address in the user's browser with the helper program of the platform, without a shell.
import { spawn } from "node:child_process";

/** Milliseconds in which the helper program can say that it has no browser; a browser itself runs on. */
const startTime = 1000;

/** The shell's own `start` of Windows would read the address as a command line. */
const openers: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]],
]);

/** Resolves with the reason where the browser did not open. `cwd` is no folder of a checkout. */
export function openBrowser(address: string, cwd: string): Promise<string | undefined> {
  const own = process.env.BROWSER;
  const [file, ...args] = own ? [own] : (openers.get(process.platform) ?? ["xdg-open"]);
  return new Promise((resolve) => {
    const child = spawn(file, [...args, address], { cwd, detached: true, stdio: "ignore" });
    const timer = setTimeout(() => resolve(undefined), startTime);
    const end = (problem?: string) => {
      clearTimeout(timer);
      resolve(problem);
    };
    child.once("error", (error: NodeJS.ErrnoException) => end(`${file} did not start: ${error.code}`));
    child.once("exit", (code) => end(code === 0 ? undefined : `${file} ended with exit code ${code}`));
    child.unref();
  });
}
