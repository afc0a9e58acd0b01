// The report of an apply for a CI system: annotations, a step summary and outputs for GitHub Actions, a dotenv report
// for GitLab.
// The environment variables of the two systems select the report.
import { resolve } from "node:path";
import type { Path } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { appendToNamedFile, replaceNamedFile } from "../../platform/write-named-file.ts";
import { inWebApplication } from "../../text/advice.ts";
import type { Annotation } from "../../view/reports/github.ts";
import { nameInRepository } from "../shared/name-in-repository.ts";
import { type AppliedFile, type ApplyEnvelope, isDeclared } from "./apply-result.ts";

/** The name that a job of GitLab refers to: `artifacts: reports: dotenv: incident.env`. */
const dotenvFile = "incident.env";

/** GitLab refuses a dotenv report of more than 5 kB, and the job with it. In bytes. */
const largestDotenv = 5000;

/** Writes a warning of GitHub Actions on the line of each field that differs from the live incident. */
export async function annotateDrift(
  { io, system }: RunContext,
  applied: readonly AppliedFile[],
): Promise<void> {
  if (!system.env.GITHUB_ACTIONS) return;
  const { describeDifference } = await import("../../view/plan.ts");
  const { renderAnnotations } = await import("../../view/reports/github.ts");
  const warning = { code: "drift", level: "warning" } as const;
  const annotations: Annotation[] = [];
  for (const { action, differences = [], link, locate } of applied) {
    if (action === "gone") {
      const message = "the incident was declared from here, and the service no longer has it";
      const hint = "remove the file, or declare it again with incident apply --recreate";
      annotations.push({ ...warning, message, hint, location: locate(["id"]) });
      continue;
    }
    for (const difference of differences) {
      annotations.push({
        ...warning,
        message: describeDifference(difference),
        hint: `the API cannot change an incident: correct the file, or post the change ${inWebApplication(link)}`,
        location: locate(pathOf(difference.field)),
      });
    }
  }
  await io.stderr.write(renderAnnotations(annotations, (file) => nameInRepository(system, file)));
}

/** `incidentUpdates[0].status` is the path `["incidentUpdates", 0, "status"]`. */
function pathOf(field: string): Path {
  return (field.match(/\w+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Writes the reports of the current CI system, if any. A failed write is a warning. */
export async function writeCiReport(context: RunContext, envelope: ApplyEnvelope): Promise<void> {
  try {
    await writeReports(context, envelope);
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof Error && "code" in error)) throw error;
    context.warn(`the pipeline's report could not be written: ${error.message}`);
  }
}

async function writeReports(context: RunContext, envelope: ApplyEnvelope): Promise<void> {
  const { cwd, env } = context.system;
  const created = envelope.results.filter(({ result }) => result === "created");
  const ids = envelope.results
    .filter(({ result }) => isDeclared(result))
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
    const declared = created.map(({ id, serviceId }) => serviceId ?? id);
    const byNews = [...new Set([...declared, ...ids])].filter((id) => /^[\w-]+$/.test(id));
    const render = (shown: readonly string[]) =>
      `INCIDENT_IDS=${shown.join(",")}\nINCIDENT_CREATED=${created.length}\nINCIDENT_COUNT=${ids.length}\n`;
    const room = largestDotenv - render([]).length;
    let length = 0;
    const shown = byNews.filter((id) => {
      length += id.length + 1;
      return length <= room;
    });
    replaceNamedFile(context, resolve(cwd, dotenvFile), render(shown));
    const left = byNews.length - shown.length;
    if (left > 0)
      context.warn(
        `${dotenvFile} leaves out ${left} ids, because GitLab takes at most 5 kB; -o json has all`,
      );
  }
}
