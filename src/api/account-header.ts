// The name of the account header, from the service's own document where no setting and no contract names it.
import { ignoreFailure } from "../failure.ts";
import type { Transport } from "../http/transport.ts";
import type { ServiceSettings } from "../workspace/resolve.ts";
import { type OperationsDeps, operationsAtHand, operationsOf } from "./known-operations.ts";

type Named = Pick<ServiceSettings, "account" | "accountHeader" | "baseUrl" | "hasDefaultHeader">;

/** Whether the service may expect the account under another name. */
function isUnnamed({ account, hasDefaultHeader }: Named): boolean {
  return hasDefaultHeader === true && account.value !== undefined;
}

/** Without a request. */
export async function withHeaderAtHand<T extends Named>(context: OperationsDeps, settings: T): Promise<T> {
  return isUnnamed(settings)
    ? named(settings, (await operationsAtHand(context, settings))?.accountHeader)
    : settings;
}

/** Reads the document where it is not at hand. One that cannot be read leaves the name as it is. */
export async function withDocumentHeader(
  context: OperationsDeps,
  settings: ServiceSettings,
): Promise<ServiceSettings> {
  if (!isUnnamed(settings)) return settings;
  const known = await operationsOf(context, settings).catch(ignoreFailure);
  return named(settings, known?.isKnown ? known.operations.accountHeader : undefined);
}

function named<T extends Named>(settings: T, accountHeader: string | undefined): T {
  return accountHeader === undefined ? settings : { ...settings, accountHeader, hasDefaultHeader: false };
}

/** After a read that is refused, the document says whether the account has another header: then it is sent again so. */
export function withLearnedHeader(
  context: OperationsDeps,
  settings: ServiceSettings,
  transport: Transport,
): Transport {
  if (!isUnnamed(settings)) return transport;
  let known = settings;
  const send: Transport = (request, control) => {
    const renamed = Object.entries(request.headers).map(
      ([name, value]) => [name === settings.accountHeader ? known.accountHeader : name, value] as const,
    );
    return transport({ ...request, headers: Object.fromEntries(renamed) }, control);
  };
  return async (request, control) => {
    const outcome = await send(request, control);
    const isRefused = outcome.phase === "answered" && [400, 401, 403].includes(outcome.status);
    if (request.method !== "GET" || !isRefused || !isUnnamed(known)) return outcome;
    known = await withDocumentHeader(context, settings);
    return known.accountHeader === settings.accountHeader ? outcome : send(request, control);
  };
}
