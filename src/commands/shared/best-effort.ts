// Work after the result was printed: its failure is a warning, since the result stands.

import { Failure } from "../../failure.ts";
import type { Reporter } from "../../platform/context.ts";

/** Does `work`; a `Failure` of it becomes a warning. */
export async function bestEffort({ warn }: Reporter, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(error.message);
  }
}
