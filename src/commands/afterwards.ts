// What is done once a user has been told: it may fail, and must not take back what was said.
import type { Telling } from "../context.ts";
import { Failure } from "../failure.ts";

/** Does `work`; a `Failure` of it becomes a warning. */
export function afterwards({ warn }: Telling, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}
