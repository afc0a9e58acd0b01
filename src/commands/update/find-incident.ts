// The incident that a command changes: by its id, an address, the first digits of an id, or the text of its key.
import { findNewest } from "../../delivery/batch/dedup-key.ts";
import { uncertainFailure } from "../../delivery/delivery-failures.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import type { Operations } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { guidPattern, isGuid } from "../../rules/forms.ts";
import { advise, argv } from "../../text/advice.ts";
import { mostListed } from "../shared/incident-list.ts";

export interface Target {
  readonly operand: string | undefined;
  readonly key: string | undefined;
  readonly dedupKey: string | undefined;
}

/** An incident that may be chosen. */
export interface Candidate {
  readonly id: string;
  readonly name: string | undefined;
  readonly status: string | undefined;
}

/** Throws a `Failure` "usage" for more than one way to name the incident, and for none. */
export function checkTarget({ dedupKey, key, operand }: Target, asks: boolean): void {
  const given = [operand, key, dedupKey].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new Failure("usage", "the incident is named twice", {
      hint: "give one of its id, --key and --dedup-key",
    });
  if (given.some((text) => text.trim() === ""))
    throw new Failure("usage", "the name of the incident is empty", {
      hint: "give its id, --key or --dedup-key",
    });
  if (given.length === 0 && !asks)
    throw new Failure("usage", "no incident was named", {
      hint: advise`give its id, --key or --dedup-key; ${argv`incident journal list --open`} shows those from here`,
    });
}

/** The service's own id. Throws a `Failure`. */
export async function findIncident(
  context: Pick<RunContext, "info">,
  delivery: DeliveryOptions,
  { dedupKey, key, operand = "" }: Target,
  operations: Operations,
): Promise<string> {
  const { service } = delivery;
  if (key !== undefined) return ownId(delivery, idForText(service, key));
  if (dedupKey !== undefined) return newestOf(delivery, dedupKey);
  if (isGuid(operand)) return ownId(delivery, operand.toLowerCase());
  if (/^https?:\/\//i.test(operand)) {
    const ids = operand.toLowerCase().match(new RegExp(guidPattern.source.slice(1, -1), "g")) ?? [];
    const [id, ...others] = [...new Set(ids)];
    if (id !== undefined && others.length === 0) return ownId(delivery, id);
    throw new Failure("usage", `"${operand}" names ${ids.length === 0 ? "no incident" : "several ids"}`, {
      hint: "give the incident's id, a GUID; nothing was sent",
    });
  }
  const digits = operand.toLowerCase().replace(/^#/, "");
  if (!/^[0-9a-f]{8}[0-9a-f-]{0,27}$/.test(digits))
    throw new Failure("usage", `"${operand}" cannot be an incident's id`, {
      hint: advise`give the id, a GUID, or at least its first eight digits; ${argv`incident journal list --open`} shows those from here`,
    });
  const found = (await knownIncidents(delivery, operations, "all")).filter(({ id }) =>
    id.toLowerCase().startsWith(digits),
  );
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) {
    context.info(`${operand} is ${only.id}: ${only.name ?? "an incident without a name"}`);
    return only.id;
  }
  throw new Failure(
    "usage",
    `"${operand}" names ${only === undefined ? "no incident" : `${found.length} incidents`}`,
    {
      hint: "write the whole id; nothing was sent",
    },
  );
}

/** The incidents of the journal, and of the service where it lists them, each once; the newest first. */
export async function knownIncidents(
  { client, journal, service }: DeliveryOptions,
  { list }: Operations,
  which: "all" | "open",
): Promise<readonly Candidate[]> {
  const candidateOf = (incident: Incident): Candidate => {
    const { name, status } = incidentFacts(incident);
    return { id: incident.id, name, status };
  };
  const listed = list === undefined ? [] : (await client.listIncidents(list, { most: mostListed })).entries;
  const { logs } = await journal.list();
  const own = logs.flatMap(({ created, key, name }): Candidate[] => {
    if (created === undefined || key.baseUrl !== service.baseUrl || key.account !== service.account)
      return [];
    const { incident, serviceId } = created;
    return [{ id: serviceId, name, status: incident && incidentFacts(incident).status }];
  });
  const all = new Map<string, Candidate>();
  const shown = listed.filter((each) => which === "all" || !isResolved(each)).map(candidateOf);
  const known = new Set(listed.map(({ id }) => id.toLowerCase()));
  for (const each of [...shown, ...own.reverse().filter(({ id }) => !known.has(id.toLowerCase()))])
    all.set(each.id.toLowerCase(), each);
  return [...all.values()];
}

/** The id at the service of an incident that was sent from here with `id`; else the id itself. */
async function ownId({ journal, service }: DeliveryOptions, id: string): Promise<string> {
  const { change, created } = await journal.read({ ...service, id });
  return (change === undefined ? created?.serviceId : undefined) ?? id;
}

/** The newest incident of a dedup key, open or not. Throws a `Failure` where there is none. */
async function newestOf(delivery: DeliveryOptions, text: string): Promise<string> {
  const { journal, service } = delivery;
  const newest = await findNewest(delivery, text);
  if (newest === undefined || newest.observed.is === "gone")
    throw new Failure("missing", `no incident was declared with the dedup key "${text}"`, {
      hint: "check the key and the account; nothing was sent",
    });
  const key = { ...service, id: idForGeneration(service, text, newest.generation) };
  if (newest.observed.is === "unsettled")
    throw uncertainFailure(delivery, await journal.read(key), undefined);
  return newest.observed.is === "open" ? newest.observed.incident.id : ownId(delivery, key.id);
}
