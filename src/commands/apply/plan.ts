// The plan of an apply and its results: as requests, as data for `-o json` and the page, and as the failure of the exit code.
import {
  type AppliedDefinition,
  isToBeDeclared,
  type PlannedDefinition,
  type PlanOptions,
} from "../../delivery/apply.ts";
import { editableFields } from "../../delivery/changes/edit.ts";
import { worstOf } from "../../delivery/failures.ts";
import type { AddUpdate } from "../../document/contract.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import { isSameId } from "../../incident/wire.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { countOf } from "../../text/lengths.ts";
import type { Fields } from "../../untrusted-data.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { incidentLink } from "../../workspace/service-urls.ts";
import { type PlannedIncident, planChangeRequests, planCreate } from "../sending/plan.ts";

/** The requests for each definition; none where its incident stays as it is. */
export function planRequests(
  options: PlanOptions,
  plan: readonly PlannedDefinition[],
  adding: AddUpdate | Failure | undefined,
) {
  const target = options.client.settings;
  return plan.map((planned): PlannedIncident => {
    const { changes, definition, log } = planned;
    if (changes !== undefined) return planChangeRequests(target, changes.incident, changes);
    const create = planCreate(target, definition, log.key.id, adding);
    return isToBeDeclared(planned, options) ? create : { ...create, requests: [] };
  });
}

export function factsOf(
  applied: readonly AppliedDefinition[],
  definitions: readonly LocatedDefinition[],
  { account, baseUrl, webUrl }: ServiceSettings,
  requests?: readonly PlannedIncident[],
) {
  const dryRun = requests !== undefined;
  const summary: Record<string, number> = {};
  for (const { action, result } of applied) {
    const key = dryRun ? action : result;
    summary[key] = (summary[key] ?? 0) + 1;
  }
  const results = applied.map((entry, at) => {
    const { changes, differences = [], edited = {}, failure, serviceId } = entry;
    const { id } = entry.log.key;
    const isShown = ({ field }: Difference) => dryRun || Object.hasOwn(edited, field);
    const edits = (changes?.edit?.differences ?? []).filter(isShown);
    const planned = requests?.[at]?.requests;
    return {
      id,
      serviceId: isSameId(serviceId, id) ? undefined : serviceId,
      name: entry.definition.name,
      file: (definitions[at] as LocatedDefinition).place.file,
      action: entry.action,
      result: dryRun ? undefined : entry.result,
      requests: planned?.map(({ body, method, path }) => ({ method, path, body: body as Fields })),
      edits: edits.length > 0 ? edits : undefined,
      posted: dryRun ? undefined : entry.posted,
      differences: differences.length > 0 ? differences : undefined,
      error: failure && { kind: failure.kind, message: failure.message, hint: failure.hint },
      link: serviceId && incidentLink(webUrl, serviceId),
    };
  });
  return { dryRun, summary, results, baseUrl: baseUrl.value, accountId: account.value ?? "none" };
}

/** The data of `-o json` and of the page. */
export type PlanFacts = ReturnType<typeof factsOf>;

type Permissions = Partial<Record<"allowDrift" | "dryRun" | "recreate", boolean>>;

/** The failure that the run ends with. A problem for a person to correct stays, even if all else succeeds. */
export function applyFailure(
  applied: readonly AppliedDefinition[],
  { allowDrift = false, dryRun = false, recreate = false }: Permissions,
  signal: AbortSignal,
): Failure | undefined {
  const isProblem = ({ action, failure }: AppliedDefinition) =>
    action === "failed" && failure?.kind === "rejected";
  const problems = applied.filter(isProblem).flatMap(({ failure }) => failure ?? []);
  const failed = applied.filter((each) => !isProblem(each)).flatMap(({ failure }) => failure ?? []);
  const failures = [...failed, ...problems];
  const untried = applied.filter(({ result }) => result === "not-tried").length;
  if (failures.length === 0 && signal.aborted && untried > 0)
    failed.push(cancellation(signal, `${untried} not tried`));
  const isPartial = !dryRun && failed.length > 0 && applied.some(isPublished);
  const worst = worstOf(isPartial ? failed : [...failed, ...problems], isPartial);
  if (worst !== undefined) {
    const more = [
      ...(failures.length > 1 && worst.kind === "uncertain"
        ? ["incident journal list --open names all of them"]
        : []),
      ...(worst.kind === "partial" || signal.aborted ? ["a rerun sends only the rest"] : []),
    ];
    return worst.with({
      message: worst.message + (failures.length > 1 ? ` (and ${failures.length - 1} more)` : ""),
      hint: [worst.hint, ...more].join("; "),
    });
  }
  const toCorrect = allowDrift ? applied.filter(({ isHeldBack }) => isHeldBack) : applied;
  return driftFailure(toCorrect, applied.length, recreate);
}

function isPublished({ edited = {}, posted = 0, result }: AppliedDefinition): boolean {
  return result === "created" || posted > 0 || Object.keys(edited).length > 0;
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

/** Names `--force` only for the three fields that it writes. */
function adviceOn(applied: readonly Compared[]): string {
  // The failure of a timeline has its own hint.
  const [timeline] = applied.flatMap(({ drift }) => drift?.hint ?? []);
  const fields = applied.flatMap(({ differences = [] }) => differences.map(({ field }) => field));
  const advice: readonly (string | false | undefined)[] = [
    timeline,
    fields.some((field) => editableFields.some((each) => each === field)) &&
      "--force writes the name, the severity and the services of the file",
    fields.length > 0 && "correct the file, or the incident in the web application",
    applied.some(({ action }) => action === "gone") &&
      "--recreate declares those again that are gone; or delete their files",
    applied.every(({ isHeldBack }) => !isHeldBack) && "--allow-drift permits what differs",
  ];
  return advice.filter((each) => each !== false && each !== undefined).join("; ");
}
