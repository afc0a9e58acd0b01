// The error of a document or a contract, and the bounds that keep a hostile one from filling the memory or from
// taking long: a real document of these operations has some hundred schemas.

export const contractBounds = {
  /** Bytes of the file of a contract. */
  fileSize: 1024 * 1024,
  /** Bytes of an OpenAPI document. */
  documentSize: 64 * 1024 * 1024,
  /** Schemas of one body, with every reference resolved. */
  schemas: 2_000,
  /** Schemas inside each other. */
  depth: 40,
} as const;

/** A document or a file that is no usable contract. `message` completes "the document …" or "the file …". */
export class ContractError extends Error {
  override readonly name = "ContractError";
}
