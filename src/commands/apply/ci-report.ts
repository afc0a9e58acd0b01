// The report of an apply for a CI system: a step summary and outputs for GitHub Actions, a dotenv report for GitLab.
// The environment variables of the two systems select the report.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Files, Reporter, System } from "../../platform/context.ts";
import { appendToNamedFile, replaceNamedFile } from "../../platform/write-named-file.ts";
import type { ApplyEnvelope } from "./apply-result.ts";

/** The name that a job of GitLab refers to: `artifacts: reports: dotenv: incident.env`. */
const dotenvFile = "incident.env";

interface CiContext {
  readonly system: Pick<System, "cwd" | "env" | "random">;
  readonly files: Files;
}

/** Writes the reports of the current CI system, if any. A failed write is a warning. */
export async function writeCiReport(
  context: CiContext & Pick<Reporter, "warn">,
  envelope: ApplyEnvelope,
): Promise<void> {
  try {
    await writeReports(context, envelope);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof Error && "code" in error)) throw error;
    context.warn(`the pipeline's report could not be written: ${error.message}`);
  }
}

async function writeReports(context: CiContext, envelope: ApplyEnvelope): Promise<void> {
  const { cwd, env } = context.system;
  const created = envelope.results.filter(({ result }) => result === "created");
  const ids = envelope.results
    .filter(({ result }) => result === "created" || result === "unchanged" || result === "drifted")
    .map(({ id, serviceId }) => serviceId ?? id);
  if (env.GITHUB_STEP_SUMMARY) {
    const { renderSummary } = await import("../../view/reports/summary.ts");
    appendToNamedFile(context, resolve(cwd, env.GITHUB_STEP_SUMMARY), renderSummary(envelope));
  }
  if (env.GITHUB_OUTPUT) {
    // JSON keeps the value on one line, whatever characters the ids of the service contain.
    appendToNamedFile(
      context,
      resolve(cwd, env.GITHUB_OUTPUT),
      `incident-ids=${JSON.stringify(ids)}\ncreated=${created.length}\n`,
    );
  }
  if (env.GITLAB_CI) {
    const plainIds = ids.filter((id) => /^[\w-]+$/.test(id)).join(",");
    replaceNamedFile(
      context,
      resolve(cwd, dotenvFile),
      `INCIDENT_IDS=${plainIds}\nINCIDENT_CREATED=${created.length}\n`,
    );
  }
}
