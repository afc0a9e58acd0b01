// Warns where an incident differs from its definition.
import { type Difference, describeDifferences } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { environmentVariables } from "../workspace/environment-variables.ts";
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
export function warnOfDrift(
  reporter: Warns,
  { isShared }: Pick<DeliveryOptions, "isShared">,
  planned: readonly PlannedDefinition[],
): void {
  const sharing = isShared ? "" : `share the journal of all machines (${environmentVariables.journal}), or `;
  const advice = `; nothing here knows who changed it: ${sharing}write the file's values with --force`;
  for (const { action, differences = [], key, log, serviceId = key.id } of planned) {
    // A failure names its own.
    if (action === "failed") continue;
    warnOfDifferences(reporter, { id: serviceId }, differences, log?.created === undefined ? advice : "");
  }
}

/** Warns of each incident that the service no longer has, and that an apply does not declare again. */
export function warnOfGone(reporter: Warns, planned: readonly PlannedDefinition[]): void {
  for (const { action, key, log } of planned) {
    if (action !== "gone") continue;
    reporter.warn(
      `incident ${log?.created?.serviceId ?? key.id} was declared from here, and the service no longer has it; remove its file, or declare it again with --recreate`,
    );
  }
}
