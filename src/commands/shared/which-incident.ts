// The incident that a text of a person names: an id, the first digits of an id, an address, or `latest`. All but an id must
// fit exactly one incident that is known, and only a command that changes nothing takes the newest of several as `latest`.
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { guidPattern, isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";

export interface NamedIncident {
  /** The service's own id, where it is known. */
  readonly id: string;
  /** In lower case, with an id that the service has replaced. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
  readonly status: string | undefined;
}

export interface Searched {
  /** The oldest first. */
  readonly incidents: readonly NamedIncident[];
  /** Its name in `names no incident of …`. */
  readonly place: string;
}

/**
 * Throws a `Failure` "usage" for a text that can name no incident. What customers will see names one: the newest that is
 * known here may be another than the newest of the service.
 */
export function checkNames(given: readonly string[], { takesLatest = true } = {}): void {
  const wrong = given.find(
    (text) => !isGuid(text) && !(takesLatest && isLatest(text)) && !isAddress(text) && !isDigits(text),
  );
  if (wrong === undefined) return;
  throw new Failure("usage", `"${wrong}" cannot be an incident's id`, {
    hint: /^\.(?:[\w[]|$)/.test(wrong)
      ? `give the JSON to jq: incident get ${given.find((text) => text !== wrong) ?? "ID"} -o json | jq '${wrong}'`
      : advise`give the id, a GUID, or at least its first eight digits: ${listed}`,
  });
}

/** Searches only for what is no id. Throws a `Failure` "usage" where none or several fit. */
export async function findIds(
  context: Pick<RunContext, "info">,
  given: readonly string[],
  search: () => Promise<Searched>,
  { isReading }: { readonly isReading: boolean },
): Promise<readonly string[]> {
  checkNames(given);
  if (given.every(isGuid)) return given;
  const { incidents, place } = await search();
  const known = merged(incidents);
  return given.map((text) => {
    if (isGuid(text)) return text;
    const fitting = isLatest(text) && isReading ? known.slice(-1) : known.filter((each) => fits(text, each));
    const [only, ...others] = fitting;
    const [inAddress, ...inAddressToo] = isAddress(text) ? new Set(idsIn(text)) : [];
    if (only === undefined && inAddress !== undefined && inAddressToo.length === 0) return inAddress;
    if (only === undefined || others.length > 0)
      throw new Failure("usage", `"${text}" names ${countOf(fitting)} of ${place}`, {
        hint: advise`write the whole id, ${inAddress ?? "a GUID"}; ${listed}`,
      });
    context.info(`${text} is ${only.id}: ${only.name ?? "an incident without a name"}`);
    return only.id;
  });
}

const listed = advise`${argv`incident journal list`} lists the incidents that were declared from here`;

/** Each incident once, in the place of its last mention. */
export function merged(incidents: readonly NamedIncident[]): readonly NamedIncident[] {
  const all = new Map<string, NamedIncident>();
  for (const each of incidents) {
    const id = each.id.toLowerCase();
    const ids = [...(all.get(id)?.ids ?? []), ...each.ids];
    all.delete(id);
    all.set(id, { ...each, ids });
  }
  return [...all.values()];
}

/** Those of the journal. `of`: only operations whose outcome is not known can be settled. */
export async function searchJournal(context: RunContext, of: "all" | "uncertain" = "all"): Promise<Searched> {
  const { createsIn, unsettled } = await import("../../journal/model.ts");
  const { openJournal, ownService } = await import("./journal.ts");
  const journal = await openJournal(context);
  const service = await ownService(context);
  const model = service && (await journal.model(service));
  const logs = model === undefined ? [] : of === "all" ? createsIn(model) : unsettled(model);
  const place = of === "all" ? "the journal" : "the journal without a known outcome";
  return { incidents: knownFrom(logs), place };
}

export function knownFrom(logs: readonly OperationLog[]): readonly NamedIncident[] {
  return logs.map(({ created, key, name }) => {
    const id = created?.serviceId ?? key.id;
    const status = created?.incident && incidentFacts(created.incident).status;
    return { id, ids: [key.id, id].map((each) => each.toLowerCase()), name, status };
  });
}

export function knownAs(incident: Incident): NamedIncident {
  const { id, name, status } = incidentFacts(incident);
  return { id, ids: [id.toLowerCase()], name, status };
}

function fits(text: string, { ids }: NamedIncident): boolean {
  if (isLatest(text)) return true;
  if (isAddress(text)) return idsIn(text).some((id) => ids.includes(id));
  return ids.some((id) => id.startsWith(text.toLowerCase().replace(/^#/, "")));
}

function isLatest(text: string): boolean {
  return /^@?(?:latest|last)$/i.test(text);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function isDigits(text: string): boolean {
  return /^#?[0-9a-f]{8}[0-9a-f-]{0,27}$/i.test(text);
}

function idsIn(address: string): readonly string[] {
  return address.toLowerCase().match(new RegExp(guidPattern.source.slice(1, -1), "g")) ?? [];
}

function countOf({ length }: readonly NamedIncident[]): string {
  return length === 0 ? "no incident" : `${length} incidents`;
}
