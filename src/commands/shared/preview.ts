// The preview of what a run would send: the page of a person, the data of a program, and the digest of --confirm.
import { withHeaderAtHand } from "../../api/account-header.ts";
import { type ApiRequest, saidBy, toWire, withoutKey } from "../../api/request.ts";
import { digestOf, type Proposal } from "../../delivery/consent/digest.ts";
import { Failure, type Unconfirmed } from "../../failure.ts";
import { writeCommandLine } from "../../kit/command-line.ts";
import type { CommandSpec, Input, RunContext } from "../../kit/define-command.ts";
import type { Page, Results } from "../../kit/report.ts";
import { commandText } from "../../text/advice.ts";
import type { ShownRequest } from "../../view/request.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import { nameMemory } from "../../workspace/journal-location.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";
import type { PlannedIncident } from "./planned.ts";

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
  const journal = nameMemory(setting.value, workspace.stateDirectory);
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

export type DryRun = { readonly is: "requests" } & Results["requests"];

/** The requests of a dry run in each format: one as an object, several as an array. */
export function dryRunParts({ incidents, page, ...preview }: Preview, isConfirmable = true): DryRun {
  const requests = incidents.flatMap((each) => each.requests).map(shownRequest);
  const confirmable = requests.map((request) => ({
    ...request,
    ...(isConfirmable && confirmableBy({ incidents, page, ...preview })),
  }));
  const [first, ...others] = confirmable;
  return {
    is: "requests",
    data: first !== undefined && others.length === 0 ? first : confirmable,
    page,
    requests,
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

const giveIds = "give each definition an id: incident validate --fix --assign-ids adds the missing ones";

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

/** Whether --confirm has the digest of the preview. Throws a `Failure` "confirmation" where it has another. */
export async function checkDigest(
  context: RunContext,
  input: ConfirmInput,
  preview: Preview,
): Promise<boolean> {
  const { confirm } = input.flags;
  if (confirm === undefined) return false;
  if (digestOf(preview.proposal) === confirm) return true;
  const problem = `what would be sent is not what was confirmed: a request differs, or the journal (${preview.proposal.journal})`;
  throw await unconfirmedFailure(context, input, preview, problem);
}

/** Shows the preview, and gives the failure that asks a program to show it to a person. */
export async function unconfirmedFailure(
  context: RunContext,
  { format }: ConfirmInput,
  preview: Preview,
  message: string,
): Promise<Failure> {
  const { command, data, page } = preview;
  if (format !== "json") await context.show(page);
  const unconfirmed = { ...confirmableBy(preview), preview: data };
  if (command === undefined)
    return new Failure("confirmation", message, {
      hint: `nothing was sent; to confirm it, ${giveIds}`,
      unconfirmed,
    });
  return new Failure("confirmation", message, {
    hint: "nothing was sent; show the preview to a person, and run this command once they agree",
    commands: [{ command, purpose: "send exactly this" }],
    unconfirmed,
  });
}
