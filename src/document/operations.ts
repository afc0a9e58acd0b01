// The operations that a service describes beside the two of the spec, as data that a file or a cache can hold, and in
// words. Everyone can write such a file: it names parameters, fields to read and one segment of a path, and nothing else.

import type { JsonSchema } from "./json-schema.ts";

export const operationNames = ["list", "addUpdate", "edit", "services"] as const;
export type OperationName = (typeof operationNames)[number];

/** How a list is read: where its entries stand in an answer, and the parameters of its pages. */
export interface Pages {
  /** The steps from the answer to its entries; none for an answer that is the list. */
  readonly items: readonly string[];
  /** Sent as it is, so that a page is as large as the service permits. `max` is absent where no maximum is documented. */
  readonly pageSize?: { readonly param: string; readonly max?: number };
  /** `cursor`: the parameter is a field of the answer. `page`: counted from `first`. Absent for a list of one page. */
  readonly next?:
    | { readonly kind: "cursor"; readonly param: string }
    | { readonly kind: "page"; readonly param: string; readonly first: number };
}

export interface AddUpdate {
  /** The last segment of the path of an incident's updates. */
  readonly segment: string;
  readonly body: JsonSchema;
}

export interface Edit {
  readonly method: "PUT" | "PATCH";
  readonly properties: readonly string[];
}

export interface Operations {
  readonly list?: Pages;
  readonly addUpdate?: AddUpdate;
  readonly edit?: Edit;
  readonly services?: Pages;
  readonly accountHeader?: string;
  /** The operations that the document has, and describes in a form that the tool does not know. */
  readonly unfit?: readonly OperationName[];
}

export const segmentPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const parameterPattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const accountHeaderPattern = /^x-[a-z0-9-]*account[a-z0-9-]*$/i;

/** The most entries of a page that the tool asks for. */
export const largestPage = 1000;

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

/** Why an operation is missing: completes `the service's document does not describe …`. */
export function lacking({ unfit = [] }: Operations, name: OperationName): string {
  return `${operationNouns[name]}${unfit.includes(name) ? " in a form that incident knows" : ""}`;
}

/** The sentences about the operations: first those that the service has, then those that its document lacks. */
export function tellOperations(operations: Operations): readonly [string, ...string[]] {
  const { can, cannot } = describeOperations(operations);
  const unfit = (operations.unfit ?? []).map((name) => words[name]);
  const absent = `not in its document: ${cannot.map((word) => (unfit.includes(word) ? `${word} (in another form)` : word)).join(", ")}`;
  if (can.length === 0) return [`this service can do nothing else; ${absent}`];
  return [`this service can also: ${can.join(", ")}`, ...(cannot.length > 0 ? [absent] : [])];
}
