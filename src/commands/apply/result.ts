// The result of an apply, as data and as one failure: the envelope of `-o json`, and the failure that determines
// the exit code.
import type { AppliedDefinition } from "../../delivery/apply.ts";
import { type PlannedDefinition, updatesToPost } from "../../delivery/plan.ts";
import type { Locate } from "../../diagnostic.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { type Advice, advise, argv, type Hint } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { Setting } from "../../workspace/setting.ts";
import { incidentLink } from "../../workspace/web-url.ts";

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
  const results = applied.map((entry) => resultOf(entry, dryRun));
  return { formatVersion, dryRun, summary, results };
}

function resultOf(entry: AppliedFile, dryRun: boolean): PlanFacts["results"][number] {
  const { action, changes, definition, differences = [], failure, file, key, link, posted, result } = entry;
  const { edited = {}, serviceId } = entry;
  const { name, services } = definition;
  const sent = changes === undefined ? definition.incidentUpdates : updatesToPost(entry);
  const edits = changes?.edit?.differences ?? [];
  const updates = sent.map(({ description, notifySubscribers = false, status }) => {
    return { status, description, notifySubscribers };
  });
  const made = edits.filter(({ field }) => Object.hasOwn(edited, field));
  return {
    id: key.id,
    serviceId: serviceId?.toLowerCase() === key.id ? undefined : serviceId,
    name,
    file,
    action,
    result: dryRun ? undefined : result,
    changes: changes && { updates, edits },
    posted: dryRun ? undefined : posted,
    edited:
      dryRun || entry.edited === undefined
        ? undefined
        : Object.fromEntries(made.map(({ field, wanted = "" }) => [field, wanted])),
    differences: differences.length > 0 ? differences : undefined,
    notifies: updates.filter(({ notifySubscribers }) => notifySubscribers).length || undefined,
    services: services.map((service) => service.name),
    error: failure && { kind: failure.kind, message: failure.message, hint: failure.hint },
    link: isDeclared(dryRun ? action : result) ? link : undefined,
  };
}

export function isDeclared(result: string | undefined): boolean {
  return (
    result !== undefined &&
    ["created", "changed", "change", "unchanged", "resolved", "drifted"].includes(result)
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
  }: { readonly allowDrift?: boolean; readonly dryRun?: boolean; readonly recreate?: boolean },
  signal: AbortSignal,
): Failure | undefined {
  const isProblem = ({ action, failure }: AppliedFile) => action === "failed" && failure?.kind === "rejected";
  const ordered = [...applied.filter((each) => !isProblem(each)), ...applied.filter(isProblem)];
  const failures = ordered.flatMap(({ failure }) => failure ?? []);
  const uncertain = failures.filter(({ kind }) => kind === "uncertain");
  const succeeded = applied.filter(isSent);
  const untried = applied.filter(({ result }) => result === "not-tried").length;
  const [first] = uncertain.length > 0 ? uncertain : failures;
  if (first !== undefined) {
    const isOfPlan = applied.some((each) => each.failure === first && isProblem(each));
    const isPartial = first.kind !== "uncertain" && succeeded.length > 0 && !dryRun && !isOfPlan;
    return first.with({
      kind: isPartial ? "partial" : first.kind,
      message: first.message + othersOf(first, failures),
      hint: [
        ...(uncertain.length > 1 ? [advise`${argv`incident journal list --open`} names all of them`] : []),
        ...(isPartial ? ["run the same command again for the rest"] : []),
      ].reduce((all: Hint, more) => advise`${all}; ${more}`, first.details.hint),
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
  const unlike = failures.filter(({ kind }) => kind !== first.kind);
  const alike = failures.length - unlike.length - 1;
  const [other] = unlike;
  const more = alike > 0 ? ` (and ${alike} more)` : "";
  if (other === undefined) return more;
  const failed = unlike.length === 1 ? "another failed" : `${unlike.length} others failed, for example`;
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

type Compared = Pick<PlannedDefinition, "action" | "differences" | "drift">;

/** Undefined where every incident is as its definition says. */
function driftFailure(applied: readonly Compared[], recreate = false): Failure | undefined {
  const drifted = applied.filter(
    ({ action, differences = [], drift }) =>
      differences.length > 0 || drift || (action === "gone" && !recreate),
  );
  if (drifted.length === 0) return undefined;
  const count = `${drifted.length} of ${countOf(applied.length, "definition")}`;
  const differs =
    drifted.length === 1 ? "differs from its live incident" : "differ from their live incidents";
  const [first] = drifted.flatMap(({ drift }) => drift ?? []);
  const why = first === undefined ? "" : `: ${first.message}`;
  return new Failure("drift", `${count} ${differs}${why}`, {
    hint: advise`${adviceOn(drifted)}; --allow-drift permits what differs`,
    commands: drifted.flatMap(({ drift }) => drift?.details.commands ?? []),
  });
}

const text = /^incidentUpdates(\[\d+\]\.description)?$/;

/** The advice for the path of a field, which is empty for a gone incident. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^(name|severity|services)$/,
    "write the name, the severity and the services of the file with --force, or correct the file",
  ],
  [text, "a published text is corrected in the web application and in the file, or followed by a new update"],
  [
    /^$/,
    "the service does not show those that are gone: add --recreate to declare them again, or delete their files",
  ],
  [/./, "correct the file, or change the incident in the web application"],
];

/** The advice for a difference: `--force` writes three fields, and nothing else. */
export function adviceOn(applied: readonly Compared[]): Advice {
  const fields = applied.flatMap(({ action, differences = [], drift }) =>
    action === "gone" ? [""] : differences.flatMap(({ field }) => (drift && text.test(field) ? [] : [field])),
  );
  const texts = fields.flatMap((field) => advice.find(([pattern]) => pattern.test(field))?.[1] ?? []);
  const [timeline] = applied.flatMap(({ drift }) => drift?.details.hint ?? []);
  const parts: readonly Hint[] = [...(timeline === undefined ? [] : [timeline]), ...new Set(texts)];
  return parts.slice(1).reduce<Advice>((all, part) => advise`${all}; ${part}`, advise`${parts[0] ?? ""}`);
}
