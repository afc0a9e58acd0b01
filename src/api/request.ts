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

/** Where requests go. */
export type RequestTarget = Pick<ServiceSettings, "account" | "accountHeader" | "baseUrl">;

const statusPages = "/v1/status-pages";

export function buildRequest(target: RequestTarget, request: ServiceRequest): ApiRequest {
  const { body, method, query = "" } = request;
  return {
    method,
    baseUrl: target.baseUrl.value,
    path: pathOf(request),
    query,
    account: target.account.value,
    accountHeader: target.accountHeader.value,
    ...(body !== undefined && { type: "application/json", body }),
  };
}

/** The headers of every request (spec 5); without a key for one that is only shown. */
export function requestHeaders(
  { account, accountHeader }: Pick<ApiRequest, "account" | "accountHeader">,
  key: string | undefined,
): Readonly<Record<string, string>> {
  return {
    accept: "application/json",
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(account !== undefined && { [accountHeader]: account }),
  };
}

export function toWire(request: ApiRequest, key?: string): WireRequest {
  const { baseUrl, body, method, path, query, type } = request;
  return {
    method,
    url: `${baseUrl}${path}${query === "" ? "" : `?${query}`}`,
    headers: { ...requestHeaders(request, key), ...(type && { "content-type": type }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** Nothing of a path but its last segment comes from a document. */
export function pathOf({ collection, id, segment }: Omit<ServiceRequest, "method">): string {
  const steps = [collection ?? "incidents", id, segment].filter((step) => step !== undefined);
  return `${statusPages}/${steps.join("/")}`;
}

export interface ServiceRequest {
  readonly method: WireRequest["method"];
  /** `incidents` without it. */
  readonly collection?: "services" | undefined;
  readonly id?: string | undefined;
  /** The last segment of the path, after the id. */
  readonly segment?: string | undefined;
  readonly query?: string;
  readonly body?: unknown;
}

export interface ReadOptions {
  /** Milliseconds for the read with all its attempts; waiting for the rate limit does not count. */
  readonly budget?: number;
}

/** The calls before the first byte of a request that changes something leaves. */
export type SendConditions = Pick<Control, "beforeSend" | "isOverdue">;

/** Throws a `Failure` for an id that cannot be part of an address. */
export type Send = (request: ServiceRequest, options?: ReadOptions & SendConditions) => Promise<Outcome>;

/** `problem` completes "the answer …", for a success that cannot be used. */
export type FailureOf = (
  outcome: Outcome,
  operation: RequestFacts["operation"],
  id?: string,
  problem?: string,
) => Failure;
