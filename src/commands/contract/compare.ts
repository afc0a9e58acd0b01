// The differences between the project's contract and what a pull would write now.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../document/contract.ts";
import type { LiveContract } from "../../document/contract-of.ts";
import { operationNames, operationNouns, reasonFor } from "../../document/operations.ts";
import { addedRules } from "../../document/rules.ts";

export interface ContractDifference {
  /** `stricter`: a new rule; `looser`: a rule that is gone; `other`: a difference that concerns no definition. */
  readonly effect: "stricter" | "looser" | "other";
  readonly message: string;
}

export function compareContracts(contract: Contract, live: LiveContract): readonly ContractDifference[] {
  const differences: readonly ContractDifference[] = [
    ...missingRules(live, contract).map((message) => ({ effect: "stricter", message }) as const),
    ...missingRules(contract, live).map(
      (rule) => ({ effect: "looser", message: `no longer: ${rule}` }) as const,
    ),
    ...operationDifferences(contract, live),
  ];
  if (differences.length > 0 || isDeepStrictEqual(contract.create, live.create)) return differences;
  return [{ effect: "other", message: "the document describes a create in another way" }];
}

/** A contract without operations says nothing about them. */
function operationDifferences(
  { operations: before }: Contract,
  { operations: after }: LiveContract,
): readonly ContractDifference[] {
  if (before === undefined) return [];
  const named = operationNames.flatMap((name): readonly ContractDifference[] => {
    const what = `an operation for ${operationNouns[name]}`;
    const [old, current] = [before[name], after[name]];
    if (isDeepStrictEqual(old, current)) return [];
    if (current === undefined)
      return [
        { effect: "other", message: `the service no longer describes ${what}: ${reasonFor(after, name)}` },
      ];
    const message = `the service describes ${old === undefined ? what : `${what} in another way`}`;
    return [{ effect: "other", message }];
  });
  if (before.accountHeader === after.accountHeader) return named;
  const message = `the account header is ${after.accountHeader ?? "not named"}, and was ${before.accountHeader ?? "not named"}`;
  return [...named, { effect: "other", message }];
}

/** The rules of a contract that another one does not have, beside the built-in ones. */
export function missingRules(
  { create }: Pick<Contract, "create">,
  other: Pick<Contract, "create">,
): readonly string[] {
  const texts = addedRules(other.create.body).map(({ text }) => text);
  return addedRules(create.body).flatMap(({ text }) => (texts.includes(text) ? [] : [text]));
}
