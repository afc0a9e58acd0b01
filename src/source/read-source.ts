// Reads one file or stdin. Rejects anything but a regular file, and limits the size, so that a FIFO, a device or a huge
// file never blocks the tool or fills the memory.
import { resolve } from "node:path";
import { codeOf, Failure } from "../failure.ts";
import type { Files, Io, System } from "../platform/context.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { createLinkCheck } from "../platform/repository.ts";

/** The maximum size of a file in bytes: 1 MiB. */
export const maxFileSize = 1024 * 1024;

export interface Source {
  readonly file: string;
  /** The content; for a larger file, its first `maxFileSize` + 1 bytes. */
  readonly bytes: Uint8Array;
  /** Why a file that stands in a folder cannot be read. */
  readonly unread?: string;
}

/** Whether the content has the word. Most files do not have it, and need no parser for it. */
export function includesWord({ bytes }: Source, word: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(word);
}

export interface FileDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

export interface SourceDeps extends FileDeps {
  readonly io: Pick<Io, "stdin">;
}

/** Reads one file, or stdin for `-`, and at most one byte more than `limit`. Throws a usage `Failure`. */
export async function readSourceOrStdin(
  deps: SourceDeps,
  file: string,
  limit = maxFileSize,
): Promise<Source> {
  return file === "-" ? sourceOrFailure(await readStdin(deps.io, limit)) : readSource(deps, file, limit);
}

export function readSource({ files, system }: FileDeps, file: string, limit = maxFileSize): Source {
  const path = resolve(system.cwd, file);
  return sourceOrFailure(
    createLinkCheck(files)(path) ? outsideMessage(file) : readFile(files, path, file, limit),
  );
}

function sourceOrFailure(read: Source | string): Source {
  if (typeof read === "string") throw unreadableFailure([read]);
  return read;
}

/** The content of stdin, or why it cannot be read. */
export async function readStdin({ stdin }: SourceDeps["io"], limit = maxFileSize): Promise<Source | string> {
  if (stdin.isTerminal) return "- reads stdin, and stdin is the terminal";
  return { file: "<stdin>", bytes: await stdin.read(limit) };
}

/** The content of a regular file, or why it cannot be read. `file` is the name in messages. */
export function readFile(files: Files, path: string, file: string, limit = maxFileSize): Source | string {
  try {
    const bytes = readRegularFile(files, path, limit)?.bytes;
    return bytes === undefined ? `${file} is not a regular file` : { file, bytes };
  } catch (error) {
    return unreadable(file, error);
  }
}

export function outsideMessage(file: string): string {
  return `${file} leads out of the repository by a symbolic link`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["ELOOP", "is a symbolic link that leads to itself"],
]);

/** The message for a system error. Throws any other error again: it is a bug. */
export function unreadable(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return `${file} ${reasons.get(code) ?? `cannot be read (${code})`}`;
}

export function unreadableFailure(errors: readonly string[]): Failure {
  const message = errors.length === 1 ? `${errors[0]}` : `nothing was read: ${errors.join("; ")}`;
  const hint = errors.every((error) => error.startsWith("- reads stdin"))
    ? "pipe text into the command, or name a file instead of -"
    : errors.some((error) => /[*?]/.test(error))
      ? "only a shell expands a pattern: write it without quotes, or name the folder, and -R for its sub-folders"
      : "check the name: a file, a folder, or - for stdin";
  return new Failure("usage", message, { hint });
}
