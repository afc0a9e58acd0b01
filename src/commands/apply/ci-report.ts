// The report of an apply for a CI system: the outputs of the job, and annotations and a step summary for GitHub Actions.
import { resolve } from "node:path";
import { warnOfDrift } from "../../delivery/plan.ts";
import type { Path } from "../../diagnostic.ts";
import type { Input, RunContext } from "../../kit/define-command.ts";
import type { Annotation } from "../../kit/formats/github.ts";
import { appendToNamedFile } from "../../platform/write-file.ts";
import { withWarning, writeCiOutputs } from "../sending/ci.ts";
import { type AppliedFile, type ApplyEnvelope, adviceOn, isDeclared } from "./result.ts";

/** Reports on stderr the differences that the apply does not correct: as annotations in GitHub Actions, else as warnings. */
export async function tellDrift(
  context: RunContext,
  { flags, format }: Input<{ readonly allowDrift?: boolean }>,
  applied: readonly AppliedFile[],
): Promise<void> {
  // Under -o json, stderr holds JSON alone.
  if (context.system.env.GITHUB_ACTIONS && format !== "json") await annotateDrift(context, applied);
  // Without the flag, the failure tells it.
  else if (flags.allowDrift) warnOfDrift(context, applied);
}

/**
 * Writes a warning of GitHub Actions on the line of each field that differs from the live incident, and an error for each
 * definition that a person has to correct.
 */
async function annotateDrift({ io, system }: RunContext, applied: readonly AppliedFile[]): Promise<void> {
  const { describeDifference } = await import("../../view/plan.ts");
  const { renderAnnotations } = await import("../../kit/formats/github.ts");
  const warning = { code: "drift", level: "warning" } as const;
  const annotations: Annotation[] = [];
  for (const each of applied) {
    const { action, differences = [], failure, locate } = each;
    if (action === "failed" && failure?.kind === "rejected")
      annotations.push({
        code: "not-applied",
        level: "error",
        message: failure.message,
        hint: failure.hint,
        location: locate(["id"]),
      });
    if (action === "gone") {
      const message = "the incident was declared from here, and the service no longer has it";
      annotations.push({ ...warning, message, hint: String(adviceOn([each])), location: locate(["id"]) });
      continue;
    }
    for (const difference of differences) {
      annotations.push({
        ...warning,
        message: describeDifference(difference),
        hint: String(adviceOn([{ ...each, differences: [difference] }])),
        location: locate(pathOf(difference.field)),
      });
    }
  }
  await io.stderr.write(renderAnnotations(system, annotations));
}

/** `incidentUpdates[0].status` is the path `["incidentUpdates", 0, "status"]`. */
function pathOf(field: string): Path {
  return (field.match(/\w+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** Adds the plan to the step summary of GitHub Actions, and writes the outputs of the job. */
export async function writeCiReport(context: RunContext, envelope: ApplyEnvelope): Promise<void> {
  const { cwd, env } = context.system;
  const { results } = envelope;
  const idsOf = (entries: ApplyEnvelope["results"]) => entries.map(({ id, serviceId }) => serviceId ?? id);
  await writeCiOutputs(context, {
    ids: idsOf(results.filter(({ result }) => isDeclared(result))),
    created: idsOf(results.filter(({ result }) => result === "created")),
    changed: idsOf(
      results.filter(({ edited = {}, posted = 0 }) => posted > 0 || Object.keys(edited).length > 0),
    ),
  });
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!summary) return;
  const { renderSummary } = await import("../../kit/formats/markdown.ts");
  await withWarning(context, () =>
    appendToNamedFile(context, resolve(cwd, summary), renderSummary(envelope)),
  );
}
