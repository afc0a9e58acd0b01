// What a run in CI leaves for the next ones: the outputs of its job, in GITHUB_OUTPUT of GitHub Actions or a dotenv report of
// GitLab, and a journal that outlives the runner.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { appendToNamedFile, replaceNamedFile } from "../../platform/write-file.ts";
import type { JournalSettings } from "../../workspace/journal-location.ts";
import { environmentVariables } from "../../workspace/settings.ts";

/** The name that a job of GitLab refers to: `artifacts: reports: dotenv: incident.env`. */
const dotenvFile = "incident.env";

/** GitLab refuses a dotenv report of more than 5 kB, and the job with it. In bytes. */
const largestDotenv = 5000;

export interface CiOutputs {
  /** The ids of all incidents that exist. */
  readonly ids: readonly string[];
  /** The ids of those that this run declared. */
  readonly created: readonly string[];
  /** The ids of those that this run posted an update to, or edited. */
  readonly changed?: readonly string[];
}

/** Writes the outputs for the current CI system, if any. A failed write is a warning. */
export async function writeCiOutputs(context: RunContext, outputs: CiOutputs): Promise<void> {
  const { cwd, env } = context.system;
  const file = env.GITHUB_OUTPUT;
  if (file) {
    // JSON keeps the value on one line, whatever characters the ids of the service contain.
    const lines = `incident-ids=${JSON.stringify(outputs.ids)}\ncreated=${outputs.created.length}\nchanged=${outputs.changed?.length ?? 0}\n`;
    await withWarning(context, () => appendToNamedFile(context, resolve(cwd, file), lines));
  }
  if (env.GITLAB_CI) await withWarning(context, () => writeDotenv(context, outputs));
}

function writeDotenv(context: RunContext, { changed = [], created, ids }: CiOutputs): void {
  const byNews = [...new Set([...created, ...ids])].filter((id) => /^[\w-]+$/.test(id));
  const render = (shown: readonly string[]) =>
    `INCIDENT_IDS=${shown.join(",")}\nINCIDENT_CREATED=${created.length}\nINCIDENT_COUNT=${ids.length}\nINCIDENT_CHANGED=${changed.length}\n`;
  const room = largestDotenv - render([]).length;
  let length = 0;
  const shown = byNews.filter((id) => {
    length += id.length + 1;
    return length <= room;
  });
  replaceNamedFile(context, resolve(context.system.cwd, dotenvFile), render(shown));
  const omitted = byNews.length - shown.length;
  if (omitted > 0)
    context.warn(
      `${dotenvFile} leaves out ${omitted} ids, because GitLab takes at most 5 kB; -o json has all`,
    );
}

/** Writes a part of a pipeline's report. Where it cannot, a warning says so, and the run goes on. */
export async function withWarning(context: RunContext, write: () => void): Promise<void> {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof Error && "code" in error)) throw error;
    context.warn(`the pipeline's report could not be written: ${error.message}`);
  }
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
