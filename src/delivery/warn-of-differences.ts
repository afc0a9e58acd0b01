// Warns where an incident differs from its definition.
import { type Difference, describeDifferences } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import type { PlannedDefinition } from "./plan.ts";

type Warns = Pick<DeliveryOptions["reporter"], "warn">;

export function warnOfDifferences(
  reporter: Warns,
  { id }: Pick<Incident, "id">,
  differences: readonly Difference[],
  advice = "",
): void {
  if (differences.length > 0)
    reporter.warn(`incident ${id} differs from its definition: ${describeDifferences(differences)}${advice}`);
}

/** Warns of each incident that an apply leaves as it is. */
export function warnOfDrift(reporter: Warns, planned: readonly PlannedDefinition[]): void {
  for (const { action, differences = [], drift, key, log, serviceId = key.id } of planned) {
    // A failure names its own.
    if (action === "failed") continue;
    warnOfDifferences(reporter, { id: serviceId }, differences, drift && `; ${drift.hint}`);
    if (action === "gone")
      reporter.warn(
        `incident ${log?.created?.serviceId ?? key.id} was declared from here, and the service no longer has it`,
      );
  }
}
