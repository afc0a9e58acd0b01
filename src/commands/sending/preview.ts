// A preview: the requests, the digest of --confirm and the command that sends exactly this. view/preview.ts and
// view/request.ts draw it.
import { withHeaderAtHand } from "../../api/account-header.ts";
import { type ApiRequest, confirmedPart, toWire, withoutKey } from "../../api/request.ts";
import { Failure, type Unconfirmed } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { writeCommandLine } from "../../kit/command-line.ts";
import type { CommandSpec, Input, RunContext } from "../../kit/define-command.ts";
import type { Page, Results } from "../../kit/report.ts";
import { escapeJson } from "../../platform/terminal/safe-text.ts";
import { commandText } from "../../text/advice.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import type { ShownRequest } from "../../view/request.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";
import { describeNotified, incidentAfter, type PlannedIncident } from "./plan.ts";

export type SendInput = Omit<Input, "flags"> & {
  readonly flags: Readonly<Record<string, unknown>> & {
    readonly confirm?: string;
    readonly dryRun?: boolean;
  };
};

/** A plan that a person confirms. */
export interface Proposal {
  readonly spec: CommandSpec;
  /** The command line that is confirmed; undefined where definitions have no id to be confirmed by. */
  readonly input: SendInput | undefined;
  readonly incidents: readonly PlannedIncident[];
  /** The digest covers it beside the requests, such as `--new`. */
  readonly terms?: object;
  /** In place of the requests: the plan. */
  readonly shown?: Pick<Preview, "data" | "page">;
}

export interface Preview {
  readonly incidents: readonly PlannedIncident[];
  /** `--confirm` sends only requests with this digest. */
  readonly digest: string;
  /** The words of the command line that sends exactly this; undefined where definitions have no id to be confirmed by. */
  readonly command: readonly string[] | undefined;
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: object;
  readonly page: Page;
}

/** Of everything that the requests say, in their order. */
export function digestOf(requests: readonly ApiRequest[], terms: object = {}): string {
  return `sha256:${jsonDigest([terms, requests.map(confirmedPart)])}`;
}

export function previewOf({ incidents, input, shown, spec, terms = {} }: Proposal): Preview {
  const all = incidents.flatMap(({ requests }) => requests);
  const digest = digestOf(all, terms);
  const data = all.map(shownRequest);
  const page: Page = async (style) => (await import("../../view/request.ts")).renderRequests(style, data);
  return {
    ...(shown ?? { data, page }),
    incidents,
    digest,
    command:
      input && writeCommandLine(spec, input, { dryRun: undefined, noJournal: undefined, confirm: digest }),
  };
}

function shownRequest(request: ApiRequest): ShownRequest {
  const { body = "", ...wire } = toWire(withoutKey(request));
  return { ...wire, body: escapeJson(body) };
}

/** The digest and the command of a preview, as data. */
export function confirmableBy({ command, digest }: Preview): Omit<Unconfirmed, "preview"> {
  return command === undefined ? {} : { confirm: digest, command };
}

export type DryRun = { readonly is: "requests" } & Results["requests"];

/** The report of a dry run: the requests, one as an object, several as an array. */
export function reportDryRun(context: RunContext, preview: Preview): DryRun {
  const { incidents, page } = preview;
  for (const line of describeNotified(incidents, true)) context.info(line);
  announceConfirmation(context, preview);
  const requests = incidents.flatMap((each) => each.requests).map(shownRequest);
  const data = requests.map((request) => ({ ...request, ...confirmableBy(preview) }));
  const [first, ...others] = data;
  return { is: "requests", data: first && others.length === 0 ? first : data, page, requests };
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

const giveIds = "give each definition an id: incident validate --fix --assign-ids adds the missing ones";

/** Shows the preview, and gives the failure that asks a program to show it to a person. */
export async function unconfirmedFailure(
  context: RunContext,
  { format }: SendInput,
  preview: Preview,
  message: string,
): Promise<Failure> {
  const { command, data, page } = preview;
  if (format !== "json") await context.show(page);
  const next =
    command === undefined
      ? `to confirm it, ${giveIds}`
      : "show the preview to a person, and run this command once they agree";
  return new Failure("confirmation", message, {
    hint: `nothing was sent; ${next}`,
    commands: command && [{ command, purpose: "send exactly this" }],
    unconfirmed: { ...confirmableBy(preview), preview: data },
  });
}

/** The page that customers would see; `incident` is undefined for a create. */
export function pageForCustomers(incident: Incident | undefined, { requests }: PlannedIncident): Page {
  return async (style) =>
    (await import("../../view/preview.ts")).renderPreview(style, incidentAfter(incident, requests));
}

/** The service of a dry run. No key command runs and no key file is opened. */
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
