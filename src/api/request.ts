// A request to the service as one value: the value that is shown and confirmed is the one that is sent. A person confirms
// everything but the headers that only carry it, which are a closed list.
import type { Failure } from "../failure.ts";
import type { Control, Outcome, WireRequest } from "../http/transport.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import type { RequestFacts } from "./errors.ts";

/** The headers that only carry a request, and are not confirmed. */
type CarryingHeader = "accept" | "authorization" | "content-length" | "host" | "user-agent";

/** The part of a request that a person confirms. */
export interface ConfirmedRequest {
  readonly method: WireRequest["method"];
  readonly baseUrl: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: string;
  /** The header that carries it has a name that one machine may have read in a document, and another not. */
  readonly account?: string | undefined;
  /** Every other header that does not only carry the request. */
  readonly says: Readonly<Record<string, string>> & { readonly [H in CarryingHeader]?: never };
  readonly body?: unknown;
}

export interface ApiRequest extends ConfirmedRequest {
  readonly accountHeader: string;
  readonly carries: Readonly<Partial<Record<CarryingHeader, string>>>;
}

/** Where requests go. Without a key for a request that is shown and not sent. */
export type RequestTarget = Pick<ServiceSettings, "account" | "accountHeader" | "baseUrl"> &
  Partial<Pick<ServiceSettings, "apiKey">>;

const statusPages = "/v1/status-pages";

export function buildRequest(target: RequestTarget, request: ServiceRequest): ApiRequest {
  const { body, method, query = "" } = request;
  return {
    method,
    baseUrl: target.baseUrl.value,
    path: pathOf(request),
    query,
    account: target.account.value,
    accountHeader: target.accountHeader,
    says: { ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
    carries: carryingHeaders(target),
  };
}

/** The headers of every request (spec 5). */
export function requestHeaders(target: Omit<RequestTarget, "baseUrl">): Readonly<Record<string, string>> {
  return { ...withAccount(target.accountHeader, target.account.value), ...carryingHeaders(target) };
}

function withAccount(header: string, account: string | undefined): Readonly<Record<string, string>> {
  return account === undefined ? {} : { [header]: account };
}

function carryingHeaders({ apiKey }: Pick<RequestTarget, "apiKey">): ApiRequest["carries"] {
  return {
    accept: "application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey.value}` }),
  };
}

/** The part of it that a person confirms. */
export function confirmedPart({ accountHeader: _, carries: __, ...part }: ApiRequest): ConfirmedRequest {
  return part;
}

export function toWire(request: ApiRequest): WireRequest {
  const { account, accountHeader, baseUrl, body, carries, method, path, query, says } = request;
  return {
    method,
    url: `${baseUrl}${path}${query === "" ? "" : `?${query}`}`,
    headers: { ...carries, ...withAccount(accountHeader, account), ...says },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** The request without the key, to be shown. */
export function withoutKey(request: ApiRequest): ApiRequest {
  const { authorization: _, ...carries } = request.carries;
  return { ...request, carries };
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
