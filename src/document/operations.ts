// The operations that a service describes beside the two of the spec, in words.
import type { Operations } from "./contract.ts";
import { type OperationName, operationNames } from "./contract-error.ts";

const words = {
  list: "list",
  addUpdate: "update",
  edit: "edit",
  services: "list services",
} as const satisfies Record<OperationName, string>;

export const operationNouns = {
  list: "the list of incidents",
  addUpdate: "a new update",
  edit: "the edit of an incident",
  services: "the list of services",
} as const satisfies Record<OperationName, string>;

export function describeOperations(operations: Operations) {
  const wordsOf = (isThere: boolean) =>
    operationNames.filter((name) => (operations[name] !== undefined) === isThere).map((name) => words[name]);
  return { can: wordsOf(true), cannot: wordsOf(false) };
}

/** Those that requests with this account header can use: the others are unfit. */
export function usableWith(accountHeader: string, operations: Operations): Operations {
  const { neededHeader, ...others } = operations;
  if (neededHeader === undefined || neededHeader === accountHeader) return others;
  const unfit = operationNames.filter(
    (name) => operations[name] !== undefined || operations.unfit?.includes(name),
  );
  return { neededHeader, ...(unfit.length > 0 && { unfit }) };
}

/** Why an operation is missing: completes `the service's document does not describe …`. */
export function lacking({ neededHeader, unfit = [] }: Operations, name: OperationName): string {
  const noun = operationNouns[name];
  if (!unfit.includes(name)) return noun;
  return `${noun} ${neededHeader === undefined ? "in a form that incident knows" : `without the header ${neededHeader}`}`;
}

/** The sentences about the operations: first those that the service has, then those that its document lacks. */
export function tellOperations(operations: Operations): readonly [string, ...string[]] {
  const { can, cannot } = describeOperations(operations);
  const { neededHeader } = operations;
  const unfit = (operations.unfit ?? []).map((name) => words[name]);
  const why = neededHeader === undefined ? "in another form" : `only with the header ${neededHeader}`;
  const absent = `not in its document: ${cannot.map((word) => (unfit.includes(word) ? `${word} (${why})` : word)).join(", ")}`;
  if (can.length === 0) return [`this service can do nothing else; ${absent}`];
  const withHeader = neededHeader === undefined ? "" : `, with the header ${neededHeader}`;
  return [`this service can also: ${can.join(", ")}${withHeader}`, ...(cannot.length > 0 ? [absent] : [])];
}
