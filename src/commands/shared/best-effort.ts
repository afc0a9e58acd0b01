// What is done once a user has been told: it may fail, and must not take back what was said.

import { Failure } from "../../failure.ts";
import type { Telling } from "../../platform/context.ts";

/** Does `work`; a `Failure` of it becomes a warning. */
export function afterwards({ warn }: Telling, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}
