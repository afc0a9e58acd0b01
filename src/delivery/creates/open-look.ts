// Before a create is sent for the first time: an open incident of the service with the same content is the answer, unless
// another operation has it. The look can stop a create, and none needs it.
import type { Client } from "../../api/client.ts";
import { cancellation, Failure } from "../../failure.ts";
import { differencesOf } from "../../incident/comparison.ts";
import { normalText } from "../../incident/normal-form.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { isGuid } from "../../rules/forms.ts";
import type { Pages } from "../../rules/openapi/operations.ts";
import { inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { checkNotification } from "../batch/open-incident.ts";
import { type DeliveryOptions, type DeliveryRequest, freshness } from "../delivery-options.ts";
import type { Found } from "../operation.ts";
import { isOfOther, readFirstPage } from "./find-created.ts";

/** Milliseconds for each read. */
const budget = 5000;

/** The most incidents that are read for one create. */
const mostReads = 10;

/** The parts of a create that name it. */
const naming = ["name", "severity", "services", "incidentUpdates[0].description"];

/**
 * A function that looks at the first page of the service's list. It returns a `Failure` where the open incident did not
 * notify as this create would, and where a person declines another incident like an open one. Where the service cannot be
 * read, it warns. `onPage` gets the page.
 */
export function createOpenLook(
  options: DeliveryOptions,
  onPage: (page: ReadPage) => void,
): (request: DeliveryRequest) => Promise<Found | Failure | undefined> {
  const told = new Set<string>();
  return async (request) => {
    const alike: Incident[] = [];
    for (const incident of await readOpen(options, request, onPage)) {
      const { id } = incident;
      if (!isEqual(request, incident)) alike.push(incident);
      else if (!(await isOfOther(options, request, id)) && takes(options, request, id)) {
        const refusal = checkNotification(options, request.content, { incident });
        return refusal ?? { incident, serviceId: id, open: request.hasRandomId ? "answer" : "record" };
      }
    }
    for (const incident of alike.filter(({ id }) => !told.has(id))) {
      told.add(incident.id);
      const declined = await tell(options, request, incident);
      if (declined !== undefined) return declined;
    }
    return undefined;
  };
}

/** The open incidents with the name or the first text of the create. */
async function readOpen(
  options: DeliveryOptions,
  request: DeliveryRequest,
  onPage: (page: ReadPage) => void,
): Promise<readonly Incident[]> {
  const { client, reporter, system } = options;
  try {
    const pages = await options.list?.();
    if (pages === undefined) return [];
    const page = readFreshPage(options, pages);
    const entries = await page.entries;
    onPage({ at: page.at, entries });
    const alike = entries.filter(
      (entry) => isGuid(entry.id) && !isResolved(entry) && isAlike(request, entry),
    );
    const found: Incident[] = [];
    for (const { id } of alike.slice(0, mostReads)) {
      const incident = await client.findIncident(id, { budget });
      if (incident !== undefined && !isResolved(incident)) found.push(incident);
    }
    return found;
  } catch (error) {
    if (!(error instanceof Failure) || system.signal.aborted) throw error;
    reporter.warn(`it could not be looked for, so an equal incident may be open already: ${error.message}`);
    return [];
  }
}

export interface ReadPage<Entries = readonly Incident[]> {
  /** When its read began, on the monotonic clock. */
  readonly at: number;
  readonly entries: Entries;
}

type FirstPage = ReadPage<Promise<readonly Incident[]>>;

/** One read serves the creates of a run while it is fresh. */
const firstPages = new WeakMap<Client, FirstPage>();

function readFreshPage(options: DeliveryOptions, pages: Pages): FirstPage {
  const at = options.system.clock.monotonic();
  const known = firstPages.get(options.client);
  if (known !== undefined && at - known.at <= freshness) return known;
  const page = { at, entries: readFirstPage(options, pages, budget) };
  firstPages.set(options.client, page);
  return page;
}

/** Whether it has the name or the first text of the create, as far as the list shows them. */
function isAlike({ content: { body } }: DeliveryRequest, incident: Incident): boolean {
  const { name = "", updates } = incidentFacts(incident);
  return normalText(name) === normalText(body.name) || hasText(updates, body.incidentUpdates[0]?.description);
}

function isEqual({ content: { body } }: DeliveryRequest, incident: Incident): boolean {
  const { name, severity, updates } = incidentFacts(incident);
  return (
    name !== undefined &&
    severity !== undefined &&
    hasText(updates, body.incidentUpdates[0]?.description) &&
    !differencesOf(body, incident).some(({ field }) => naming.includes(field))
  );
}

function hasText(updates: readonly { readonly description: string | undefined }[], text = ""): boolean {
  return updates.some(({ description = "" }) => normalText(description) === normalText(text));
}

/** One incident answers one create of a run: two creates with the same content may look at the same time. */
function takes({ answers = new Map() }: DeliveryOptions, { key }: DeliveryRequest, id: string): boolean {
  if (!answers.has(id)) answers.set(id, key.id);
  return answers.get(id) === key.id;
}

/** Asks a person, where there is one, or warns. */
async function tell(
  { client, confirmSimilar, reporter, system }: DeliveryOptions,
  { content: { body } }: DeliveryRequest,
  incident: Incident,
): Promise<Failure | undefined> {
  const { id, name = "", status } = incidentFacts(incident);
  const same = normalText(name) === normalText(body.name) ? "name" : "first text";
  const like = `${id} is open${status === undefined ? "" : ` (${status})`} with the same ${same} and other content: this declares another incident, and incident update ${id} changes that one`;
  if (confirmSimilar === undefined) {
    reporter.warn(like);
    return undefined;
  }
  try {
    if (await confirmSimilar(like)) return undefined;
  } catch (error) {
    // A refused consent ends the create, as a no does.
    if (error instanceof Failure) return error;
    throw error;
  }
  if (system.signal.aborted) return cancellation(system.signal, "nothing was sent");
  const place = inWebApplication(incidentLink(client.settings.webUrl, id));
  return new Failure("interrupted", "declined", {
    hint: `nothing was sent; post an update of ${id} ${place}`,
  });
}
