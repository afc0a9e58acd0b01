// The commands of the simulation that change an incident: the real planning and delivery of `apply` and `update`.

import { applyFailure } from "../../src/commands/apply/plan.ts";
import { applyPlan, planDefinitions } from "../../src/delivery/apply.ts";
import { updateKey } from "../../src/delivery/changes/known-updates.ts";
import { planUpdate } from "../../src/delivery/changes/plan-update.ts";
import { postOnce } from "../../src/delivery/changes/update-operation.ts";
import type { AddUpdate, Operations } from "../../src/document/contract.ts";
import type { Definition, Update } from "../../src/incident/definition.ts";
import { definition as aDefinition } from "../harness/builders.ts";
import { openDelivery, type RunOptions } from "./command.ts";
import type { Outcomes, ProcessPort } from "./world/local-state.ts";
import type { Start } from "./world/start.ts";

const text = { type: "string" } as const;
const addUpdate: AddUpdate = {
  segment: "incident-updates",
  body: {
    type: "object",
    properties: { id: text, description: text, status: text, notifySubscribers: { type: "boolean" } },
  },
};

const operations: Operations = {
  addUpdate,
  edit: { method: "PUT", properties: ["name", "severity", "services"] },
};

/** A status, and then the text. */
export function toUpdate(text: string): Update {
  const [status, ...words] = text.split(" ");
  return { status: status as NonNullable<Update["status"]>, description: words.join(" ") };
}

export async function runApply(port: ProcessPort, start: Start, options: RunOptions): Promise<Outcomes> {
  const { delivery, stop } = openDelivery(port, start, options);
  const { id, severity, updates = [], wants } = start;
  const definition: Definition = aDefinition({
    name: wants,
    ...(id !== undefined && { id }),
    ...(severity !== undefined && { severity: severity as Definition["severity"] }),
    incidentUpdates: [
      { status: "INVESTIGATING", description: "It's  broken & we look.\n" },
      ...updates.map(toUpdate),
    ],
  });
  const applying = {
    ...delivery,
    stop,
    operations: async () => operations,
    reopens: options.mutant?.reopens ?? false,
    overwrites: false,
    recreate: false,
  };
  const change = options.mutant?.plan;
  const plan = await planDefinitions(applying, [definition]);
  for (const planned of plan) if (change !== undefined) Object.assign(planned, change(planned));
  const all = await applyPlan(applying, plan);
  const [applied] = all;
  if (options.mutant?.goesOn && applied?.failure?.kind === "uncertain" && applied.changes !== undefined) {
    const { incident, posts } = applied.changes;
    const update = posts.at(-1)?.update ?? (definition.incidentUpdates[0] as Update);
    const log = await delivery.journal.read(updateKey(delivery.service, incident.id, update, 0));
    await postOnce(delivery, addUpdate, { incident, update, log });
  }
  const problem = applyFailure(
    all.map((each) => ({ ...each, file: "x.yaml", link: undefined })),
    {},
    stop,
  );
  const ids = applied?.serviceId === undefined ? [] : [applied.serviceId];
  await port.call({ kind: "print", ids, failure: problem?.kind ?? "none" });
  return ids.length === 0 && problem !== undefined
    ? { kind: "failed", failure: problem.kind, message: problem.message }
    : { kind: "told", ids, failure: problem?.kind ?? "none" };
}

export async function runUpdate(port: ProcessPort, start: Start, options: RunOptions): Promise<Outcomes> {
  const { delivery } = openDelivery(port, start, options);
  const { id = "", updates = [] } = start;
  const [update] = updates.map(toUpdate) as [Update];
  const planned = await planUpdate(delivery, { incidentId: id, update, isNew: false, reopens: false });
  const posted = planned.posted ?? (await postOnce(delivery, addUpdate, planned.request));
  const failure = posted.failure?.kind ?? "none";
  await port.call({ kind: "print", ids: [id], failure });
  return { kind: "told", ids: [id], failure };
}
