// The error, the names of the operations and the bounds of documents and contracts, for code that needs no schema. The bounds:
// a hostile document fills no memory and takes no long time. A real one has some hundred schemas for these operations.

export const contractBounds = {
  /** Bytes of an OpenAPI document. */
  documentSize: 64 * 1024 * 1024,
  /** Schemas of one body, with every reference resolved. */
  schemas: 2_000,
  /** Schemas inside each other. */
  depth: 40,
  /** Values of an enumeration. A longer one is no rule. */
  values: 1000,
  /** The most entries of a page that the tool asks for. */
  page: 1000,
  segment: /^[A-Za-z0-9_-]{1,64}$/,
  parameter: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  accountHeader: /^x-[a-z0-9-]*account[a-z0-9-]*$/,
} as const;

/** The operations of a document beside the two of the spec, as words and as nouns. */
export const operationWords = {
  list: { word: "list", noun: "the list of incidents" },
  addUpdate: { word: "update", noun: "a new update" },
  edit: { word: "edit", noun: "the edit of an incident" },
  services: { word: "list services", noun: "the list of services" },
} as const;

export type OperationName = keyof typeof operationWords;
export const operationNames = Object.keys(operationWords) as readonly OperationName[];

/** A document or a file that is no usable contract. `message` completes "the document …" or "the file …". */
export class ContractError extends Error {
  override readonly name = "ContractError";
}
