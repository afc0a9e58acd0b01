// Reads that prove less than they seem to: a 404 of a wrong base URL says nothing about an incident, and the create of an
// incident that is read may have no known outcome on this machine.
import { join } from "node:path";
import type { Client } from "../../api/client.ts";
import type { Connection } from "../../api/connect.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { advise, argv } from "../../text/advice.ts";
import { fieldOf, parseJson } from "../../untrusted-data.ts";

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

export async function warnOfUnproven(context: RunContext, client: Client): Promise<void> {
  const { baseUrl } = client.settings;
  if (await isProvenHere(context, baseUrl.value)) return;
  if (await isDescribed(context, client)) return;
  context.warn(`${unprovenUrl(baseUrl)}; incident doctor checks the base URL from ${baseUrl.origin}`);
}

interface Reads {
  readonly incidents: readonly Incident[];
  readonly failure?: Failure | undefined;
  /** The id that `failure` is about. */
  readonly missing?: string | undefined;
}

/**
 * Warns of each incident whose create is unsettled. A shared journal is not read for that: it would delay every answer.
 * Returns the failure with that of `missing`, if there is one.
 */
export async function tellUnsettled(
  context: RunContext,
  global: GlobalFlags,
  connection: Connection,
  { failure, incidents, missing }: Reads,
): Promise<Failure | undefined> {
  if (connection.journal.location.value.kind !== "folder" || !mayHaveUnsettled(context)) return undefined;
  const { openDelivery } = await import("../../delivery/open-delivery.ts");
  const { unsettled } = await import("../../journal/model.ts");
  const { withUnsettledCreate } = await import("../../delivery/failures.ts");
  try {
    const { delivery } = await openDelivery({ ...context, warn: () => undefined }, connection, global);
    for (const { answeredIds, change, key } of unsettled(await delivery.journal.model(delivery.service))) {
      if (change !== undefined) continue;
      const ids = [key.id, ...answeredIds].map((id) => id.toLowerCase());
      const found = incidents.find(({ id }) => ids.includes(id.toLowerCase()));
      if (found === undefined) continue;
      context.warn(
        `the outcome of the create of ${found.id} is not known here: incident journal settle ${key.id} records that it exists`,
      );
    }
    return failure?.kind === "missing" && missing !== undefined
      ? await withUnsettledCreate(failure, delivery, missing)
      : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

const largestEntry = 16 * 1024 * 1024;

/** Whether the last entries of this machine say so, without loading the journal. */
function mayHaveUnsettled({ files, workspace }: RunContext): boolean {
  const journal = join(workspace.stateDirectory.value, "journal");
  try {
    return files.readdirSync(journal).some((name) => {
      const entries = files.readdirSync(join(journal, name)).filter((entry) => entry.endsWith(".json"));
      const last = entries.sort().at(-1);
      const read = last && readRegularFile(files, join(journal, name, last), largestEntry);
      return read && fieldOf(parseJson(Buffer.from(read.bytes).toString()), "isUnsettled") === true;
    });
  } catch {
    return false;
  }
}
