// Which fields of an incident its definition has changed since it was applied last. A value that somebody changed at the
// service is a person's. The journal keeps the digest of the applied fields, so that the values are found by trying.
import { type Difference, differencesOf } from "../../incident/comparison.ts";
import type { Definition } from "../../incident/definition.ts";
import { normalId, normalText } from "../../incident/normal-form.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { contentOf, contentsOf, updatesSentBy } from "../../journal/content.ts";
import type { Content, OperationLog } from "../../journal/events.ts";

const tried = ["name", "severity", "services"] as const;
type Tried = (typeof tried)[number];

export interface EditPlan {
  /** The number of updates that the create had; 0 where the journal does not know that. */
  readonly sent: number;
  /** Fields that the definition has changed. */
  readonly changed: readonly Difference[];
  /** Fields that differ otherwise, and stay as they are. */
  readonly others: readonly Difference[];
  /** The fields that count as applied once the changed ones are edited; undefined where nothing is remembered. */
  readonly applied: Content | undefined;
}

export function planEdits(
  definition: Definition,
  id: string,
  account: string | undefined,
  log: OperationLog,
  incident: Incident,
): EditPlan {
  const { body } = contentOf(definition, id, account);
  // Updates are aligned as a timeline.
  const differences = differencesOf(body, incident).filter(
    ({ field }) => !field.startsWith("incidentUpdates"),
  );
  const isOf = (fields: readonly Tried[], { field }: Difference) => fields.some((name) => name === field);
  const differing = tried.filter((name) => differences.some(({ field }) => field === name));
  for (const fields of log.created === undefined ? [] : subsetsOf(differing)) {
    const sent = updatesSentBy(log, contentsOf(withLive(definition, incident, fields), id, account));
    if (sent === 0) continue;
    return {
      sent,
      changed: differences.filter((each) => isOf(fields, each)),
      others: differences.filter((each) => !isOf(fields, each)),
      applied: contentsOf(definition, id, account)[sent - 1],
    };
  }
  return { sent: 0, changed: [], others: differences, applied: undefined };
}

/** The smallest first, so that a field counts as changed only where it must. */
function subsetsOf(fields: readonly Tried[]): readonly (readonly Tried[])[] {
  const subsets: (readonly Tried[])[] = [[]];
  for (const field of fields) subsets.push(...subsets.map((each) => [...each, field]));
  return subsets.toSorted((one, other) => one.length - other.length);
}

/** The definition with the live values of some fields. */
function withLive(definition: Definition, incident: Incident, fields: readonly Tried[]): Definition {
  const facts = incidentFacts(incident);
  const services = facts.services.flatMap(({ id, name }) => {
    const known = definition.services.find((each) =>
      id === undefined
        ? normalText(each.name) === normalText(name ?? "")
        : normalId(each.id) === normalId(id),
    );
    if (known !== undefined) return [known];
    return id === undefined ? [] : [{ name: name ?? id, id }];
  });
  return {
    ...definition,
    ...(fields.includes("name") && facts.name !== undefined && { name: facts.name }),
    ...(fields.includes("severity") && { severity: facts.severity as Definition["severity"] }),
    ...(fields.includes("services") && { services }),
  };
}
