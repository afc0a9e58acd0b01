// The differences between definitions and their incidents that an apply leaves as they are: one failure, with advice on each
// kind of them.
import type { PlannedDefinition } from "../../delivery/plan.ts";
import { Failure } from "../../failure.ts";
import { type Advice, advise, type Hint, inWebApplication } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";

/** A definition whose incident was read, and its address in the web application. */
type Read = Pick<PlannedDefinition, "action" | "differences" | "drift"> & {
  readonly link: string | undefined;
};

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

const editable = /^(name|severity|services)$/;

/** What helps: `--force` writes three fields, and nothing else. */
export function adviceOn(applied: readonly Read[]): Advice {
  const fields = applied.flatMap(({ differences = [] }) => differences.map(({ field }) => field));
  const [link] = applied.length === 1 ? applied.map((each) => each.link) : [];
  const place = inWebApplication(link);
  const isOther = (field: string) =>
    !editable.test(field) && !/^incidentUpdates(\[\d+\]\.description)?$/.test(field);
  const [timeline] = applied.flatMap(({ drift }) => drift?.details.hint ?? []);
  const texts: Hint | undefined = fields.some((field) => field.startsWith("incidentUpdates"))
    ? (timeline ?? `a published text is corrected ${place} and in the file, or followed by a new update`)
    : timeline;
  const parts: readonly Hint[] = [
    ...(texts === undefined ? [] : [texts]),
    ...(fields.some((field) => editable.test(field))
      ? ["write the name, the severity and the services of the file with --force, or correct the file"]
      : []),
    ...(fields.some(isOther) ? [`correct the file, or change the incident ${place}`] : []),
    ...(applied.some(({ action }) => action === "gone")
      ? [
          "the service does not show those that are gone: add --recreate to declare them again, or delete their files",
        ]
      : []),
  ];
  return parts.slice(1).reduce<Advice>((all, part) => advise`${all}; ${part}`, advise`${parts[0] ?? ""}`);
}
