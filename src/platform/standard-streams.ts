// This process's standard streams. Node.js's stream objects are slow to load, so that short output is written
// without them.
import type { Stats } from "node:fs";
import { cancellation, codeOf, Failure } from "../failure.ts";
import type { Io, Output } from "./context.ts";
import { nodeFiles } from "./node-files.ts";
import { writeAll } from "./write-file.ts";

export function createIo(signal: () => AbortSignal): Io {
  return {
    stdin: {
      get isTerminal() {
        return isTerminal(0);
      },
      read: (limit) => readStdin(limit, signal()),
    },
    stdout: createOutput(1, () => process.stdout),
    stderr: createOutput(2, () => process.stderr),
  };
}

async function readStdin(limit: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of process.stdin) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (!signal.aborted) {
      // Such as EBADF: nohup makes stdin writable only.
      throw new Failure("usage", `stdin cannot be read (${code})`, {
        hint: "pipe text into the command, or name a file; nothing was sent",
        cause: error,
      });
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) throw cancellation(signal, "stdin was not read to its end; nothing was sent");
  return Buffer.concat(chunks).subarray(0, limit + 1);
}

/** The size that every pipe accepts at once, in bytes. */
const pipeCapacity = 16 * 1024;

function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    if (opened === undefined) {
      opened = open();
      // Without a listener, a write to a closed pipe ends the process with a stack trace.
      opened.on("error", () => undefined);
    }
    return opened;
  };
  return {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get columns() {
      return (isTerminal(descriptor) && stream().columns) || 80;
    },
    async write(text) {
      const bytes = Buffer.from(text);
      const isShort = opened === undefined && process.platform !== "win32" && bytes.length <= pipeCapacity;
      const written = isShort || isFile(descriptor) ? writeWithoutWaiting(descriptor, bytes) : 0;
      if (written === bytes.length) return;
      await new Promise<void>((resolve, reject) => {
        stream().write(bytes.subarray(written), (error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

/** node:tty is slow to load, so that the usual device beside a terminal is recognized without it. */
function isTerminal(descriptor: number): boolean {
  const stat = statOf(descriptor);
  if (stat?.isCharacterDevice() !== true || isNullDevice(stat)) return false;
  return process.getBuiltinModule("tty").isatty(descriptor);
}

function isNullDevice({ rdev }: Stats): boolean {
  return process.platform !== "win32" && nodeFiles.statSync("/dev/null", noThrow)?.rdev === rdev;
}

const noThrow = { throwIfNoEntry: false } as const;

function isFile(descriptor: number): boolean {
  return statOf(descriptor)?.isFile() === true;
}

/** Undefined for a closed descriptor. */
function statOf(descriptor: number): Stats | undefined {
  try {
    return nodeFiles.fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

function writeWithoutWaiting(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    writeAll(nodeFiles, descriptor, bytes, (count) => {
      written = count;
    });
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
  }
  return written;
}
