// A runner of CI forgets its disk: what was sent from it is known to the next one only by a journal that outlives it.
import { openUpdateIds } from "../../../delivery/changes/update-identity.ts";
import type { DeliveryOptions } from "../../../delivery/delivery-options.ts";
import { Failure } from "../../../failure.ts";
import { canBeFound, keepsIds } from "../../../journal/client-ids.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import type { JournalSettings } from "../../../workspace/journal-location.ts";
import { environmentVariables } from "../../../workspace/settings.ts";

type Warns = Pick<RunContext, "system" | "warn">;

const name = environmentVariables.journal;

/** The lines that keep the journal in the repository. */
const linesToAdd = `# GitHub, in the job:
permissions: { contents: write }
env: { ${name}: "git:" }
# GitLab, in the job; the project allows "Git push requests" under Job token permissions:
variables:
  ${name}: git+https://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_FQDN/$CI_PROJECT_PATH.git`;

/** Where the place of the journal was chosen, even the folder, the runner keeps it. */
function forgets({ system }: Pick<RunContext, "system">, { location }: JournalSettings): boolean {
  return Boolean(system.env.CI) && location.origin === "default";
}

/** Call it before anything is read. Throws a `Failure` "usage"; for a dry run, it is a warning. */
export function checkMemory(context: Warns, journal: JournalSettings, isDryRun: boolean): void {
  if (!forgets(context, journal)) return;
  const problem = "apply in CI needs a journal that outlives the runner";
  if (isDryRun) {
    context.warn(`${problem}: set ${name}, or this command without --dry-run is refused`);
    return;
  }
  throw new Failure("usage", problem, {
    hint: `nothing was sent; keep the journal in the repository with the lines below, or in PostgreSQL (${name}=postgres://…); if this runner keeps its disk, say so with ${name}=folder`,
    example: linesToAdd,
  });
}

/** Call it after an update was sent. */
export function warnOfOwnJournal(
  context: Warns,
  { clientIds, notes, service }: DeliveryOptions,
  journal: JournalSettings,
): void {
  const learned = [clientIds.latest(), openUpdateIds({ notes, service }).latest()];
  if (!forgets(context, journal) || learned.every(canBeFound)) return;
  context.warn(
    `the service assigns its own ids, and the journal of this runner is its own: two runners at once could post the same update twice; share a journal with ${name}`,
  );
}

/** Call it after a create with a dedup key: nothing that the service shows names the key. */
export function warnOfForgottenKey(
  context: Warns,
  { clientIds }: DeliveryOptions,
  journal: JournalSettings,
): void {
  if (!forgets(context, journal) || canBeFound(clientIds.latest())) return;
  context.warn(
    `the service assigns its own ids, and this runner forgets its journal: the next one does not know the incident of this dedup key, and declares it again; share a journal with ${name}`,
  );
}

/** Call it where an alert is over, and no incident of its dedup key was found. */
export function warnOfUnknownKey(
  context: Warns,
  { clientIds }: DeliveryOptions,
  journal: JournalSettings,
): void {
  if (!forgets(context, journal) || keepsIds(clientIds.latest())) return;
  context.warn(
    `no incident of this dedup key is known, and this runner forgets its journal: where the service assigns its own ids, it may still be open; share a journal with ${name}`,
  );
}
