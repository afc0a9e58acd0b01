// Reads an OpenAPI document over HTTP. No redirect is followed, so that a key never leaves its host.
import { contractBounds } from "../document/contract-error.ts";
import { readDocument } from "../document/open-api.ts";
import { createRawTransport, type TransportDeps } from "../http/create-transport.ts";
import type { System } from "../platform/context.ts";
import { advise, argv } from "../text/advice.ts";
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
    hint: advise`${failure.hint}; or name its file: ${argv`incident contract pull --from FILE`}`,
  });
}

/** Loads the large YAML parser only for a document that is no JSON. Throws a `ContractError` for one that is neither. */
export function parseDocument(bytes: Uint8Array): Promise<unknown> {
  return readDocument(bytes, async (text) => (await import("../source/yaml/read.ts")).parseYaml(text));
}
