// Judges whether the base URL is proven. A 404 of an unproven one says nothing about an incident.

import type { Client } from "../../api/client.ts";
import type { Connection } from "../../api/connect.ts";
import type { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { advise, argv } from "../../text/advice.ts";

/** Whether the document at the base URL describes the service, by a request. */
export async function isDescribed(context: RunContext, { settings }: Client): Promise<boolean> {
  const { operationsOf } = await import("../../api/known-operations.ts");
  return (await operationsOf(context, settings, { ignoresContract: true })).isKnown;
}

/** Whether an incident was created with the base URL from this machine. */
export async function isProvenHere(context: RunContext, baseUrl: string): Promise<boolean> {
  const { hasCreatedAt } = await import("../../journal/sent-creates.ts");
  return hasCreatedAt(context, context.workspace.stateDirectory.value, baseUrl);
}

/**
 * The failure, with the base URL first in its hint if it is a 404 from a service that never created an incident from here.
 * A shared journal is not searched for that, and no document is read: a command that waits for neither would be late.
 */
export async function withBaseUrlSuspect(
  context: RunContext,
  failure: Failure,
  { client, journal }: Connection,
): Promise<Failure> {
  const { baseUrl } = client.settings;
  const isMissing = failure.details.response?.status === 404 && failure.kind !== "unavailable";
  if (!isMissing) return failure;
  if (await isProvenHere(context, baseUrl.value)) return failure;
  const isShared = journal.location.value.kind !== "folder";
  const reason = isShared ? "" : ", with which nothing was declared from here yet";
  return failure.with({
    hint: advise`check the base URL from ${baseUrl.origin} first (${baseUrl.value})${reason}: ${argv`incident doctor`} does; then ${failure.details.hint}`,
  });
}

export function unprovenUrl(baseUrl: { readonly value: string }): string {
  return `each read was answered with 404, and nothing shows that ${baseUrl.value} is the base URL of the service`;
}

/** For a plan that found no incident. */
export async function warnOfUnproven(context: RunContext, client: Client): Promise<void> {
  const { baseUrl } = client.settings;
  if (await isProvenHere(context, baseUrl.value)) return;
  if (await isDescribed(context, client)) return;
  context.warn(`${unprovenUrl(baseUrl)}; incident doctor checks the base URL from ${baseUrl.origin}`);
}
