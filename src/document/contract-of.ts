// The contract that `incident contract pull` writes, from a document.
import type { Contract } from "./contract.ts";
import { findOperations } from "./find-operations.ts";
import { findCreate, operationsIn, readOperation, rootOf } from "./open-api.ts";
import type { Operations } from "./operations.ts";
import { withoutImpossible } from "./standing.ts";

export interface LiveContract extends Pick<Contract, "create"> {
  readonly operations: Operations;
  /** The rules that are left out because no regular expression from outside is run, in words. */
  readonly patterns: readonly string[];
  /** The rules that are left out because no definition can satisfy them, in words. */
  readonly impossible: readonly string[];
}

/** Throws a `ContractError` for a document that is no OpenAPI document, or lacks the create. */
export function contractOf(document: unknown): LiveContract {
  const root = rootOf(document);
  const patterns: string[] = [];
  const { body } = readOperation(root, findCreate(operationsIn(root)), (rule) => patterns.push(rule));
  const { addUpdate, ...others } = findOperations(document);
  const created = withoutImpossible(body ?? {});
  const added = withoutImpossible(addUpdate?.body ?? {}, "incidentUpdates[]");
  return {
    create: body === undefined ? {} : { body: created.body },
    operations: { ...(addUpdate && { addUpdate: { ...addUpdate, body: added.body } }), ...others },
    patterns: [...new Set(patterns)],
    impossible: [...new Set([...created.removed, ...added.removed])],
  };
}
