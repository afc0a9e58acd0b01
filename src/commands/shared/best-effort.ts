// What is done once a user has been told: it may fail, and must not take back what was said.

import { Failure } from "../../failure.ts";
import type { Reporter } from "../../platform/context.ts";

/** Does `work`; a `Failure` of it becomes a warning. */
export function bestEffort({ warn }: Reporter, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}
