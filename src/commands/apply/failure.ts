// The one failure that an apply ends with: it determines the exit code.
import type { AppliedDefinition } from "../../delivery/apply.ts";
import { editableFields } from "../../delivery/changes/edit.ts";
import type { PlannedDefinition } from "../../delivery/plan.ts";
import { cancellation, Failure } from "../../failure.ts";
import { advise, argv, type Hint } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import { isDeclared } from "./plan.ts";

interface Permissions {
  readonly allowDrift?: boolean;
  readonly dryRun?: boolean;
  readonly recreate?: boolean;
}

/**
 * The failure that the run ends with: uncertain before partial before the rest. A problem that a person has to correct
 * stays the result, also where all else succeeds: running the command again helps nothing.
 */
export function applyFailure(
  applied: readonly AppliedDefinition[],
  { allowDrift = false, dryRun = false, recreate = false }: Permissions,
  signal: AbortSignal,
): Failure | undefined {
  const isProblem = ({ action, failure }: AppliedDefinition) =>
    action === "failed" && failure?.kind === "rejected";
  const failed = applied.filter(({ failure }) => failure !== undefined);
  const worst =
    failed.find(({ failure }) => failure?.kind === "uncertain") ??
    failed.find((each) => !isProblem(each)) ??
    failed[0];
  if (worst?.failure !== undefined) {
    const { failure } = worst;
    const isPartial =
      failure.kind !== "uncertain" && !isProblem(worst) && !dryRun && applied.some(isPublished);
    const more: readonly Hint[] = [
      ...(failed.length > 1 && failure.kind === "uncertain"
        ? [advise`${argv`incident journal list --open`} names all of them`]
        : []),
      ...(isPartial ? ["run the same command again for the rest"] : []),
    ];
    return failure.with({
      kind: isPartial ? "partial" : failure.kind,
      message: failure.message + (failed.length > 1 ? ` (and ${failed.length - 1} more)` : ""),
      hint: more.reduce<Hint>((all, each) => advise`${all}; ${each}`, failure.details.hint),
    });
  }
  if (signal.aborted) return stopped(applied, signal);
  const toCorrect = allowDrift ? applied.filter(({ isHeldBack }) => isHeldBack) : applied;
  return driftFailure(toCorrect, applied.length, recreate);
}

function isPublished({ edited = {}, posted = 0, result }: AppliedDefinition): boolean {
  return isDeclared(result) || posted > 0 || Object.keys(edited).length > 0;
}

/** 130 and 143 mean that this run declared nothing. */
function stopped(applied: readonly AppliedDefinition[], signal: AbortSignal): Failure {
  const untried = applied.filter(({ result }) => result === "not-tried").length;
  const hint = `${untried} not tried; run the same command again for the rest`;
  const cancelled = cancellation(signal, hint);
  const declared = applied.filter(({ result }) => result === "created" || result === "changed").length;
  if (declared === 0) return cancelled;
  return new Failure("partial", `${declared} declared, then ${cancelled.message}`, { hint });
}

type Compared = Pick<PlannedDefinition, "action" | "differences" | "drift" | "isHeldBack">;

/** Undefined where every incident is as its definition says. */
function driftFailure(applied: readonly Compared[], all: number, recreate: boolean): Failure | undefined {
  const drifted = applied.filter(
    ({ action, differences = [], drift }) =>
      differences.length > 0 || drift || (action === "gone" && !recreate),
  );
  if (drifted.length === 0) return undefined;
  const count = `${drifted.length} of ${countOf(all, "definition")}`;
  const differs =
    drifted.length === 1 ? "differs from its live incident" : "differ from their live incidents";
  const [first] = drifted.flatMap(({ drift }) => drift ?? []);
  const why = first === undefined ? "" : `: ${first.message}`;
  return new Failure("drift", `${count} ${differs}${why}`, {
    hint: adviceOn(drifted),
    commands: drifted.flatMap(({ drift }) => drift?.details.commands ?? []),
  });
}

const text = /^incidentUpdates(\[\d+\]\.description)?$/;

/** `--force` writes three fields, and nothing else. */
function adviceOn(applied: readonly Compared[]): Hint {
  // A timeline that differs names its own way on.
  const [timeline] = applied.flatMap(({ drift }) => drift?.details.hint ?? []);
  const fields = applied.flatMap(({ differences = [], drift }) =>
    differences.flatMap(({ field }) => (drift && text.test(field) ? [] : [field])),
  );
  const advice: readonly (Hint | false | undefined)[] = [
    timeline,
    fields.some((field) => editableFields.some((each) => each === field)) &&
      "--force writes the name, the severity and the services of the file",
    fields.some((field) => text.test(field)) &&
      "a published text is corrected in the web application and in the file, or followed by a new update",
    fields.length > 0 && "correct the file, or the incident in the web application",
    applied.some(({ action }) => action === "gone") &&
      "--recreate declares those again that are gone; or delete their files",
    applied.every(({ isHeldBack }) => !isHeldBack) && "--allow-drift permits what differs",
  ];
  return advice
    .filter((each) => each !== false && each !== undefined)
    .reduce((all, each) => advise`${all}; ${each}`);
}
