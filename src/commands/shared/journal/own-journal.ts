// The assumption where a service assigns its own ids: machines that send at the same time share the journal.
import { openUpdateMemory } from "../../../delivery/changes/update-memory.ts";
import type { DeliveryOptions } from "../../../delivery/delivery-options.ts";
import { canBeFound } from "../../../journal/client-ids.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { environmentVariables } from "../../../workspace/environment-variables.ts";

/** Call it after something was sent. Warns in CI alone: a person's machine is one sender. */
export function warnOfOwnJournal(
  { system, warn }: Pick<RunContext, "system" | "warn">,
  { clientIds, isShared, notes, service }: DeliveryOptions,
): void {
  const learned = [clientIds.latest(), openUpdateMemory(notes, service).ids.latest()];
  if (!system.env.CI || isShared || learned.every(canBeFound)) return;
  warn(
    `the service assigns its own ids, and the journal of this runner is its own: two runners at once could post the same update twice; share a journal with ${environmentVariables.journal}`,
  );
}
