// A request to the service as one value: the value that is shown and confirmed is the one that is sent.
import type { Failure } from "../failure.ts";
import type { Control, Outcome, WireRequest } from "../http/transport.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import type { RequestFacts } from "./errors.ts";

/** A person confirms all of it but `accountHeader`: one machine may have read that name in a document, and another not. */
export interface ApiRequest {
  readonly method: WireRequest["method"];
  readonly baseUrl: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: string;
  readonly account?: string | undefined;
  readonly accountHeader: string;
  readonly type?: "application/json";
  readonly body?: unknown;
}

export type RequestTarget = Pick<ServiceSettings, "account" | "accountHeader" | "baseUrl">;

type ServiceRequest = Pick<ApiRequest, "method" | "path" | "body"> & { readonly query?: string };

/** Nothing of a path but its last step comes from a document. */
export function pathOf(...steps: readonly string[]): string {
  return ["/v1/status-pages", ...steps].join("/");
}

export function buildRequest(
  { account, accountHeader, baseUrl }: RequestTarget,
  { body, method, path, query = "" }: ServiceRequest,
): ApiRequest {
  return {
    method,
    baseUrl: baseUrl.value,
    path,
    query,
    account: account.value,
    accountHeader: accountHeader.value,
    ...(body !== undefined && { type: "application/json", body }),
  };
}

/** With the headers of every request (spec 5); without a key for one that is only shown. */
export function toWire(request: ApiRequest, key?: string): WireRequest {
  const { account, accountHeader, baseUrl, body, method, path, query, type } = request;
  return {
    method,
    url: `${baseUrl}${path}${query === "" ? "" : `?${query}`}`,
    headers: {
      accept: "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(account !== undefined && { [accountHeader]: account }),
      ...(type && { "content-type": type }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

export type ReadOptions = Pick<Control, "budget">;

/** The calls before the first byte of a request that changes something leaves. */
export type SendConditions = Pick<Control, "beforeSend" | "isOverdue">;

export type Send = (request: ServiceRequest, options?: ReadOptions & SendConditions) => Promise<Outcome>;

/** `problem` completes "the answer …", for a success that cannot be used. */
export type FailureOf = (
  outcome: Outcome,
  operation: RequestFacts["operation"],
  id?: string,
  problem?: string,
) => Failure;
