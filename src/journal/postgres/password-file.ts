// Finds a password in libpq's password file, with its rules: the first line that matches, and no file that others can
// read. Not with pgpass: it reads the process's own variables, knows no `passfile`, and prints its warnings itself.
import type { Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** In bytes. */
const maxFileSize = 1024 * 1024;

export function findPassword(
  {
    files,
  }: { readonly files: Pick<Files, "closeSync" | "constants" | "fstatSync" | "openSync" | "readSync"> },
  path: string,
  { database, host, port, user }: Login,
): string | undefined {
  const wanted = [host, String(port), database, user];
  for (const line of readLines(files, path)) {
    const fields = line.split(/(?<!\\):/).map((field) => field.replace(/\\(.)/g, "$1"));
    const [password, ...others] = [fields[4], ...fields.slice(0, 4)];
    const matches = wanted.every((value, index) => others[index] === "*" || others[index] === value);
    if (!line.startsWith("#") && matches && password !== undefined) return password;
  }
  return undefined;
}

function readLines(files: Parameters<typeof findPassword>[0]["files"], path: string): readonly string[] {
  try {
    const read = readRegularFile(files, path, maxFileSize);
    if (read === undefined || (read.stat.mode & 0o077) !== 0) return [];
    return Buffer.from(read.bytes).toString("utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}
