// Reads an OpenAPI document over HTTP. No redirect is followed, so that a key never leaves its host.
import { ContractError, contractBounds } from "../document/contract-terms.ts";
import { createRawTransport, type TransportDeps } from "../http/create-transport.ts";
import type { System } from "../platform/context.ts";
import { parseJson } from "../untrusted-data.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { outcomeFailure } from "./errors.ts";
import { buildRequest, toWire } from "./request.ts";

/** The service's own document. Throws a `Failure` that names the answer where it is none. */
export async function fetchDocument(
  deps: TransportDeps & { readonly system: Pick<System, "signal"> },
  settings: ServiceSettings,
  deadline: number,
): Promise<Uint8Array> {
  const { signal } = deps.system;
  const key = settings.apiKey.value;
  const wire = toWire(buildRequest(settings, { method: "GET", path: "/openapi.json" }), key);
  const accept = "application/json, application/yaml;q=0.9, */*;q=0.5";
  const outcome = await createRawTransport(deps, [key])(
    { ...wire, headers: { ...wire.headers, accept } },
    { deadline, signal, bodyLimit: contractBounds.documentSize },
  );
  const facts = { operation: "document", id: undefined, settings, signal } as const;
  if (outcome.phase !== "answered") throw outcomeFailure(outcome, facts);
  const { body, bodyError, status } = outcome;
  if (status === 200 && bodyError === undefined) return body;
  const problem = bodyError === "too-large" ? "is larger than 64 MiB" : "was not read to its end";
  const failure = outcomeFailure(outcome, status === 200 ? { ...facts, problem } : facts);
  throw failure.with({
    message: `${wire.url}: ${failure.message}`,
    hint: `${failure.hint}; or name its file: incident contract pull --from FILE`,
  });
}

/** Throws a `ContractError` for bytes that are no document. */
export async function parseDocument(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length > contractBounds.documentSize) throw new ContractError("is larger than 64 MiB");
  const text = new TextDecoder().decode(bytes);
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) throw new ContractError("is empty");
  if (start === "<") throw new ContractError("is HTML or XML, and not JSON or YAML");
  // Some documents have raw control characters in their strings, which become spaces.
  const json = parseJson(text) ?? parseJson(text.replace(/\p{Cc}/gu, " "));
  // The YAML parser is large.
  const parseYaml = async () => (await import("../source/yaml/read.ts")).parseYaml(text);
  const value = json ?? (start === "{" || start === "[" ? undefined : await parseYaml());
  if (typeof value !== "object" || value === null) throw new ContractError("is neither JSON nor YAML");
  return value;
}
