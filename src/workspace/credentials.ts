// Fetches the API key from a value, a file or a command. No message repeats the key or the arguments of the command.
import { cancellation, Failure, type FailureKind } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { readText } from "../platform/regular-file.ts";
import { shellWord } from "../text/advice.ts";
import type { Setting } from "./settings.ts";

export type KeySource =
  | { readonly kind: "value"; readonly key: string }
  /** An absolute path. */
  | { readonly kind: "file"; readonly file: string }
  /** A program and its arguments, run without a shell. */
  | { readonly kind: "command"; readonly command: readonly string[] };

/** In milliseconds. Long enough for a user to touch a sensor or type a passphrase. */
const commandTimeout = 60_000;

interface SecretDeps {
  readonly files: Files;
  readonly system: Pick<System, "user">;
}

type KeyDeps = SecretDeps & { readonly system: Pick<System, "home" | "signal" | "captureChild"> };

/** Throws a `Failure` "credentials" if there is no valid key, or if other users can read it. */
export async function readKey(context: KeyDeps, setting: Setting<KeySource>): Promise<Setting<string>> {
  const { origin, value: source } = setting;
  switch (source.kind) {
    case "value":
      return checkApiKey({ origin, value: source.key });
    case "file":
      return checkApiKey(readKeyFile(context, source.file, origin));
    case "command":
      return checkApiKey(await runKeyCommand(context.system, source.command, origin));
  }
}

function readKeyFile(context: SecretDeps, file: string, namedBy: string): Setting<string> {
  const origin = `${file} (named by ${namedBy})`;
  const found = readPrivateFile(context, file, "credentials");
  if (found === undefined)
    throw new Failure("credentials", `there is no key file ${origin}`, {
      hint: `write the key into it, or correct ${namedBy}`,
    });
  if (found.exposure) throw found.exposure;
  return { value: withoutLineEnd(found.text), origin };
}

async function runKeyCommand(
  { home, signal, captureChild }: KeyDeps["system"],
  command: readonly string[],
  namedBy: string,
): Promise<Setting<string>> {
  // The home directory, so that a checkout cannot supply the program, even if PATH has a relative entry.
  const result = await captureChild(command, { cwd: home, timeout: commandTimeout, signal });
  if (signal.aborted) throw cancellation(signal, "nothing was sent");
  if (result.problem === undefined && result.exitCode === 0)
    return { value: withoutLineEnd(result.stdout), origin: `${command[0]} (run by ${namedBy})` };
  const problem = result.problem ?? `ended with exit code ${result.exitCode}`;
  throw new Failure("credentials", `the key's command ${command[0]} (${namedBy}) ${problem}`, {
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

/**
 * Reads a file that may hold a key; undefined where there is none. Text and permissions are of one open file, which cannot be
 * swapped in between. Throws a `Failure`: of `kind` if it is not readable text, "credentials" if other users can change it.
 */
export function readPrivateFile({ files, system: { user } }: SecretDeps, path: string, kind: FailureKind) {
  const read = readText(files, path);
  if (typeof read === "string")
    throw new Failure(kind, `${path} ${read}`, {
      hint: "put a text file in UTF-8 in its place that this user may read; in Kubernetes, fsGroup and defaultMode: 0440",
    });
  if (read === undefined) return undefined;
  const { stat, text } = read;
  // Without user ids, the mode has no meaning.
  if (user === undefined) return { text, otherOwner: undefined, exposure: undefined };
  // A container runtime mounts a secret as a file of root that the process reads through its group.
  const isContainerSecret = stat.uid === 0 && user !== 0 && (stat.mode & 0o007) === 0;
  const isPrivate = (stat.mode & 0o077) === 0 || isContainerSecret;
  const exposed = (problem: string) =>
    new Failure("credentials", `${path} ${problem}`, {
      hint: `run chmod 600 ${shellWord(path)}; for a container's secret, set its mode to 0400 where it is declared`,
    });
  if ((stat.mode & 0o022) !== 0) throw exposed("can be changed by other users");
  return {
    text,
    /** The id of its owner, where that is neither this user nor root, who can change every file anyway. */
    otherOwner: stat.uid === user || stat.uid === 0 ? undefined : stat.uid,
    /** The failure of a file that holds a secret. */
    exposure: isPrivate ? undefined : exposed("holds a key and can be read by other users"),
  };
}
