// One run of `incident gate` in the simulation: the real list of the journal, reads and verdict, at a service without a list.

import {
  incidentsIn,
  type KnownIncident,
  type Observation,
  observe,
} from "../../src/commands/gate/known-incidents.ts";
import { failureOf, findingsOf } from "../../src/commands/gate/verdict.ts";
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
  const known = [...incidentsIn(logs).values()];
  const ids = delivery.clientIds();
  const observing = { filter, keepsIds: ids !== "unknown" && canBeFound(ids), isListWhole: false };
  const observed = new Map<number, Observation>();
  // One at a time, since the scheduler answers one request of a process.
  await inParallel({ concurrency: 1, stop: signal, count: known.length }, async (index) => {
    const observation = await observe(delivery, known[index] as KnownIncident, observing);
    if (observation !== undefined) observed.set(index, observation);
  });
  const wasRead = (_: unknown, index: number) => observed.has(index);
  const judged = options.mutant?.passesUnread
    ? findingsOf(known.filter(wasRead), new Map([...observed.values()].entries()), [])
    : findingsOf(known, observed, []);
  const failure = failureOf(
    judged,
    {
      list: { is: "none", reason: "the service describes no list" },
      isEmpty: known.length === 0,
      isProven: true,
      baseUrl: settings.baseUrl,
      allowsUnknown: false,
    },
    { signal, localOffset: () => 0 },
  );
  const kind = failure?.kind ?? "none";
  await port.call({ kind: "print", ids: [], failure: kind });
  return { kind: "told", ids: [], failure: kind };
}
