// The preview of what a run would send: the page of a person, the data of a program, and the digest of --confirm.
import { withHeaderAtHand } from "../../api/account-header.ts";
import { type ApiRequest, confirmedPart, toWire, withoutKey } from "../../api/request.ts";
import type { EqualOnes } from "../../delivery/changes/plan-update.ts";
import { Failure, type Unconfirmed } from "../../failure.ts";
import { writeCommandLine } from "../../kit/command-line.ts";
import type { CommandSpec, Input, RunContext } from "../../kit/define-command.ts";
import type { Page, Results } from "../../kit/report.ts";
import { commandText } from "../../text/advice.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import type { ShownRequest } from "../../view/request.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import { nameMemory } from "../../workspace/journal-location.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";
import type { PlannedIncident } from "./plan.ts";

export interface Preview {
  readonly incidents: readonly PlannedIncident[];
  /** `--confirm` sends only what has this digest. */
  readonly digest: string;
  /** The words of the command line that sends exactly this; undefined where definitions have no id to be confirmed by. */
  readonly command: readonly string[] | undefined;
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: object;
  readonly page: Page;
}

export type ConfirmInput = Omit<Input, "flags"> & {
  readonly flags: { readonly confirm?: string; readonly dryRun?: boolean; readonly noJournal?: boolean };
};

/** What a person confirms. */
export interface Proposal {
  /** A body has an id only where the definition or `--key` chose it: an id of chance is not confirmed. */
  readonly requests: readonly ApiRequest[];
  /** `--dedup-key`: the id depends on the incidents that are open when it is sent. */
  readonly dedupKey?: string | undefined;
  /** `--new`: another incident or update, even beside the same one. */
  readonly isNew: boolean;
  /** With `--new`: the equal updates before this one, so that one confirmation is one update. */
  readonly equalOnes?: EqualOnes | undefined;
}

/** Of everything that the requests say, in their order, and of the memory that the run asks for. */
export function digestOf(journal: string, { dedupKey, equalOnes, isNew, requests }: Proposal): string {
  return `sha256:${jsonDigest([dedupKey, isNew, equalOnes, journal, requests.map(confirmedPart)])}`;
}

async function nameJournal({ workspace }: Pick<RunContext, "workspace">): Promise<string> {
  const { setting } = (await workspace.settings()).journal;
  return nameMemory(setting?.value ?? "folder", workspace.stateDirectory);
}

/** No command where `input` is undefined. `requests`: in place of those of `incidents`. `shown`: in place of the requests. */
export async function previewOf(
  context: RunContext,
  spec: CommandSpec,
  input: ConfirmInput | undefined,
  incidents: readonly PlannedIncident[],
  {
    requests = incidents.flatMap((each) => each.requests),
    ...said
  }: Omit<Proposal, "requests"> & Partial<Proposal>,
  shown: Pick<Preview, "data" | "page"> = showRequests(incidents),
): Promise<Preview> {
  const digest = digestOf(await nameJournal(context), { ...said, requests });
  const changes = { dryRun: undefined, noJournal: undefined, confirm: digest };
  return { ...shown, incidents, digest, command: input && writeCommandLine(spec, input, changes) };
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
export function confirmableBy({ command, digest }: Preview): Omit<Unconfirmed, "preview"> {
  return command === undefined ? {} : { confirm: digest, command };
}

export type DryRun = { readonly is: "requests" } & Results["requests"];

/** The requests of a dry run in each format: one as an object, several as an array. */
export function dryRunParts(preview: Preview, isConfirmable = true): DryRun {
  const { incidents, page } = preview;
  const requests = incidents.flatMap((each) => each.requests).map(shownRequest);
  const confirmable = requests.map((request) => ({
    ...request,
    ...(isConfirmable && confirmableBy(preview)),
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

/**
 * Whether --confirm has the digest of the preview, or of `whole`, of which the preview is a part. Throws a `Failure`
 * "confirmation" where it has another.
 */
export async function isConfirmed(
  context: RunContext,
  input: ConfirmInput,
  preview: Preview,
  whole?: Proposal,
): Promise<boolean> {
  const { confirm } = input.flags;
  if (confirm === undefined) return false;
  const journal = await nameJournal(context);
  if (preview.digest === confirm || (whole && digestOf(journal, whole) === confirm)) return true;
  const problem = `what would be sent is not what was confirmed: a request differs, or the journal (${journal})`;
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
