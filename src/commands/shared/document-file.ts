// Reads the file of an OpenAPI document that a flag names.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { contractBounds } from "../../rules/openapi/contract.ts";
import { readFile } from "../../source/read-source.ts";

/** Throws a `Failure` "usage" for a file that cannot be read. */
export function readDocumentFile(
  { files, system }: Pick<Context, "files" | "system">,
  file: string,
): Uint8Array {
  const read = readFile(files, resolve(system.cwd, file), file, contractBounds.documentSize);
  if (typeof read !== "string") return read.bytes;
  throw new Failure("usage", read, { hint: "name a file or a URL with --from" });
}
