// The part of a run in CI that outlives it: the outputs of its job in GitHub Actions, and a journal that outlives the runner.
import { resolve } from "node:path";
import { bestEffort, Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { appendToNamedFile, writeOrFail } from "../../platform/write-file.ts";
import type { JournalSettings } from "../../workspace/journal-location.ts";
import { environmentVariables } from "../../workspace/settings.ts";

interface CiOutputs {
  /** The ids of all incidents that exist. */
  readonly ids: readonly string[];
  /** How many this run declared. */
  readonly created: number;
  /** How many got an update or an edit from this run. */
  readonly changed?: number;
}

/** Writes the outputs of a job of GitHub Actions. Where it cannot, a warning says so, and the run goes on. */
export async function writeCiOutputs(
  context: RunContext,
  { changed = 0, created, ids }: CiOutputs,
): Promise<void> {
  const file = context.system.env.GITHUB_OUTPUT;
  if (!file) return;
  // JSON keeps the value on one line, whatever characters the ids of the service contain.
  const lines = `incident-ids=${JSON.stringify(ids)}\ncreated=${created}\nchanged=${changed}\n`;
  const append = () => appendToNamedFile(context, resolve(context.system.cwd, file), lines);
  await bestEffort(context, async () => writeOrFail(file, "", append));
}

type Warns = Pick<RunContext, "system" | "warn">;

const journalVariable = environmentVariables.journal;

/** The lines that keep the journal in the repository. */
const linesToAdd = `# GitHub, in the job:
permissions: { contents: write }
env: { ${journalVariable}: "git:" }
# GitLab, in the job; the project allows "Git push requests" under Job token permissions:
variables:
  ${journalVariable}: git+https://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_FQDN/$CI_PROJECT_PATH.git`;

/** Where the place of the journal was chosen, even the folder, the runner keeps it. */
function forgets({ system }: Pick<RunContext, "system">, { location }: JournalSettings): boolean {
  return Boolean(system.env.CI) && location.origin === "default";
}

/** Call it before anything is read. Throws a `Failure` "usage"; for a dry run, it is a warning. */
export function checkMemory(context: Warns, journal: JournalSettings, isDryRun: boolean): void {
  if (!forgets(context, journal)) return;
  const problem = "apply in CI needs a journal that outlives the runner";
  if (isDryRun) {
    context.warn(`${problem}: set ${journalVariable}, or this command without --dry-run is refused`);
    return;
  }
  throw new Failure("usage", problem, {
    hint: `nothing was sent; keep the journal in the repository with the lines below, or in PostgreSQL (${journalVariable}=postgres://…); if this runner keeps its disk, say so with ${journalVariable}=folder`,
    example: linesToAdd,
  });
}

/** Call it after something was sent to a service that assigns its own ids: only the journal knows it. */
export function warnOfForgetting(context: Warns, journal: JournalSettings, risk: string): void {
  if (!forgets(context, journal)) return;
  context.warn(
    `this runner forgets its journal, and where the service assigns its own ids, ${risk}; share a journal with ${journalVariable}`,
  );
}
