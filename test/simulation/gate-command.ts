// One run of `incident gate` in the simulation: the real list of the journal, reads and verdict, at a service without a list.

import { readStanding } from "../../src/commands/gate/gate.ts";
import {
  type KnownIncident,
  knownIncidents,
  type Standing,
  verdictOf,
} from "../../src/commands/gate/verdict.ts";
import { inParallel } from "../../src/delivery/parallel.ts";
import { canBeFound } from "../../src/journal/client-ids.ts";
import { newest } from "../../src/journal/model.ts";
import { openDelivery, type RunOptions } from "./command.ts";
import type { Outcomes, ProcessPort } from "./world/local-state.ts";
import type { Start } from "./world/start.ts";

const filter = { serviceIds: new Set<string>(), severity: undefined };

export async function runGate(port: ProcessPort, start: Start, options: RunOptions): Promise<Outcomes> {
  const { delivery, journal } = openDelivery(port, start, options);
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
  const standings = known.map(({ id }): Standing => ({ is: "unknown", id, problem: "it was not read" }));
  const wasRead = new Set<number>();
  // One at a time, since the scheduler answers one request of a process.
  await inParallel({ stop: signal, count: known.length, reporter: delivery.reporter }, async (index) => {
    standings[index] = await readStanding(delivery.client, known[index] as KnownIncident, observing);
    wasRead.add(index);
  });
  const judged = options.mutant?.passesUnread ? standings.filter((_, at) => wasRead.has(at)) : standings;
  const failure = verdictOf(
    {
      open: judged.flatMap((each) => (each.is === "open" ? [each.incident] : [])),
      unknown: judged.flatMap((each) => (each.is === "unknown" ? [each] : [])),
      nothing: known.length === 0 ? "the service describes no list" : undefined,
    },
    signal,
  );
  const kind = failure?.kind ?? "none";
  await port.call({ kind: "print", ids: [], failure: kind });
  return { kind: "told", ids: [], failure: kind };
}
