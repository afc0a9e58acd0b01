// Reads an OpenAPI document over HTTP. No redirect is followed, so that a key never leaves its host.
import { readDocument } from "../document/read-document.ts";
import { createRawTransport, type TransportDeps } from "../http/create-transport.ts";
import type { Answered, Outcome } from "../http/transport.ts";
import { advise, argv } from "../text/advice.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
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
  const { settings, signal } = options;
  const outcome = await requestDocument(deps, options);
  if (outcome.phase !== "answered")
    throw outcomeFailure(outcome, { operation: "document", id: undefined, settings, signal });
  return documentOf(outcome, options);
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

function documentOf(outcome: Answered, { settings, signal, url }: FetchOptions): Uint8Array {
  const { body, bodyError, status } = outcome;
  if (status === 200 && bodyError === undefined) return body;
  const problem = bodyError === "too-large" ? "is larger than 64 MiB" : "was not read to its end";
  const facts = { operation: "document", id: undefined, settings, signal } as const;
  const failure = outcomeFailure(outcome, status === 200 ? { ...facts, problem } : facts);
  throw failure.with({
    message: `${shownUrl(url)}: ${failure.message}`,
    hint: advise`${failure.details.hint}; or name its file: ${argv`incident contract pull --from FILE`}`,
  });
}

/** Without credentials, query and fragment, which can hold secrets. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
