// The contract of a service: the rules for a create and a read in its own OpenAPI document, and the other operations that
// it describes, as a small normalized document. It is kept as a file beside the project's settings, and everyone who can open a pull request can change
// that file: it can state rules, within bounds, and nothing else.

import type { RuleSchema } from "../rule-schema.ts";
import type { Operations } from "./operations.ts";

export const contractVersion = 1;

/**
 * The bounds of a contract. They keep a hostile document or file from filling the memory or from taking long: a real
 * contract of these two operations has some hundred schemas.
 */
export const contractBounds = {
  /** Bytes of the file. */
  fileSize: 1024 * 1024,
  /** Bytes of an OpenAPI document, decompressed. */
  documentSize: 64 * 1024 * 1024,
  /** Schemas of one operation, with every reference resolved. */
  schemas: 2_000,
  /** Schemas inside each other. */
  depth: 40,
  /** Values of one enumeration, and names of one list of required fields. */
  values: 1_000,
  /** Characters of a pattern. */
  pattern: 1_000,
} as const;

export interface ContractParameter {
  readonly in: "header" | "query";
  /** The name as the document spells it. Names of headers differ in letter case. */
  readonly name: string;
  readonly required: boolean;
  readonly schema: RuleSchema;
}

export interface ContractOperation {
  /** The path below the base URL. */
  readonly path: string;
  /** Where the operation stands in the document, as a JSON pointer. */
  readonly at: string;
  readonly parameters: readonly ContractParameter[];
  /** The ways to authenticate: `bearer`, `basic`, `header NAME`, `query NAME`, …; empty if the document names none. */
  readonly security: readonly string[];
  /** The media types of the request's body. */
  readonly mediaTypes: readonly string[];
  readonly body?: RuleSchema;
  /** The schemas of the answers, by status. A status without a schema has an empty one. */
  readonly answers: Readonly<Record<string, RuleSchema>>;
}

export interface ContractSource {
  /** A URL without credentials and query, or the name of a file. */
  readonly from: string;
  readonly title: string;
  /** `sha256:…` of the document's bytes. */
  readonly digest: string;
  readonly date: string;
}

export interface Contract {
  readonly formatVersion: typeof contractVersion;
  readonly source: ContractSource;
  readonly create: ContractOperation;
  readonly get: ContractOperation;
  /** The other operations that the document describes. A file without it says nothing about that. */
  readonly operations?: Operations;
}

/** A document or a file that is no usable contract. `message` completes "the document …" or "the file …". */
export class ContractError extends Error {
  override readonly name = "ContractError";
  /** Whether the document describes another service, or another version of it. */
  readonly lacksOperation: boolean;

  constructor(message: string, { lacksOperation = false } = {}) {
    super(message);
    this.lacksOperation = lacksOperation;
  }
}
