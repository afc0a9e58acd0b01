// One run of `incident gate` in the simulation: the real list of the journal, reads and verdict, at a service without a list.

import {
  type KnownIncident,
  knownIncidents,
  read,
  type Standing,
} from "../../src/commands/gate/known-incidents.ts";
import { failureOf } from "../../src/commands/gate/verdict.ts";
import { inParallel } from "../../src/delivery/parallel.ts";
import { canBeFound } from "../../src/journal/client-ids.ts";
import { newest } from "../../src/journal/model.ts";
import { openDelivery, type RunOptions } from "./command.ts";
import type { Outcomes, ProcessPort } from "./world/local-state.ts";
import type { Start } from "./world/start.ts";

const filter = { serviceIds: new Set<string>(), severity: undefined };

export async function runGate(port: ProcessPort, start: Start, options: RunOptions): Promise<Outcomes> {
  const { delivery, journal, settings } = openDelivery(port, start, options);
  const { signal } = delivery.system;
  const logs = [...newest(await journal.model(delivery.service))].filter(
    ({ change }) => change === undefined,
  );
  const known = knownIncidents({ logs });
  const ids = delivery.journal.ids(delivery.service).create;
  const observing = {
    filter,
    keepsIds: ids !== "unknown" && canBeFound(ids),
    isListWhole: false,
    system: delivery.system,
  };
  const standings = known.map((each): Standing => ({ is: "unread", known: each }));
  // One at a time, since the scheduler answers one request of a process.
  await inParallel({ concurrency: 1, stop: signal, count: known.length }, async (index) => {
    standings[index] = await read(delivery, known[index] as KnownIncident, observing);
  });
  const judged = options.mutant?.passesUnread ? standings.filter(({ is }) => is !== "unread") : standings;
  const failure = failureOf(
    judged,
    {
      list: { is: "none", isDescribed: true, reason: "the service describes no list" },
      isEmpty: known.length === 0,
      baseUrl: settings.baseUrl,
      allowsUnknown: false,
    },
    signal,
  );
  const kind = failure?.kind ?? "none";
  await port.call({ kind: "print", ids: [], failure: kind });
  return { kind: "told", ids: [], failure: kind };
}
