// The differences between the project's contract and the service's document as it is now, by their effect: first those
// that make a definition of this repository invalid.

import { createBodyCheck, unknownGuid } from "../../incident/contract/check-body.ts";
import { type ContractRule, listContractRules } from "../../incident/contract/contract-rules.ts";
import { operationNouns, reasonFor } from "../../incident/contract/describe-operations.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Contract, ContractOperation } from "../../rules/openapi/contract.ts";
import { statesSame } from "../../rules/openapi/contract-file.ts";
import { operationNames } from "../../rules/openapi/operations.ts";
import { type LoadFlags, prepareLoading } from "../shared/load-options.ts";

export interface Difference {
  /**
   * `breaks`: a definition was valid and no longer is; `stricter`: a new rule; `looser`: a rule that is gone; `other`:
   * a difference that concerns no definition.
   */
  readonly effect: "breaks" | "stricter" | "looser" | "other";
  readonly message: string;
  /** `file:line:column` for `breaks`; else a JSON pointer into the document. */
  readonly at: string;
  readonly file?: string;
}

export interface CompareOptions {
  readonly contract: Contract;
  readonly live: Contract;
  /** The definitions to look at; those of the project's folders if there are none. */
  readonly files: readonly string[];
  readonly flags: Pick<LoadFlags, "var" | "vars"> & { readonly recursive?: boolean };
}

export async function compareContracts(
  context: RunContext,
  options: CompareOptions,
): Promise<readonly Difference[]> {
  const stricter = missingRules(options.live, options.contract);
  const looser = missingRules(options.contract, options.live);
  return [
    ...(await brokenDefinitions(context, options)),
    ...stricter.map(({ rule, at }) => ({ effect: "stricter", message: rule, at }) as const),
    ...looser.map(({ rule, at }) => ({ effect: "looser", message: `no longer: ${rule}`, at }) as const),
    ...otherDifferences("a create", options.contract.create, options.live.create),
    ...otherDifferences("a read", options.contract.get, options.live.get),
    ...operationDifferences(options.contract, options.live),
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

async function brokenDefinitions(
  context: RunContext,
  { contract, live, files, flags }: CompareOptions,
): Promise<readonly Difference[]> {
  const patterns = files.length > 0 ? files : await context.workspace.definitionFolders();
  if (patterns.length === 0) return [];
  const { checkSources } = await import("../../source/definitions.ts");
  const { findSources } = await import("../../source/files.ts");
  const sources = await findSources(context, patterns, { recurse: flags.recursive ?? false });
  const { loadOptions } = await prepareLoading(context, { ...flags, sources });
  const checkBefore = createBodyCheck(contract, unknownGuid);
  const checkAfter = createBodyCheck(live, unknownGuid);
  const { definitions } = checkSources(sources.read(), { ...loadOptions, contract: checkBefore });
  const differences: Difference[] = [];
  for (const { definition, locate } of definitions) {
    for (const { path, isName, message } of checkAfter(definition)) {
      const { file, start } = locate(path, isName ? "key" : "value");
      differences.push({ effect: "breaks", message, at: `${file}:${start.line}:${start.column}`, file });
    }
  }
  return differences;
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
