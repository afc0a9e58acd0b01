// Names the base URL as a suspect where the service answers 404 and nothing has ever worked with that base URL.
import { hasCreatedAt } from "../../delivery/journal/sent-services.ts";
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { stateDirectory } from "../../settings/locations.ts";
import type { Endpoint } from "../../settings/resolve.ts";

/** The failure, with the base URL in its hint if it is a 404 from a service that never created an incident from here. */
export function withBaseUrlSuspect(
  { files, system }: { readonly files: Files; readonly system: Pick<System, "env" | "home" | "cwd"> },
  failure: Failure,
  { baseUrl }: Pick<Endpoint, "baseUrl">,
  stateDir: string | undefined,
): Failure {
  const isMissing = failure.response?.status === 404 && failure.kind !== "usage";
  if (!isMissing || hasCreatedAt(files, stateDirectory(system, stateDir).value, baseUrl.value))
    return failure;
  const { kind, message, hint, cause, ...details } = failure;
  return new Failure(kind, message, {
    ...details,
    cause,
    hint: `${hint}, and the base URL from ${baseUrl.origin} (${baseUrl.value}): nothing was declared with it from here yet; incident doctor checks it`,
  });
}
