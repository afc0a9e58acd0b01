// The plan of an apply and its results, as requests and as data: `-o json` prints the data, and the page shows it.
import type { RequestTarget } from "../../api/request.ts";
import { type AppliedDefinition, isToBeDeclared } from "../../delivery/apply.ts";
import type { UpdatesSent } from "../../delivery/batch/batch.ts";
import type { PlannedDefinition } from "../../delivery/plan.ts";
import { updatesToPost } from "../../delivery/timeline/plan-changes.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { Fields } from "../../untrusted-data.ts";
import type { PlanFacts } from "../../view/plan.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { incidentLink } from "../../workspace/service-urls.ts";
import { changeRequests, type PlannedIncident, planCreate } from "../sending/plan.ts";

/** The requests about each definition; none where its incident stays as it is. */
export function planRequests(
  target: RequestTarget,
  plan: readonly PlannedDefinition[],
  recreate: boolean,
  sent: UpdatesSent,
): readonly PlannedIncident[] {
  return plan.map((planned) => {
    const { changes, definition, key, serviceId = key.id } = planned;
    const create = planCreate(target, definition, key.id, sent);
    if (isToBeDeclared(planned, { recreate })) return create;
    const updates = changes === undefined ? [] : updatesToPost(changes);
    return { ...create, requests: changeRequests(target, serviceId, { ...changes, updates }) };
  });
}

/** The plan with its requests, or the results. */
export function factsOf(
  applied: readonly AppliedDefinition[],
  definitions: readonly LocatedDefinition[],
  webUrl: ServiceSettings["webUrl"],
  requests?: readonly PlannedIncident[],
): PlanFacts {
  const dryRun = requests !== undefined;
  const summary: Record<string, number> = {};
  for (const { action, result } of applied) {
    const key = dryRun ? action : result;
    summary[key] = (summary[key] ?? 0) + 1;
  }
  return {
    dryRun,
    summary,
    results: applied.map((entry, at) => {
      const link = incidentLink(webUrl, entry.serviceId ?? entry.key.id);
      return resultOf(entry, (definitions[at] as LocatedDefinition).file, link, requests?.[at]);
    }),
  };
}

function resultOf(
  entry: AppliedDefinition,
  file: string,
  link: string | undefined,
  planned: PlannedIncident | undefined,
): PlanFacts["results"][number] {
  const { action, changes, definition, differences = [], edited, failure, key, posted } = entry;
  const result = planned === undefined ? entry.result : undefined;
  const edits = (changes?.edit?.differences ?? []).filter(
    ({ field }) => planned !== undefined || (edited !== undefined && Object.hasOwn(edited, field)),
  );
  return {
    id: key.id,
    serviceId: entry.serviceId?.toLowerCase() === key.id ? undefined : entry.serviceId,
    name: definition.name,
    file,
    action,
    result,
    requests: planned?.requests.map(({ body, method, path }) => ({ method, path, body: body as Fields })),
    edits: edits.length > 0 ? edits : undefined,
    posted: result && posted,
    differences: differences.length > 0 ? differences : undefined,
    error: failure && { kind: failure.kind, message: failure.message, hint: failure.hint },
    link: isDeclared(result ?? action) ? link : undefined,
  };
}

const declared = ["created", "changed", "change", "unchanged", "resolved", "drifted"];

/** Whether the incident exists, by the result of its definition, or by the action of a plan. */
export function isDeclared(result: string | undefined): boolean {
  return result !== undefined && declared.includes(result);
}
