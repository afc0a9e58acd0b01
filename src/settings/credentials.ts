// Where a key is and how it is fetched: the key itself, a file, or a command's output. It hides the fetching
// until a command needs the key; no message repeats the key, or the arguments of a command that gives it.

import { cancellation, Failure } from "../failure.ts";
import type { CaptureChild, Context } from "../platform/context.ts";
import { shellWord } from "../platform/shell-quote.ts";
import type { Setting } from "./precedence.ts";
import { readPrivateFile } from "./private-file.ts";

export type KeySource =
  | { readonly kind: "value"; readonly key: string }
  /** An absolute path. */
  | { readonly kind: "file"; readonly file: string }
  /** A program and its arguments; no shell reads them. */
  | { readonly kind: "command"; readonly command: readonly string[] };

/** Milliseconds that a key's command may take: a person may have to touch a sensor or type a passphrase. */
const commandPatience = 60_000;

/**
 * The key, and where it came from. Throws a `Failure` "credentials" where there is none or others could read it.
 */
export async function readKey(
  context: Pick<Context, "files" | "user" | "home" | "signal"> & { readonly captureChild: CaptureChild },
  { value: source, origin }: Setting<KeySource>,
): Promise<Setting<string>> {
  switch (source.kind) {
    case "value":
      return checkKey({ value: source.key, origin });
    case "file":
      return checkKey({
        value: readKeyFile(context, source.file, origin),
        origin: `${source.file} (named by ${origin})`,
      });
    case "command":
      return checkKey({
        value: await runKeyCommand(context, source.command, origin),
        origin: `${source.command[0]} (run by ${origin})`,
      });
  }
}

function readKeyFile(context: Pick<Context, "files" | "user">, file: string, origin: string): string {
  const found = readPrivateFile(context, file, "credentials");
  if (found === undefined) {
    throw new Failure("credentials", `there is no key file ${file} (named by ${origin})`, {
      hint: `write the key into it, or correct ${origin}`,
    });
  }
  if (found.isReadableByOthers || found.isWritableByOthers) {
    throw new Failure("credentials", `the key file ${file} is open to others`, {
      hint: `run chmod 600 ${shellWord(file)}; for a container's secret, set its mode to 0400 where it is declared`,
    });
  }
  return withoutLineEnd(found.text);
}

async function runKeyCommand(
  { home, signal, captureChild }: Pick<Context, "home" | "signal"> & { readonly captureChild: CaptureChild },
  command: readonly string[],
  origin: string,
): Promise<string> {
  // In the home directory: a checkout must not supply the program, whatever PATH says.
  const ending = await captureChild(command, { cwd: home, timeout: commandPatience, signal });
  if (signal.aborted) throw cancellation(signal, "nothing was sent");
  if (ending.problem === undefined && ending.exitCode === 0) return withoutLineEnd(ending.stdout);
  const problem = ending.problem ?? `ended with exit code ${ending.exitCode}`;
  throw new Failure("credentials", `the key's command ${command[0]} (${origin}) ${problem}`, {
    hint: "run it yourself, in your home directory: it must print the key and nothing else; nothing was sent",
  });
}

export function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** Throws a `Failure` "credentials" for what no header can carry. */
export function checkKey(key: Setting<string>): Setting<string> {
  if (key.value === "") {
    throw new Failure("credentials", `the API key from ${key.origin} is empty`, {
      hint: "put the key there",
    });
  }
  if (/^[\x21-\x7e]+$/.test(key.value)) return key;
  throw new Failure(
    "credentials",
    `the API key from ${key.origin} has a space, line break or other character that no header can carry`,
    { hint: "copy the key again, without quotes or a line end" },
  );
}

/** All that is ever shown of a key: its last four characters, and nothing of one that is too short for that. */
export function maskKey(key: string): string {
  return key.length >= 16 ? `…${key.slice(-4)}` : "…";
}
