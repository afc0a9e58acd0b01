// The differences between definitions and their incidents that an apply leaves as they are: one failure, with advice on each
// kind of them.
import type { PlannedDefinition } from "../../delivery/plan.ts";
import { Failure } from "../../failure.ts";
import { type Advice, advise, type Hint } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";

type Read = Pick<PlannedDefinition, "action" | "differences" | "drift">;

/** Undefined where every incident is as its definition says. */
export function driftFailure(applied: readonly Read[], recreate = false): Failure | undefined {
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

/** By the path of a field; a gone incident has none. */
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
export function adviceOn(applied: readonly Read[]): Advice {
  const fields = applied.flatMap(({ action, differences = [], drift }) =>
    action === "gone" ? [""] : differences.flatMap(({ field }) => (drift && text.test(field) ? [] : [field])),
  );
  const texts = fields.flatMap((field) => advice.find(([pattern]) => pattern.test(field))?.[1] ?? []);
  const [timeline] = applied.flatMap(({ drift }) => drift?.details.hint ?? []);
  const parts: readonly Hint[] = [...(timeline === undefined ? [] : [timeline]), ...new Set(texts)];
  return parts.slice(1).reduce<Advice>((all, part) => advise`${all}; ${part}`, advise`${parts[0] ?? ""}`);
}
