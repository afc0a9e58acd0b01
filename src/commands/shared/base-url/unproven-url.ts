// The doubt about a base URL at which each read was answered with 404.
import type { Client } from "../../../api/client.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { isDescribed, isProvenHere } from "./suspect-base-url.ts";

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
