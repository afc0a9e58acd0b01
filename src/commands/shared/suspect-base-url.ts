// Names the base URL as a suspect where the service answers 404 and nothing has ever worked with that base URL.
import type { Connection } from "../../api/connect.ts";
import type { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { advise, argv } from "../../text/advice.ts";

/**
 * The failure, with the base URL in its hint if it is a 404 from a service that never created an incident from here. A
 * shared journal is not searched for that: another failure of the network would delay this one.
 */
export async function withBaseUrlSuspect(
  context: RunContext,
  failure: Failure,
  { client, journal }: Connection,
): Promise<Failure> {
  const { baseUrl } = client.settings;
  const isMissing = failure.details.response?.status === 404 && failure.kind !== "usage";
  if (!isMissing) return failure;
  const { hasCreatedAt } = await import("../../journal/sent-creates.ts");
  if (await hasCreatedAt(context, context.workspace.stateDirectory.value, baseUrl.value)) return failure;
  const isShared = journal.location.value.kind !== "folder";
  const reason = isShared ? "" : "nothing was declared with it from here yet; ";
  return failure.with({
    hint: advise`${failure.details.hint}, and the base URL from ${baseUrl.origin} (${baseUrl.value}): ${reason}${argv`incident doctor`} checks it`,
  });
}
