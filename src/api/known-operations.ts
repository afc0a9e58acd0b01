// The operations that the service describes beside the two of the spec: from the saved contract, else from the cache or
// the document itself. A document that cannot be read is not one that lacks an operation.

import { join } from "node:path";
import type { Operations } from "../document/contract.ts";
import { ContractError, type OperationName, operationWords } from "../document/contract-terms.ts";
import { lacking } from "../document/operations.ts";
import { Failure, tryTo } from "../failure.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { readText } from "../platform/regular-file.ts";
import { replaceFile } from "../platform/write-file.ts";
import { inWebApplication } from "../text/advice.ts";
import { fieldOf, isMapping, parseJson } from "../untrusted-data.ts";
import { version } from "../version.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { incidentLink } from "../workspace/service-urls.ts";
import { environmentVariables } from "../workspace/settings.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A `Failure` says why the document cannot be read. */
export type KnownOperations = Operations | Failure;

export interface OperationsDeps
  extends Pick<Context, "files" | "network" | "system">,
    Pick<Reporter, "debug" | "warn" | "withSpinner"> {
  readonly workspace: Pick<Workspace, "contract">;
}

/** How long a document in the cache counts, in milliseconds. */
const freshFor = 24 * 60 * 60 * 1000;

/** The longest wait for a document, in milliseconds. */
const longestWait = 3000;

/** A run reads the document once. */
const readings = new WeakMap<OperationsDeps["network"], Promise<KnownOperations>>();

/** Reads the document where neither the contract nor the cache of a day says it. */
export async function operationsOf(
  context: OperationsDeps,
  settings: ServiceSettings,
): Promise<KnownOperations> {
  const operations = await operationsAtHand(context, settings);
  if (operations !== undefined) return operations;
  const reading = readings.get(context.network) ?? readOperations(context, settings);
  readings.set(context.network, reading);
  return reading;
}

/** Without a request: undefined where neither the contract nor the cache of a day knows them. */
export async function operationsAtHand(
  context: OperationsDeps,
  settings: ServiceSettings,
): Promise<Operations | undefined> {
  // A rehearsal is at another service than the contract's.
  const isRehearsal = context.system.env[environmentVariables.sandboxPin];
  const saved = isRehearsal ? undefined : (await context.workspace.contract())?.operations;
  return saved ?? readCache(context, settings);
}

/** Reads the document of the service, and keeps its operations in the cache. */
export async function readOperations(
  context: OperationsDeps,
  settings: ServiceSettings,
): Promise<KnownOperations> {
  const { fetchDocument, parseDocument } = await import("./fetch-document.ts");
  const url = `${settings.baseUrl.value}/openapi.json`;
  try {
    const bytes = await context.withSpinner(
      () => `reading ${url}`,
      () => fetchDocument(context, settings, longestWait),
    );
    const { findOperations } = await import("../document/find-operations.ts");
    const operations = findOperations(await parseDocument(bytes));
    const file = await cacheFile(context, settings);
    if (file !== undefined) keepOperations(context, file, operations);
    return operations;
  } catch (error) {
    if (error instanceof Failure && error.kind !== "interrupted" && error.kind !== "terminated") {
      // Only the service's own 404 says that there is no document.
      const isNoDocument = error.kind === "rejected" && error.details.response?.status === 404;
      return isNoDocument ? error : error.with({ kind: "unavailable" });
    }
    if (!(error instanceof ContractError)) throw error;
    const hint =
      "check the base URL; or save the document that the service publishes elsewhere, and name its file: incident contract pull --from FILE";
    return new Failure("unavailable", `${url} ${error.message}`, { hint, retryable: false });
  }
}

/** Undefined where there is no usable entry: a cache stops no command. */
async function readCache(context: OperationsDeps, settings: ServiceSettings) {
  const file = await cacheFile(context, settings);
  if (file === undefined) return undefined;
  const read = readText(context.files, file);
  const entry = typeof read === "object" ? parseJson(read.text) : undefined;
  const at = fieldOf(entry, "at");
  const age = typeof at === "number" ? context.system.clock.now() - at : -1;
  const operations = fieldOf(entry, "operations");
  const isUsable = age >= 0 && age < freshFor && isMapping(operations);
  return isUsable ? (operations as Operations) : undefined;
}

/** Keeps the operations for a day. A file that a power failure tears is none. */
function keepOperations(context: OperationsDeps, file: string, operations: Operations): void {
  const entry = { at: context.system.clock.now(), operations };
  // At the end, because the journal syncs only the folders that it makes itself.
  context.system.atExit(() => {
    // Without it, the next run reads the document again.
    tryTo(() => replaceFile(context, file, JSON.stringify(entry), { isPrivate: true, isDurable: false }));
  });
}

/** Undefined where the environment names no folder, or one in a repository. Another version may read other operations. */
async function cacheFile({ system }: OperationsDeps, { baseUrl }: ServiceSettings) {
  const folder = await system.cacheFolder();
  // No digest: a get loads node:crypto for nothing else. An address that is too long for a name is not kept.
  const name = `operations-${version}-${encodeURIComponent(baseUrl.value)}.json`;
  return folder && join(folder, name);
}

/** Throws a `Failure` for an unreadable document, or a missing operation. `id`: the incident that the operation is for. */
export function describedOperation<N extends OperationName>(
  known: KnownOperations,
  settings: Pick<ServiceSettings, "webUrl">,
  name: N,
  id?: string,
): NonNullable<Operations[N]> {
  const place = inWebApplication(incidentLink(settings.webUrl, id ?? ""));
  if (known instanceof Failure) {
    const { hint, message } = known;
    throw known.with({
      message: `whether the service describes ${operationWords[name].noun} is not known: ${message}`,
      hint: id === undefined ? hint : `nothing was sent; ${hint}; if it cannot wait, do it ${place}`,
    });
  }
  const operation = known[name];
  if (operation !== undefined) return operation;
  const ofAll =
    name === "list"
      ? `look at the incidents ${inWebApplication()}; those that were declared from here: incident journal list`
      : "take them from an incident that has them: incident services import INCIDENT_ID";
  throw new Failure("rejected", `the service's document does not describe ${lacking(known, name)}`, {
    hint: id === undefined ? ofAll : `nothing was sent; do it ${place}`,
  });
}
