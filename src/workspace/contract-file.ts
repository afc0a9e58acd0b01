// The project's contract: where its file is, and the check of definitions against it. Without a file, a run loads nothing
// of the judge, and not the settings.
import { relative } from "node:path";
import type { Context, Reporter } from "../platform/context.ts";
import type { Contract } from "../rules/openapi/contract.ts";
import type { CheckContract } from "../source/rules/contract-diagnostics.ts";
import type { ContractDeps, ContractFile, ContractFlags } from "./contract.ts";
import { contractFileName, findProjectCompanion } from "./locations.ts";

/** The file of the contract, which need not exist. */
export function findContractFile(deps: ContractDeps): ContractFile {
  const { path, isThere } = findProjectCompanion(deps, contractFileName);
  return { path, isThere, name: relative(deps.system.cwd, path) };
}

/** The project's contract; undefined where there is none, or the project is left out. */
export async function readProjectContract(
  deps: ContractDeps,
  { noProject }: Pick<ContractFlags, "noProject">,
): Promise<Contract | undefined> {
  const file = findContractFile(deps);
  if (noProject || !file.isThere) return undefined;
  const { readContractFile } = await import("./contract.ts");
  return (await readContractFile(deps, file)).contract;
}

/** The check of definitions against the project's contract; undefined where there is none, or it is left out. */
export async function openContract(
  context: Context & Pick<Reporter, "warn">,
  flags: ContractFlags,
): Promise<CheckContract | undefined> {
  if (flags.noProject) return undefined;
  const file = findContractFile(context);
  if (!file.isThere) return undefined;
  if (flags.ignoreContract) {
    context.warn(`${file.name} is not checked: the service may refuse the definition`);
    return undefined;
  }
  const { checkByContract } = await import("./contract.ts");
  return checkByContract(context, file, flags);
}
