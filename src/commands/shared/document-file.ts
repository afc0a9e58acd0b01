// Reads the file of an OpenAPI document that a flag names.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { contractBounds } from "../../rules/openapi/contract.ts";
import { loadPlainYaml } from "../../source/yaml/plain-yaml.ts";
import { codeOf } from "../../thrown.ts";

/** Throws a `Failure` "usage" for a file that cannot be read. */
export function readDocumentFile(
  { files, system }: Pick<Context, "files" | "system">,
  file: string,
  flag: "--from" | "--contract",
): Uint8Array {
  let problem = "is not a regular file";
  try {
    const read = readRegularFile(files, resolve(system.cwd, file), contractBounds.documentSize);
    if (read !== undefined) return read.bytes;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    problem = code === "ENOENT" ? "is not there" : `could not be read (${code})`;
  }
  const names = flag === "--from" ? "a file or a URL" : "an OpenAPI document";
  throw new Failure("usage", `${file} ${problem}`, { hint: `name ${names} with ${flag}` });
}

/** Undefined for text that is no YAML. */
export function parseYaml(text: string): unknown {
  return loadPlainYaml(text)?.[0];
}
