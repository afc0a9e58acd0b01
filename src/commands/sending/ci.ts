// The memory of a run in CI: a journal that outlives the runner.
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/command.ts";
import { environmentVariables } from "../../workspace/settings.ts";

const journalVariable = environmentVariables.journal;

const linesToAdd = `# GitHub, in the job:
permissions: { contents: write }
env: { ${journalVariable}: "git:" }
# GitLab, in the job; the project allows "Git push requests" under Job token permissions:
variables:
  ${journalVariable}: git+https://gitlab-ci-token:$CI_JOB_TOKEN@$CI_SERVER_FQDN/$CI_PROJECT_PATH.git`;

/** A chosen location, even the folder, says that the runner keeps its journal. */
async function forgets({ system, workspace }: RunContext): Promise<boolean> {
  const { journal } = await workspace.settings();
  return Boolean(system.env.CI) && journal.origin === "default";
}

/** Throws a `Failure` "usage" where the runner forgets its journal; for a dry run, it is a warning. */
export async function checkMemory(context: RunContext, isDryRun: boolean): Promise<void> {
  if (!(await forgets(context))) return;
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

/** Warns after a send to a service that assigns its own ids, which only the journal knows. */
export async function warnOfForgetting(context: RunContext, risk: string): Promise<void> {
  if (!(await forgets(context))) return;
  context.warn(
    `this runner forgets its journal, and where the service assigns its own ids, ${risk}; share a journal with ${journalVariable}`,
  );
}
