// The operations that a service describes beside the two of the spec, as data that a file or a cache can hold. Everyone
// can write such a file: it names parameters, fields to read and one segment of a path, and nothing else.

import type { RuleSchema } from "../rule-schema.ts";

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
  /** The rules of its body. */
  readonly body: RuleSchema;
}

export interface Edit {
  readonly method: "PUT" | "PATCH";
  /** The fields that its body can have. */
  readonly properties: readonly string[];
}

export interface Operations {
  readonly list?: Pages;
  readonly addUpdate?: AddUpdate;
  readonly edit?: Edit;
  readonly services?: Pages;
  /** The name of the account header, in lower case. */
  readonly accountHeader?: string;
  /** Why an operation was not found: a clause about the document, such as `it has no GET /v1/status-pages/services`. */
  readonly missing: Readonly<Partial<Record<OperationName | "accountHeader", string>>>;
}

export const segmentPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const parameterPattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const accountHeaderPattern = /^x-[a-z0-9-]*account[a-z0-9-]*$/i;

/** The most entries of a page that the tool asks for. */
export const largestPage = 1000;

/** The longest reason of `missing`, in characters. */
export const longestReason = 500;
