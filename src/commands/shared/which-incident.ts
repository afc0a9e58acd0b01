// The incident that a text of a person names: an id, an address with an id in it, the first digits of an id, or `latest`.
// Digits must fit exactly one incident that is known.
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

/**
 * Throws a `Failure` "usage" for a text that can name no incident. A command that publishes takes no `latest`: the newest
 * that is known here may be another than the newest of the service.
 */
export function checkNames(given: readonly string[], takesLatest: boolean): void {
  const wrong = given.find((text) => !isDigits(idIn(text)) && !(takesLatest && isLatest(text)));
  if (wrong === undefined) return;
  throw new Failure("usage", `"${wrong}" cannot be an incident's id`, {
    hint: advise`give the id, a GUID, or at least its first eight digits: ${listed}`,
  });
}

/**
 * `search`: those that are known, the oldest first; only for a text that is no id. Throws a `Failure` "usage" where none or
 * several fit.
 */
export async function findIds(
  context: Pick<RunContext, "info">,
  given: readonly string[],
  search: () => Promise<readonly NamedIncident[]>,
  takesLatest: boolean,
): Promise<readonly string[]> {
  checkNames(given, takesLatest);
  const named = given.map(idIn);
  if (named.every(isGuid)) return named;
  const known = merged(await search());
  return named.map((text) => {
    if (isGuid(text)) return text;
    const start = text.toLowerCase();
    const fitting = isLatest(text)
      ? known.slice(-1)
      : known.filter(({ ids }) => ids.some((id) => id.startsWith(start)));
    const [only, ...others] = fitting;
    if (only === undefined || others.length > 0) {
      const what = only === undefined ? "no incident that is" : `${fitting.length} incidents that are`;
      throw new Failure("usage", `"${text}" names ${what} known here`, {
        hint: advise`write the whole id, a GUID; ${listed}`,
      });
    }
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
export async function searchJournal(
  context: RunContext,
  of: "all" | "uncertain" = "all",
): Promise<readonly NamedIncident[]> {
  const { createsIn, unsettled } = await import("../../journal/model.ts");
  const { openJournal, ownService } = await import("./journal.ts");
  const journal = await openJournal(context);
  const service = await ownService(context);
  const model = service && (await journal.model(service));
  return model === undefined ? [] : knownFrom(of === "all" ? createsIn(model) : unsettled(model));
}

export function knownFrom(logs: readonly OperationLog[]): readonly NamedIncident[] {
  return logs.map(({ created, key, name }) => {
    const id = created?.serviceId ?? key.id;
    return { id, ids: [key.id, id].map((each) => each.toLowerCase()), name, status: undefined };
  });
}

export function knownAs(incident: Incident): NamedIncident {
  const { id, name, status } = incidentFacts(incident);
  return { id, ids: [id.toLowerCase()], name, status };
}

/** The id in an address, such as that of the web application. */
function idIn(text: string): string {
  const [id, ...others] = text.match(new RegExp(guidPattern.source.slice(1, -1), "gi")) ?? [];
  return id !== undefined && others.length === 0 ? id : text;
}

function isLatest(text: string): boolean {
  return text.toLowerCase() === "latest";
}

function isDigits(text: string): boolean {
  return /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(text);
}
