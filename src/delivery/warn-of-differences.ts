// Warns where an incident differs from its definition.
import { type Difference, describeDifferences } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

export function warnOfDifferences(
  reporter: DeliveryOptions["reporter"],
  { id }: Incident,
  differences: readonly Difference[],
): void {
  if (differences.length > 0)
    reporter.warn(`incident ${id} differs from its definition: ${describeDifferences(differences)}`);
}
