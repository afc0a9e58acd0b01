// Reads the project's contract: the rules of its service, as incident contract pull wrote them.

import { type Contract, parseContract } from "../document/contract.ts";
import { ContractError } from "../document/contract-terms.ts";
import { Failure } from "../failure.ts";
import { readText } from "../platform/regular-file.ts";
import type { FileDeps } from "../source/read-source.ts";

/** `path` is absolute, and `name` is for messages. */
export async function readContract({ files }: FileDeps, path: string, name: string): Promise<Contract> {
  // A link could show a file from outside the project, or a secret, as if it were the project's.
  const isFile = files.lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const read = isFile ? readText(files, path) : "is not a regular file";
  try {
    if (typeof read !== "object") throw new ContractError(read ?? "does not exist");
    return parseContract(read.text);
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new Failure("usage", `${name} ${error.message}, so no definition can be checked against it`, {
      hint: "write it again with incident contract pull; in an emergency, go on with --no-project, or create and apply with --ignore-contract",
      cause: error,
    });
  }
}
