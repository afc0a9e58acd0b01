// What a run would send. The page of a person, the digest and the notice of notifications are drawn from its requests.
import { withHeaderAtHand } from "../../api/account-header.ts";
import { type ApiRequest, saidBy, toWire, withoutKey } from "../../api/request.ts";
import { digestOf, type Proposal } from "../../delivery/consent/digest.ts";
import type { Unconfirmed } from "../../failure.ts";
import { oldestFirst } from "../../incident/updates.ts";
import { type Incident, type IncidentFacts, incidentFacts, updateFacts } from "../../incident/wire.ts";
import { writeCommandLine } from "../../kit/command-line.ts";
import type { CommandSpec, Input, RunContext } from "../../kit/define-command.ts";
import type { Page, Parts } from "../../kit/report.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import { commandText } from "../../text/advice.ts";
import { listOf } from "../../text/lengths.ts";
import { entriesOf, type Fields, fieldOf } from "../../untrusted-data.ts";
import type { ShownRequest } from "../../view/request.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import { nameMemory } from "../../workspace/journal-location.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";

/** The requests of a run about one incident, in their order. */
export interface PlannedIncident {
  readonly name: string;
  /** The names of its services. */
  readonly services: readonly string[];
  readonly requests: readonly ApiRequest[];
}

export interface Preview {
  readonly incidents: readonly PlannedIncident[];
  readonly proposal: Proposal;
  /** The words of the command line that sends exactly this; undefined where definitions have no id to be confirmed by. */
  readonly command: readonly string[] | undefined;
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: object;
  readonly page: Page;
}

export type ConfirmInput = Omit<Input, "flags"> & {
  readonly flags: { readonly confirm?: string; readonly dryRun?: boolean; readonly noJournal?: boolean };
};

/** What the digest covers. The requests are those of the plan, unless they are given: an id of chance is not confirmed. */
export interface Said extends Omit<Proposal, "journal" | "requests"> {
  readonly requests?: readonly ApiRequest[];
}

/** No command where `input` is undefined. `shown` stands in place of the requests. */
export async function previewOf(
  context: RunContext,
  spec: CommandSpec,
  input: ConfirmInput | undefined,
  incidents: readonly PlannedIncident[],
  said: Said,
  shown: Pick<Preview, "data" | "page"> = showRequests(incidents),
): Promise<Preview> {
  const all = incidents.flatMap(({ requests }) => requests);
  const proposal = await proposalOf(context, { ...said, requests: said.requests ?? all });
  const changes = { dryRun: undefined, noJournal: undefined, confirm: digestOf(proposal) };
  return { ...shown, incidents, proposal, command: input && writeCommandLine(spec, input, changes) };
}

export async function proposalOf(
  { workspace }: Pick<RunContext, "workspace">,
  { requests, ...said }: Said & { readonly requests: readonly ApiRequest[] },
): Promise<Proposal> {
  const { setting } = (await workspace.settings()).journal;
  const journal = nameMemory(setting?.value ?? "folder", workspace.stateDirectory);
  return { ...said, requests: requests.map(saidBy), journal };
}

function showRequests(incidents: readonly PlannedIncident[]) {
  const data = incidents.flatMap(({ requests }) => requests).map(shownRequest);
  const page: Page = async (style) => (await import("../../view/request.ts")).renderRequests(style, data);
  return { data, page };
}

function shownRequest(request: ApiRequest): ShownRequest {
  const { body = "", ...wire } = toWire(withoutKey(request));
  return { ...wire, body: escapeJson(body) };
}

/** The digest and the command of a preview, as data. */
export function confirmableBy({ command, proposal }: Preview): Omit<Unconfirmed, "preview"> {
  return command === undefined ? {} : { confirm: digestOf(proposal), command };
}

/** The requests of a dry run in each format: one as an object, several as an array. */
export function dryRunParts(
  { incidents, page, ...preview }: Preview,
  isConfirmable = true,
): Pick<Parts, "data" | "page" | "curl"> {
  const requests = incidents.flatMap((each) => each.requests).map(shownRequest);
  const confirmable = requests.map((request) => ({
    ...request,
    ...(isConfirmable && confirmableBy({ incidents, page, ...preview })),
  }));
  const [first, ...others] = confirmable;
  return {
    data: first !== undefined && others.length === 0 ? first : confirmable,
    page,
    curl: async () => joinSafe(requests.map((await import("../../view/request.ts")).renderCurl)),
  };
}

/** Prints the command that sends exactly the requests of the preview, on stderr. */
export function announceConfirmation(context: RunContext, { command }: Preview): void {
  if (command === undefined) {
    context.info(`to confirm it, ${giveIds}`);
    return;
  }
  // An indented line stays whole at a terminal, to be copied.
  context.info("to send exactly this:");
  context.info(`    ${commandText(command)}`);
}

export const giveIds =
  "give each definition an id: incident validate --fix --assign-ids adds the missing ones";

/** The incident as customers would see it after the requests; `before` is undefined for a create. */
export function incidentAfter(before: Incident | undefined, requests: readonly ApiRequest[]): IncidentFacts {
  const bodies = requests.map(({ body }) => body as Fields);
  const posted = bodies.filter(isUpdate).map((body) => ({ ...updateFacts(body), notified: undefined }));
  const fields: Fields = Object.assign({}, ...bodies.filter((body) => !isUpdate(body)));
  const facts = incidentFacts({ ...before, ...fields, id: before?.id ?? "" });
  const own =
    before === undefined ? facts.updates.map((each) => ({ ...each, notified: undefined })) : undefined;
  // A page reverses a list of updates whose last one has no date yet.
  const updates = [...(own ?? oldestFirst(facts)), ...posted];
  const changed = (own ?? posted).at(-1)?.status;
  return { ...facts, updates, status: changed ?? facts.status };
}

function isUpdate(body: Fields): boolean {
  return body.description !== undefined;
}

/** Whether a request notifies subscribers; undefined for an edit, of which nothing states it. */
function notifies({ body }: ApiRequest): boolean | undefined {
  const updates = isUpdate(body as Fields) ? [body] : fieldOf(body, "incidentUpdates");
  if (updates === undefined) return undefined;
  return entriesOf(updates).some((update) => fieldOf(update, "notifySubscribers") === true);
}

function havingOne(incidents: readonly PlannedIncident[], notification: boolean | undefined) {
  return incidents.filter(({ requests }) => requests.some((request) => notifies(request) === notification));
}

/** The services whose subscribers are notified; empty where nobody is, as far as it is stated. */
export function notifiedBy(incidents: readonly PlannedIncident[]): string {
  return servicesOf(havingOne(incidents, true));
}

/** With those whose subscribers an edit may notify. */
export function perhapsNotifiedBy(incidents: readonly PlannedIncident[]): string {
  return servicesOf([...havingOne(incidents, true), ...havingOne(incidents, undefined)]);
}

/** The names of the services, as a list in a sentence. */
export function servicesOf(incidents: readonly Pick<PlannedIncident, "name" | "services">[]): string {
  const names = incidents.flatMap(({ name, services }) => (services.length === 0 ? [name] : services));
  return listOf([...new Set(names)]);
}

/** Whom the requests notify, as the notice of a run that sends them, or of a dry run. An edit never claims to be silent. */
export function describeNotified(incidents: readonly PlannedIncident[], isDryRun: boolean): string[] {
  const [loud, silent, edited] = [true, false, undefined].map((each) => havingOne(incidents, each));
  const services = servicesOf(loud ?? []);
  const share = incidents.length === 1 ? "" : `, for ${loud?.length} of ${incidents.length} incidents`;
  const said = isDryRun
    ? services === ""
      ? "it would notify no subscribers"
      : `it would notify the subscribers of ${services}`
    : services === ""
      ? `not notifying subscribers (${servicesOf(silent ?? [])})`
      : `notifying subscribers of ${services}${share}`;
  if (edited?.length === 0) return incidents.length === 0 ? [] : [said];
  const isStated = services !== "" || (silent ?? []).length > 0;
  return [
    "nothing states whether an edit notifies subscribers",
    ...(isStated ? [`the update: ${said}`] : []),
  ];
}

/** No key command runs and no key file is opened. */
export async function readKeylessTarget(context: RunContext): Promise<ServiceTarget> {
  const { workspace } = context;
  const effective = await workspace.settings();
  const setting = effective.apiKey.setting ?? { value: { kind: "value", key: "" }, origin: "nowhere" };
  const target = checkServiceTarget(
    { ...effective, apiKey: { ...effective.apiKey, setting } },
    workspace.sources,
  );
  return withHeaderAtHand(context, target);
}
