// Fetches the API key from its source: a value, a file or the output of a command. No message repeats the key, or the
// arguments of the command.
import { cancellation, Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { readPrivateFile } from "./private-file.ts";
import type { Setting } from "./settings.ts";

export type KeySource =
  | { readonly kind: "value"; readonly key: string }
  /** An absolute path. */
  | { readonly kind: "file"; readonly file: string }
  /** A program and its arguments, run without a shell. */
  | { readonly kind: "command"; readonly command: readonly string[] };

export function keySource(
  name: string,
  value: string | readonly string[],
  resolvePath: (path: string) => string,
): KeySource {
  if (typeof value !== "string") return { kind: "command", command: value };
  return name === "apiKeyFile" ? { kind: "file", file: resolvePath(value) } : { kind: "value", key: value };
}

/** In milliseconds. Long enough for a user to touch a sensor or type a passphrase. */
const commandTimeout = 60_000;

/** Throws a `Failure` "credentials" if there is no valid key, or if other users can read it. */
export async function readKey(
  context: {
    readonly files: Files;
    readonly system: Pick<System, "user" | "home" | "signal" | "captureChild">;
  },
  setting: Setting<KeySource>,
): Promise<Setting<string>> {
  const { value: source } = setting;
  switch (source.kind) {
    case "value":
      return checkApiKey({ ...setting, value: source.key });
    case "file": {
      const origin = `${source.file} (named by ${setting.origin})`;
      return checkApiKey({ value: readKeyFile(context, source.file, setting), origin });
    }
    case "command": {
      const origin = `${source.command[0]} (run by ${setting.origin})`;
      return checkApiKey({ value: await runKeyCommand(context.system, source.command, setting), origin });
    }
  }
}

function readKeyFile(
  context: { readonly files: Files; readonly system: Pick<System, "user"> },
  file: string,
  setting: Setting<unknown>,
): string {
  const found = readPrivateFile(context, file, "credentials");
  if (found === undefined) {
    throw new Failure("credentials", `there is no key file ${file} (named by ${setting.origin})`, {
      hint: `write the key into it, or correct ${setting.origin}`,
    });
  }
  found.refuseIfExposed();
  return withoutLineEnd(found.text);
}

async function runKeyCommand(
  { home, signal, captureChild }: Pick<System, "home" | "signal" | "captureChild">,
  command: readonly string[],
  setting: Setting<unknown>,
): Promise<string> {
  // The home directory, so that a checkout cannot supply the program, even if PATH has a relative entry.
  const result = await captureChild(command, { cwd: home, timeout: commandTimeout, signal });
  if (signal.aborted) throw cancellation(signal, "nothing was sent");
  if (result.problem === undefined && result.exitCode === 0) return withoutLineEnd(result.stdout);
  const problem = result.problem ?? `ended with exit code ${result.exitCode}`;
  throw new Failure("credentials", `the key's command ${command[0]} (${setting.origin}) ${problem}`, {
    hint: "run it yourself, in your home directory: it must print the key and nothing else; nothing was sent",
  });
}

export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

export function checkApiKey(key: Setting<string>): Setting<string> {
  if (/^[\x21-\x7e]+$/.test(key.value) && !/^["']/.test(key.value)) return key;
  const problem =
    key.value === "" ? "is empty" : "has a quote, a space, a line break or another character that no key has";
  throw new Failure("credentials", `the API key from ${key.origin} ${problem}`, {
    hint: "copy the key again, alone: without quotes, Bearer or a line end",
  });
}

/** The last four characters of the key. A short key is hidden entirely. */
export function maskKey(key: string): string {
  return key.length >= 16 ? `…${key.slice(-4)}` : "…";
}
