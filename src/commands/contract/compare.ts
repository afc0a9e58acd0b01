// The differences between the project's contract and the service's document as it is now, by their effect.

import { type ContractRule, listContractRules } from "../../incident/contract/contract-rules.ts";
import { operationNouns, reasonFor } from "../../incident/contract/describe-operations.ts";
import type { Contract, ContractOperation } from "../../rules/openapi/contract.ts";
import { statesSame } from "../../rules/openapi/contract-file.ts";
import { operationNames } from "../../rules/openapi/operations.ts";

export interface Difference {
  /** `stricter`: a new rule; `looser`: a rule that is gone; `other`: a difference that concerns no definition. */
  readonly effect: "stricter" | "looser" | "other";
  readonly message: string;
  /** A JSON pointer into the document. */
  readonly at: string;
}

export function compareContracts(contract: Contract, live: Contract): readonly Difference[] {
  return [
    ...missingRules(live, contract).map(
      ({ rule, at }) => ({ effect: "stricter", message: rule, at }) as const,
    ),
    ...missingRules(contract, live).map(
      ({ rule, at }) => ({ effect: "looser", message: `no longer: ${rule}`, at }) as const,
    ),
    ...otherDifferences("a create", contract.create, live.create),
    ...otherDifferences("a read", contract.get, live.get),
    ...operationDifferences(contract, live),
  ];
}

/** A contract without operations says nothing about them. */
function operationDifferences(
  { operations: before }: Contract,
  { create, operations: after }: Contract,
): readonly Difference[] {
  if (before === undefined || after === undefined) return [];
  return operationNames.flatMap((name) => {
    const what = `an operation for ${operationNouns[name]}`;
    const [old, current] = [before[name], after[name]];
    if (statesSame(old, current)) return [];
    const gone = `the service no longer describes ${what}: ${reasonFor(after, name)}`;
    const message =
      current === undefined
        ? gone
        : `the service describes ${old === undefined ? what : `${what} in another way`}`;
    return [{ effect: "other", message, at: create.at }];
  });
}

/** The rules of a contract that another one does not have, without the built-in ones. */
export function missingRules(contract: Contract, other: Contract): readonly ContractRule[] {
  const texts = new Set(listContractRules(other).map(({ rule }) => rule));
  return listContractRules(contract).filter(({ rule, builtIn }) => !builtIn && !texts.has(rule));
}

/** Differences that no definition can break: in the answers, and fields that are new and optional. */
function otherDifferences(
  name: string,
  before: ContractOperation,
  after: ContractOperation,
): readonly Difference[] {
  const statuses = ({ answers }: ContractOperation) => Object.keys(answers).sort().join(", ");
  const fields = ({ body }: ContractOperation) => Object.keys(body?.properties ?? {}).sort();
  const added = fields(after).filter((field) => !fields(before).includes(field));
  const gone = fields(before).filter((field) => !fields(after).includes(field));
  const messages = [
    ...added.map((field) => `${name} can have the new field ${field}`),
    ...gone.map((field) => `${name} has no field ${field} any more`),
    ...(statuses(before) === statuses(after)
      ? []
      : [`${name} is answered with ${statuses(after)}, and was with ${statuses(before)}`]),
    ...(statuses(before) === statuses(after) && !statesSame(before.answers, after.answers)
      ? [`an answer to ${name} has another form`]
      : []),
    ...(statesSame(before.parameters, after.parameters) ? [] : [`${name} has other parameters`]),
  ];
  return messages.map((message) => ({ effect: "other", message, at: after.at }));
}
