// Reads the file of the project's contract, and makes the check of definitions of it.

import { Failure } from "../failure.ts";
import type { Context, Files, System } from "../platform/context.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { type Contract, ContractError, contractBounds } from "../rules/openapi/contract.ts";
import type { CompilePattern } from "../rules/patterns.ts";
import type { CheckContract } from "../source/rules/contract-diagnostics.ts";
import { applyPrecedence } from "./precedence.ts";
import { settingsSources } from "./workspace.ts";

export interface ContractDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

export interface ContractFile {
  /** Absolute. */
  readonly path: string;
  /** From the working directory, for messages. */
  readonly name: string;
  readonly isThere: boolean;
}

export interface ContractFlags {
  readonly noProject?: boolean | undefined;
  readonly ignoreContract?: boolean | undefined;
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
}

export interface ReadContract {
  readonly contract: Contract;
  /** For the patterns of the contract; loaded only if it has one. */
  readonly compilePattern: CompilePattern;
}

/** Reads the file. Throws a `Failure` "usage" for a file that is no contract. */
export async function readContractFile({ files }: ContractDeps, file: ContractFile): Promise<ReadContract> {
  const { parseContract } = await import("../rules/openapi/contract-file.ts");
  try {
    // A link could show a file from outside the project, or a secret, as if it were the project's.
    const isFile = files.lstatSync(file.path).isFile();
    const bytes = isFile ? readRegularFile(files, file.path, contractBounds.fileSize)?.bytes : undefined;
    if (bytes === undefined) throw new ContractError("is not a regular file");
    if (bytes.length > contractBounds.fileSize) throw new ContractError("is larger than 1 MiB");
    const text = new TextDecoder().decode(bytes);
    const compilePattern = await loadPatternEngine(text);
    return { contract: parseContract(text, compilePattern), compilePattern };
  } catch (error) {
    const isSystemError = error instanceof Error && "code" in error;
    if (!(error instanceof ContractError) && !isSystemError) throw error;
    const problem = isSystemError ? `could not be read (${error.code})` : error.message;
    throw new Failure("usage", `${file.name} ${problem}, so no definition can be checked against it`, {
      hint: "write it again with incident contract pull; in an emergency, create and apply continue with --ignore-contract",
      cause: error,
    });
  }
}

/** The engine takes as long to load as all other parts of the check. */
async function loadPatternEngine(text: string): Promise<CompilePattern> {
  return text.includes('"pattern"') ? (await import("../rules/patterns.ts")).compilePattern : () => undefined;
}

export async function checkByContract(
  context: Context,
  file: ContractFile,
  flags: ContractFlags,
): Promise<CheckContract> {
  const { contract, compilePattern } = await readContractFile(context, file);
  const { createBodyCheck } = await import("../incident/contract/check-body.ts");
  return createBodyCheck(contract, await accountOf(context, flags), compilePattern);
}

/** The account that a service without one of its own is sent with; a made-up one where the settings name none. */
async function accountOf(context: Context, flags: ContractFlags): Promise<string | undefined> {
  const { unknownAccount } = await import("../incident/contract/check-body.ts");
  try {
    const { account } = await applyPrecedence(settingsSources(context, flags));
    const value = account.setting?.value.trim() ?? unknownAccount;
    return value.toLowerCase() === "none" ? undefined : value;
  } catch (error) {
    // A command that needs the settings reports them itself.
    if (!(error instanceof Failure)) throw error;
    return unknownAccount;
  }
}
