// Whether a service keeps the id that a create carries. It is not stated (spec 4.2), so it is learned from each
// answer and remembered for each service and account.

import type { OperationKey } from "./journal/events.ts";
import type { Store } from "./journal/folder-store.ts";
import { hash } from "./journal/journal.ts";
import { parseStored } from "./journal/journal-errors.ts";

/**
 * `honoured`: the incident has the id that was sent. `ignored`: it gets another. `unsupported`: a create with an
 * id is refused. `unique`: honoured, and a second create with the same id is refused; only a person can promise it.
 */
export const clientIdModes = ["unknown", "honoured", "ignored", "unsupported", "unique"] as const;
export type ClientIds = (typeof clientIdModes)[number];

export interface ClientIdMemory {
  current(): ClientIds;
  learn(mode: "honoured" | "ignored" | "unsupported"): void;
}

/** `promised` is what the profile says; it is believed, and nothing that is learned changes it. */
export function createClientIdMemory(
  store: Store,
  service: Pick<OperationKey, "baseUrl" | "account">,
  promised: ClientIds | undefined,
): ClientIdMemory {
  const name = `service-${hash([service.baseUrl, service.account ?? null]).slice(0, 40)}.json`;
  const remembered = (): ClientIds => {
    const text = store.get(name);
    const mode = text === undefined ? undefined : parseStored(name, text).clientIds;
    return clientIdModes.find((known) => known === mode) ?? "unknown";
  };
  let current = promised ?? remembered();
  return {
    current: () => current,
    learn(mode) {
      if (promised !== undefined || current === mode) return;
      current = mode;
      store.replace(name, `${JSON.stringify({ ...service, clientIds: mode })}\n`);
    },
  };
}

/** Whether an incident can be found under the id that was chosen for it. */
export function canBeFound(mode: ClientIds): boolean {
  return mode !== "ignored" && mode !== "unsupported";
}
