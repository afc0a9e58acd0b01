// What a preview covers: the requests, the digest of --confirm and the command that sends exactly this. view/preview.ts and
// view/request.ts draw it.
import { withHeaderAtHand } from "../../api/account-header.ts";
import { type ApiRequest, confirmedPart, toWire, withoutKey } from "../../api/request.ts";
import { Failure, type Unconfirmed } from "../../failure.ts";
import { writeCommandLine } from "../../kit/command-line.ts";
import type { CommandSpec, Input, RunContext } from "../../kit/define-command.ts";
import type { Page, Results } from "../../kit/report.ts";
import { escapeJson } from "../../platform/terminal/safe-text.ts";
import { commandText } from "../../text/advice.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import type { ShownRequest } from "../../view/request.ts";
import { nameMemory } from "../../workspace/journal-location.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";
import { describeNotified, type PlannedIncident } from "./plan.ts";

export type SendInput = Omit<Input, "flags"> & {
  readonly flags: { readonly confirm?: string; readonly dryRun?: boolean; readonly noJournal?: boolean };
};

/** What a person confirms. */
export interface Proposal {
  readonly spec: CommandSpec;
  /** The command line that is confirmed; undefined where definitions have no id to be confirmed by. */
  readonly input: SendInput | undefined;
  readonly incidents: readonly PlannedIncident[];
  /** What the digest covers in place of the requests of `incidents`, without an id of chance. */
  readonly requests?: readonly ApiRequest[];
  /** What the digest covers beside the requests, such as `--new`. */
  readonly terms?: object;
  /** More requests, of which a confirmation permits every part. */
  readonly whole?: readonly ApiRequest[];
  /** In place of the requests: the plan. */
  readonly shown?: Pick<Preview, "data" | "page">;
}

export interface Preview {
  readonly incidents: readonly PlannedIncident[];
  /** `--confirm` sends only what has one of these digests; the first is that of the preview. */
  readonly digests: readonly [string, ...string[]];
  readonly journal: string;
  /** The words of the command line that sends exactly this; undefined where definitions have no id to be confirmed by. */
  readonly command: readonly string[] | undefined;
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: object;
  readonly page: Page;
}

/** Of everything that the requests say, in their order, and of the memory that the run asks for. */
export function digestOf(journal: string, requests: readonly ApiRequest[], terms: object = {}): string {
  return `sha256:${jsonDigest([terms, journal, requests.map(confirmedPart)])}`;
}

export async function previewOf(context: RunContext, proposal: Proposal): Promise<Preview> {
  const { incidents, input, spec, terms, whole } = proposal;
  const { workspace } = context;
  const all = incidents.flatMap(({ requests }) => requests);
  const { setting } = (await workspace.settings()).journal;
  const journal = nameMemory(setting?.value ?? "folder", workspace.stateDirectory);
  const confirm = digestOf(journal, proposal.requests ?? all, terms);
  const data = all.map(shownRequest);
  const page: Page = async (style) => (await import("../../view/request.ts")).renderRequests(style, data);
  return {
    ...(proposal.shown ?? { data, page }),
    incidents,
    digests: [confirm, ...(whole === undefined ? [] : [digestOf(journal, whole, terms)])],
    journal,
    command: input && writeCommandLine(spec, input, { dryRun: undefined, noJournal: undefined, confirm }),
  };
}

function shownRequest(request: ApiRequest): ShownRequest {
  const { body = "", ...wire } = toWire(withoutKey(request));
  return { ...wire, body: escapeJson(body) };
}

/** The digest and the command of a preview, as data. */
export function confirmableBy({ command, digests: [confirm] }: Preview): Omit<Unconfirmed, "preview"> {
  return command === undefined ? {} : { confirm, command };
}

export type DryRun = { readonly is: "requests" } & Results["requests"];

/**
 * The report of a dry run: the requests, one as an object, several as an array. `notes` are told with whom it notifies.
 * `isRepeatable`: the command line says all of it, and no answer of a person.
 */
export async function reportDryRun(
  context: RunContext,
  preview: Preview,
  notes: () => Promise<void> = async () => undefined,
  isRepeatable = true,
): Promise<DryRun> {
  const { incidents, page } = preview;
  for (const line of describeNotified(incidents, true)) context.info(line);
  await notes();
  if (isRepeatable) announceConfirmation(context, preview);
  const requests = incidents.flatMap((each) => each.requests).map(shownRequest);
  const confirmable = isRepeatable ? confirmableBy(preview) : {};
  const data = requests.map((request) => ({ ...request, ...confirmable }));
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
