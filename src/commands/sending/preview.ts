// A preview of a plan: the requests, the digest of --confirm and the command that sends exactly this.
import { type ApiRequest, toWire } from "../../api/request.ts";
import { Failure, type Unconfirmed } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { type RunContext, writeCommandLine } from "../../kit/command.ts";
import { type Page, type Printed, pageReport } from "../../kit/report.ts";
import { escapeJson, safe } from "../../platform/terminal/safe-text.ts";
import { commandText } from "../../text/advice.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { fieldOf } from "../../untrusted-data.ts";
import type { ShownRequest } from "../../view/request.ts";
import { describeNotified, incidentAfter, type Plan, type PlannedIncident } from "./plan.ts";

/** The digest of the requests, in their order. */
export function digestOf(requests: readonly ApiRequest[], terms: object = {}): string {
  const said = requests.map(({ accountHeader: _, ...rest }) => rest);
  return `sha256:${jsonDigest([terms, said])}`;
}

function requestsOf({ incidents }: Pick<Plan, "incidents">): readonly ApiRequest[] {
  return incidents.flatMap(({ requests }) => requests);
}

/** The digest of the plan, and the command line that sends exactly it. */
function confirmableBy(context: RunContext, plan: Plan): Omit<Unconfirmed, "preview"> {
  const { input, lacksIds, terms } = plan;
  // A confirmation needs the journal, which records the digest.
  if (lacksIds || input.flags.noJournal) return {};
  const confirm = digestOf(requestsOf(plan), terms);
  const flags = { ...input.flags, dryRun: undefined, confirm };
  return { confirm, command: writeCommandLine(context, { ...input, flags }) };
}

function shownRequests(plan: Plan): readonly ShownRequest[] {
  return requestsOf(plan).map((request) => {
    const { body = "", ...wire } = toWire(request);
    return { ...wire, body: escapeJson(body) };
  });
}

export type DryRun = Printed<"requests">;

const pageOf =
  (requests: readonly ShownRequest[]): Page =>
  async (style) =>
    (await import("../../view/request.ts")).renderRequests(style, requests);

export function requestsReport(data: object, requests: readonly ShownRequest[]): DryRun {
  const curl = async () => (await import("../../view/request.ts")).renderCurl(requests);
  return { prints: { ...pageReport(data, pageOf(requests)).prints, curl } };
}

export function reportDryRun(context: RunContext, plan: Plan): DryRun {
  const confirmable = announce(context, plan);
  const requests = shownRequests(plan);
  const all = requests.map((each) => ({ ...each, ...confirmable }));
  const [only = all, ...others] = all;
  return requestsReport(others.length === 0 ? only : all, requests);
}

/** The command that adds the missing ids, unless a definition is on stdin. */
function adviceOnIds(context: RunContext, { input }: Plan): string {
  const { file, recursive, var: values, vars } = input.flags;
  if ([file, input.operands].flat().includes("-")) return "give each definition an id";
  const spec = { ...input.spec, name: "validate --fix --assign-ids" };
  const flags = { file, recursive, var: values, vars };
  const words = writeCommandLine({ ...context, format: "table" }, { ...input, flags, spec });
  return `give each definition an id: ${commandText(words)}`;
}

/** Tells on stderr whom the plan notifies, and the command that sends exactly the plan. */
export function announce(context: RunContext, plan: Plan): Omit<Unconfirmed, "preview"> {
  const { adding, incidents, lacksIds } = plan;
  if (adding instanceof Failure)
    context.warn(`it is not known how the service takes the updates after the first one: ${adding.message}`);
  context.info("nothing was sent");
  const confirmable = confirmableBy(context, plan);
  if (requestsOf(plan).length === 0) return confirmable;
  for (const line of describeNotified(incidents)) context.info(line);
  const { command } = confirmable;
  // An id would make another incident of a create that an open one answers.
  const isCreate = ({ requests: [first] }: PlannedIncident) => fieldOf(first?.body, "incidentUpdates");
  if (command !== undefined) {
    context.info("to send exactly this:");
    context.info(`    ${commandText(command)}`);
  } else if (lacksIds && incidents.every(isCreate))
    context.info(`to confirm it, ${adviceOnIds(context, plan)}`);
  else context.info("to send it, run this command without --dry-run");
  return confirmable;
}

/** Throws a `Failure` "confirmation" for another digest than that of the plan, and shows the preview. */
export async function checkDigest(context: RunContext, plan: Plan, digest: string): Promise<void> {
  const confirmable = confirmableBy(context, plan);
  if (confirmable.confirm === digest) return;
  const requests = shownRequests(plan);
  const { facts = requests, page = pageOf(requests) } = plan;
  if (context.format !== "json") await context.show(page);
  throw new Failure("confirmation", "what would be sent is not what was confirmed", {
    hint: "nothing was sent; show the preview to a person, and run this command once they agree",
    commands: [{ command: commandText(confirmable.command ?? []), purpose: "send exactly this" }],
    unconfirmed: { ...confirmable, preview: facts },
  });
}

/** The page that customers would see; `incident` is undefined for a create. */
export function pageForCustomers(incident: Incident | undefined, { requests }: PlannedIncident): Page {
  return async (style) => {
    const { renderIncident } = await import("../../view/incident.ts");
    const shown = renderIncident(style, incidentAfter(incident, requests));
    return safe`\n${style.color.dim("What customers will see:")}\n\n${shown}\n`;
  };
}
