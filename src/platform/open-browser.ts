// Opens an address in the user's browser with the helper program of the platform, without a shell.
import { spawn } from "node:child_process";

/** Milliseconds in which the helper program can say that it has no browser; a browser itself runs on. */
const startTime = 1000;

export function browserCommand(platform: NodeJS.Platform, address: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", address];
  // The shell's own `start` would read the address as a command line.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}

/** Resolves with the reason where the browser did not open. `cwd` is no folder of a checkout. */
export function openBrowser(address: string, cwd: string): Promise<string | undefined> {
  const own = process.env.BROWSER;
  const [file, ...args] = own ? [own, address] : browserCommand(process.platform, address);
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, detached: true, stdio: "ignore" });
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
