// The result of an apply, as data and as one failure: the envelope of `-o json`, and the failure that determines
// the exit code.
import type { AppliedDefinition } from "../../delivery/apply.ts";
import { updatesToPost } from "../../delivery/plan.ts";
import type { Diagnostic, Locate } from "../../diagnostic.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { FlagsOf } from "../../kit/define-command.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { advise, argv, type Hint } from "../../text/advice.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { Setting } from "../../workspace/setting.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { contractHint, refusalDiagnostics } from "../shared/refusals.ts";
import { driftFailure } from "./drift.ts";
import type { spec } from "./spec.ts";

const formatVersion = 1;

export interface ApplyEnvelope extends PlanFacts {
  readonly formatVersion: number;
}

/** An applied definition and the file that holds it. */
export interface AppliedFile extends AppliedDefinition {
  readonly file: string;
  readonly locate: Locate;
  /** The address of its incident in the web application. */
  readonly link: string | undefined;
}

export function envelopeOf(applied: readonly AppliedFile[], dryRun: boolean): ApplyEnvelope {
  const summary: Record<string, number> = {};
  for (const { action, result } of applied) {
    const key = dryRun ? action : result;
    summary[key] = (summary[key] ?? 0) + 1;
  }
  const results = applied.map((entry) => {
    const link = isDeclared(dryRun ? entry.action : entry.result) ? entry.link : undefined;
    return { ...resultOf(entry, dryRun), ...(link !== undefined && { link }) };
  });
  return { formatVersion, dryRun, summary, results };
}

function resultOf(entry: AppliedFile, dryRun: boolean): PlanFacts["results"][number] {
  const { action, changes, definition, differences, edited, file, key, posted, result } = entry;
  const { serviceId } = entry;
  const failure = entry.failure ?? entry.problem;
  const { name, services } = definition;
  const isChange = changes !== undefined;
  const sent = isChange ? updatesToPost(entry) : definition.incidentUpdates;
  const notifies = sent.filter(({ notifySubscribers }) => notifySubscribers).length;
  return {
    id: key.id,
    ...(serviceId !== undefined && serviceId.toLowerCase() !== key.id && { serviceId }),
    name,
    file,
    action,
    ...(!dryRun && { result }),
    ...(isChange && {
      changes: {
        updates: sent.map(({ description, notifySubscribers = false, status }) => ({
          ...(status !== undefined && { status }),
          description,
          notifySubscribers,
        })),
        edits: changes.edits,
      },
    }),
    ...(!dryRun && posted !== undefined && { posted }),
    ...(!dryRun &&
      edited !== undefined && {
        edited: Object.fromEntries(
          (changes?.edits ?? [])
            .filter(({ field }) => Object.hasOwn(edited, field))
            .map(({ field, wanted = "" }) => [field, wanted]),
        ),
      }),
    ...(differences && differences.length > 0 && { differences }),
    ...(notifies > 0 && { notifies }),
    services: services.map((service) => service.name),
    ...(failure && { error: { kind: failure.kind, message: failure.message, hint: failure.hint } }),
  };
}

export function isDeclared(result: string | undefined): boolean {
  return (
    result !== undefined &&
    ["created", "changed", "change", "unchanged", "resolved", "known", "drifted"].includes(result)
  );
}

function isSent({ edited = {}, posted = 0, result }: AppliedDefinition): boolean {
  return isDeclared(result) || posted > 0 || Object.keys(edited).length > 0;
}

/**
 * The failure that the run ends with: uncertain before partial before the rest. A problem that a person has to correct
 * stays the result, also where all else succeeds: running the command again helps nothing.
 */
export function applyFailure(
  applied: readonly AppliedFile[],
  {
    allowDrift = false,
    dryRun = false,
    recreate,
  }: Pick<FlagsOf<typeof spec>, "allowDrift" | "dryRun" | "recreate">,
  signal: AbortSignal,
): Failure | undefined {
  const failures = [
    ...applied.flatMap(({ failure }) => failure ?? []),
    ...applied.flatMap(({ failure, problem }) => (failure === undefined && problem) || []),
  ];
  const uncertain = failures.filter(({ kind }) => kind === "uncertain");
  const succeeded = applied.filter(isSent);
  const untried = applied.filter(({ result }) => result === "not-tried").length;
  const [first] = uncertain.length > 0 ? uncertain : failures;
  if (first !== undefined) {
    const isProblem = applied.some(({ failure, problem }) => failure === undefined && problem === first);
    const isPartial = first.kind !== "uncertain" && succeeded.length > 0 && !dryRun && !isProblem;
    const diagnostics: Diagnostic[] = [];
    for (const { failure, locate } of applied) {
      if (failure !== undefined) diagnostics.push(...refusalDiagnostics(failure, locate));
    }
    return first.with({
      kind: isPartial ? "partial" : first.kind,
      message: first.message + othersOf(first, failures),
      hint: [
        ...(uncertain.length > 1 ? [advise`${argv`incident journal list --open`} names all of them`] : []),
        ...(isPartial ? ["run the same command again for the rest"] : []),
        ...(diagnostics.length > 0 ? [contractHint] : []),
      ].reduce((all: Hint, more) => advise`${all}; ${more}`, first.details.hint),
      diagnostics: diagnostics.length > 0 ? diagnostics : undefined,
    });
  }
  if (signal.aborted) {
    const hint = `${untried} not tried; run the same command again for the rest`;
    const cancelled = cancellation(signal, hint);
    // 130 and 143 mean that this run declared nothing.
    const declared = applied.filter(({ result }) => result === "created" || result === "changed").length;
    return declared === 0
      ? cancelled
      : new Failure("partial", `${declared} declared, then ${cancelled.message}`, { hint });
  }
  return allowDrift ? undefined : driftFailure(applied, recreate);
}

/** Counts the other failures: those of the same kind, and the rest with the message of one. */
function othersOf(first: Failure, failures: readonly Failure[]): string {
  const rest = failures.filter(({ kind }) => kind !== first.kind);
  const alike = failures.length - rest.length - 1;
  const [other] = rest;
  const more = alike > 0 ? ` (and ${alike} more)` : "";
  if (other === undefined) return more;
  const failed = rest.length === 1 ? "another failed" : `${rest.length} others failed, for example`;
  return `${more}; ${failed}: ${other.message}`;
}

export function withFiles(
  applied: readonly AppliedDefinition[],
  definitions: readonly LocatedDefinition[],
  webUrl: Setting<string> | undefined,
): readonly AppliedFile[] {
  return applied.map((entry, index) => {
    const { file, locate } = definitions[index] as LocatedDefinition;
    const link = incidentLink(webUrl, entry.serviceId ?? entry.key.id);
    return { ...entry, file, locate, link };
  });
}
