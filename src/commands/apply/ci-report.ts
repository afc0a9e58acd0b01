// What a pipeline gets beside stdout: in GitHub Actions a step summary and outputs, in GitLab a dotenv report.
// The variables are those that the two set themselves.
import { resolve } from "node:path";
import type { Context, Reporter } from "../../platform/context.ts";
import type { ApplyEnvelope } from "./apply-result.ts";

/** Where GitLab's job says to find it: `artifacts: reports: dotenv: incident.env`. */
const dotenvFile = "incident.env";

/** Writes what the pipeline at hand can read; nothing outside of one. What cannot be written is a warning. */
export async function writeCiReport(context: Context & Reporter, envelope: ApplyEnvelope): Promise<void> {
  try {
    await writeReports(context, envelope);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    context.warn(`the pipeline's report could not be written: ${error.message}`);
  }
}

async function writeReports({ cwd, env, files }: Context, envelope: ApplyEnvelope): Promise<void> {
  const declared = envelope.results.filter(({ result }) => result === "created");
  const ids = envelope.results
    .filter(({ result }) => result === "created" || result === "unchanged" || result === "drifted")
    .map(({ id, serviceId }) => serviceId ?? id);
  if (env.GITHUB_STEP_SUMMARY) {
    const { renderSummary } = await import("../../view/reports/summary.ts");
    files.appendFileSync(env.GITHUB_STEP_SUMMARY, renderSummary(envelope));
  }
  if (env.GITHUB_OUTPUT) {
    // JSON keeps it on one line, whatever a service calls its ids.
    files.appendFileSync(
      env.GITHUB_OUTPUT,
      `incident-ids=${JSON.stringify(ids)}\ncreated=${declared.length}\n`,
    );
  }
  if (env.GITLAB_CI) {
    const safe = ids.filter((id) => /^[\w-]+$/.test(id)).join(",");
    files.writeFileSync(
      resolve(cwd, dotenvFile),
      `INCIDENT_IDS=${safe}\nINCIDENT_CREATED=${declared.length}\n`,
    );
  }
}
