// The operations of a service in words, for people and for scripts.

import type { OperationName, Operations } from "../../rules/openapi/operations.ts";
import { ownValue } from "../../untrusted-data.ts";

/** In the order of an incident's life. */
const words = [
  ["list", "list"],
  ["addUpdate", "update"],
  ["edit", "edit"],
  ["services", "list services"],
] as const satisfies readonly (readonly [OperationName, string])[];

/** The purpose of each operation, in a sentence. */
export const operationNouns = {
  list: "the list of incidents",
  addUpdate: "a new update",
  edit: "the edit of an incident",
  services: "the list of services",
} as const satisfies Record<OperationName, string>;

export function describeOperations(operations: Operations) {
  const can = words.filter(([name]) => operations[name] !== undefined).map(([, word]) => word);
  const cannot = words
    .filter(([name]) => operations[name] === undefined)
    .map(([name, word]) => ({ operation: word, reason: reasonFor(operations, name) }));
  return { can, cannot };
}

/** A clause about the document. */
export function reasonFor({ missing }: Operations, name: OperationName): string {
  return ownValue<string | undefined>(missing, name) ?? "it does not describe it";
}

/** The sentences about the operations: first what the service can, then why it cannot do something. */
export function tellOperations(operations: Operations): readonly [string, ...string[]] {
  const { can, cannot } = describeOperations(operations);
  const { accountHeader } = operations.missing;
  // That the document has none is said by the name alone.
  const reasons = cannot
    .map(({ operation, reason }) =>
      reason.startsWith("it has no ") ? operation : `${operation} (${reason})`,
    )
    .join(", ");
  const left = `not in its document: ${reasons}`;
  return [
    can.length === 0
      ? `this service can do nothing else; ${left}`
      : `this service can also: ${can.join(", ")}`,
    ...(can.length > 0 && cannot.length > 0 ? [left] : []),
    ...(accountHeader === undefined
      ? []
      : [`the account header is not taken from its document: ${accountHeader}`]),
  ];
}
