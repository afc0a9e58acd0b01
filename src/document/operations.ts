// The operations that a service describes beside the two of the spec, in words.
import type { Operations } from "./contract.ts";
import { type OperationName, operationNames, operationWords } from "./contract-terms.ts";

export function describeOperations(operations: Operations) {
  const wordsOf = (isThere: boolean) =>
    operationNames
      .filter((name) => (operations[name] !== undefined) === isThere)
      .map((name) => operationWords[name].word);
  return { can: wordsOf(true), cannot: wordsOf(false) };
}

/** Why an operation is missing: completes `the service's document does not describe …`. */
export function lacking({ unfit = [] }: Operations, name: OperationName): string {
  const form = unfit.includes(name) ? " in a form that incident knows" : "";
  return `${operationWords[name].noun}${form}`;
}

/** As sentences: first those that the service has, then those that its document lacks. */
export function tellOperations(operations: Operations): readonly [string, ...string[]] {
  const { can, cannot } = describeOperations(operations);
  const unfit: readonly string[] = (operations.unfit ?? []).map((name) => operationWords[name].word);
  const missing = cannot.map((word) => (unfit.includes(word) ? `${word} (in another form)` : word));
  const absent = `not in its document: ${missing.join(", ")}`;
  if (can.length === 0) return [`this service can do nothing else; ${absent}`];
  return [`this service can also: ${can.join(", ")}`, ...(cannot.length > 0 ? [absent] : [])];
}
