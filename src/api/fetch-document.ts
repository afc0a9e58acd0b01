// Reads an OpenAPI document over HTTP. No redirect is followed, so that a key never leaves its host.
import { readDocument } from "../document/read-document.ts";
import { Failure, type FailureKind } from "../failure.ts";
import { createRawTransport, type TransportDeps } from "../http/create-transport.ts";
import type { Answered, Outcome } from "../http/transport.ts";
import { advise, argv, type Hint } from "../text/advice.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { foreignRefusalHint, readErrorBody } from "./answer.ts";
import { outcomeFailure } from "./errors.ts";
import { requestHeaders } from "./request.ts";

export interface FetchOptions {
  readonly url: string;
  /** With an empty key for a document of another origin. */
  readonly settings: ServiceSettings;
  /** Milliseconds for each request. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The largest document, in bytes. */
  readonly bodyLimit: number;
}

/** Throws a `Failure` that names the answer where it is no document. */
export async function fetchDocument(deps: TransportDeps, options: FetchOptions): Promise<Uint8Array> {
  const { settings, signal, url } = options;
  const outcome = await requestDocument(deps, options);
  if (outcome.phase !== "answered")
    throw outcomeFailure(outcome, { operation: "get", id: undefined, settings, signal });
  return documentOf(outcome, url, settings);
}

export function requestDocument(deps: TransportDeps, options: FetchOptions): Promise<Outcome> {
  const { bodyLimit, deadline, settings, signal, url } = options;
  const key = settings.apiKey.value;
  const transport = createRawTransport(deps, key === "" ? [] : [key]);
  const accept = "application/json, application/yaml;q=0.9, */*;q=0.5";
  const headers = { ...(key !== "" && requestHeaders(settings)), accept };
  return transport({ method: "GET", url, headers }, { deadline, signal, bodyLimit });
}

/** Loads the large YAML parser only for a document that is no JSON. Throws a `ContractError` for one that is neither. */
export function parseDocument(bytes: Uint8Array): Promise<unknown> {
  return readDocument(bytes, async (text) => (await import("../source/yaml/read.ts")).parseYaml(text));
}

const fromElsewhere = advise`name it: ${argv`incident contract pull --from FILE`}`;

const hints = {
  redirected: advise`no redirect is followed, so that the key stays here; ${argv`incident contract pull --from URL`} reads the address itself`,
  credentials: advise`check the key: ${argv`incident doctor`} does; or save the document and ${fromElsewhere}`,
  unavailable: advise`run it again later; or save the document and ${fromElsewhere}`,
  "too-large": advise`take the document of these operations alone, and ${fromElsewhere}`,
} as const;

function missingHint({ baseUrl }: ServiceSettings): Hint {
  return baseUrl.origin === "--from"
    ? "check the URL of --from"
    : advise`check the base URL from ${baseUrl.origin}: ${baseUrl.value}; where the service publishes its document elsewhere, ${fromElsewhere}`;
}

function kindOf(status: number): "credentials" | "rejected" | "unavailable" {
  if (status === 401 || status === 403) return "credentials";
  return status >= 500 || status === 429 ? "unavailable" : "rejected";
}

function documentOf(outcome: Answered, url: string, settings: ServiceSettings): Uint8Array {
  const { body, bodyError, status } = outcome;
  if (status === 403 && readErrorBody(outcome) === undefined) {
    const problem = "answered 403, but not as the service does: a proxy or gateway may stand in between";
    throw refusal(url, outcome, "rejected", problem, foreignRefusalHint);
  }
  const { location } = outcome.headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    const to = URL.canParse(location, url) ? shownUrl(new URL(location, url).href) : "another address";
    throw refusal(url, outcome, "rejected", `redirects to ${to}`, hints.redirected);
  }
  if (status === 404 && readErrorBody(outcome) === undefined) {
    const problem = "answered 404, but not as the service does";
    throw refusal(url, outcome, "usage", problem, missingHint(settings));
  }
  if (status !== 200) {
    const kind = kindOf(status);
    const hint = kind === "rejected" ? missingHint(settings) : hints[kind];
    throw refusal(url, outcome, kind, `answered ${status}`, hint);
  }
  if (bodyError === "too-large")
    throw refusal(url, outcome, "rejected", "is larger than 64 MiB", hints[bodyError]);
  if (bodyError !== undefined)
    throw refusal(url, outcome, "unavailable", "was not read to its end", "run it again");
  return body;
}

function refusal(url: string, { status }: Answered, kind: FailureKind, problem: string, hint: Hint): Failure {
  const retryable = kind === "unavailable";
  return new Failure(kind, `${shownUrl(url)} ${problem}`, { hint, retryable, response: { status } });
}

/** Without credentials, query and fragment, which can hold secrets. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
