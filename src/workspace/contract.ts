// The project's contract: the rules of its service for a create, as incident contract pull wrote them.

import type { CheckBody } from "../document/check-body.ts";
import { type Contract, parseContract } from "../document/contract.ts";
import { ContractError, contractBounds } from "../document/contract-error.ts";
import { codeOf, Failure, ignoreFailure, messageOf } from "../failure.ts";
import type { Files } from "../platform/context.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { advise, argv } from "../text/advice.ts";
import type { EffectiveSettings } from "./resolve.ts";

export interface ContractFile {
  /** Absolute. */
  readonly path: string;
  /** From the working directory, for messages. */
  readonly name: string;
  /** Also false with --no-project. */
  readonly isThere: boolean;
}

export async function readContract(
  { files }: { readonly files: Files },
  { name, path }: ContractFile,
): Promise<Contract> {
  try {
    // A link could show a file from outside the project, or a secret, as if it were the project's.
    const isFile = files.lstatSync(path).isFile();
    const bytes = isFile ? readRegularFile(files, path, contractBounds.fileSize)?.bytes : undefined;
    if (bytes === undefined) throw new ContractError("is not a regular file");
    if (bytes.length > contractBounds.fileSize) throw new ContractError("is larger than 1 MiB");
    return parseContract(new TextDecoder().decode(bytes));
  } catch (error) {
    const code = codeOf(error);
    if (!(error instanceof ContractError) && code === undefined) throw error;
    const problem = code === undefined ? messageOf(error) : `could not be read (${code})`;
    throw new Failure("usage", `${name} ${problem}, so no definition can be checked against it`, {
      hint: advise`write it again with ${argv`incident contract pull`}; in an emergency, go on with --no-project, or create and apply with --ignore-contract`,
      cause: error,
    });
  }
}

/** Checks definitions for the account that a service without one of its own is sent with. */
export async function createContractCheck(
  contract: Contract,
  settings: () => Promise<EffectiveSettings>,
): Promise<CheckBody> {
  const { createBodyCheck, unknownGuid } = await import("../document/check-body.ts");
  // A command that needs the settings reports them itself.
  const effective = await settings().catch(ignoreFailure);
  const account = effective?.accountId?.value.trim() ?? unknownGuid;
  return createBodyCheck(contract, account.toLowerCase() === "none" ? undefined : account);
}
