// The consent of a person to the requests of a run: checks --confirm, and makes the failure that asks for it.
import type { BatchOptions } from "../../../delivery/batch/batch.ts";
import { digestOf, digestPattern, type Proposal } from "../../../delivery/consent/digest.ts";
import { Failure, type Unconfirmed } from "../../../failure.ts";
import type { CommandSpec, Input, RunContext } from "../../../kit/define-command.ts";
import type { Page } from "../../../kit/report.ts";
import { commandText } from "../../../text/advice.ts";
import { nameMemory } from "../../../workspace/journal-location.ts";
import type { ServiceSettings } from "../../../workspace/resolve.ts";
import { canAsk } from "../confirm.ts";
import { writeCommandLine } from "./command-line.ts";

/** The requests of a run, as a person sees them. */
export interface Preview {
  readonly proposal: Proposal;
  /** The words of the command line that sends exactly this; undefined where definitions have no id to be confirmed by. */
  readonly command: readonly string[] | undefined;
  /** The services whose subscribers it notifies; empty where it notifies nobody. */
  readonly notified: string;
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: unknown;
  readonly page: Page;
}

type ConfirmFlags = { readonly confirm?: string; readonly dryRun?: boolean; readonly noJournal?: boolean };
type ConfirmInput = Omit<Input, "flags"> & { readonly flags: ConfirmFlags };

/** The requests of a run, without its memory. */
export type Said = Omit<Proposal, "journal">;

export async function proposalOf(
  { workspace }: Pick<RunContext, "workspace">,
  said: Said,
): Promise<Proposal> {
  const { setting } = (await workspace.settings()).journal;
  return { ...said, journal: nameMemory(setting?.value ?? "folder", workspace.stateDirectory) };
}

/** `shown` has the data, the page and the notified services. No command where `input` is undefined. */
export async function previewOf<P extends Pick<Preview, "data" | "notified" | "page">>(
  context: RunContext,
  spec: CommandSpec,
  input: ConfirmInput | undefined,
  said: Said,
  shown: P,
): Promise<P & Preview> {
  const proposal = await proposalOf(context, said);
  const changes = { dryRun: undefined, noJournal: undefined, confirm: digestOf(proposal) };
  return { ...shown, proposal, command: input && writeCommandLine(spec, input, changes) };
}

const giveIds = "give each definition an id: incident validate --fix --assign-ids adds the missing ones";

/** The digest and the command of a preview, as data. */
export function confirmableBy({ command, proposal }: Preview): Omit<Unconfirmed, "preview"> {
  return command === undefined ? {} : { confirm: digestOf(proposal), command };
}

/** Throws a `Failure` "usage" for a value that is no digest. */
export function checkConfirmFlag({ confirm }: ConfirmFlags): void {
  if (confirm === undefined || digestPattern.test(confirm)) return;
  throw new Failure("usage", "--confirm needs a digest: sha256: and 64 digits in lower case", {
    hint: "copy it from the preview that --dry-run prints; nothing was sent",
  });
}

export interface Consent {
  /** --yes does not answer the question at a terminal. */
  readonly isNeeded: boolean;
  /** Where no person can be asked: refuses the first create that would be sent, or one like an open incident. */
  readonly refusals?: Pick<BatchOptions, "beforeSend" | "confirmSimilar">;
}

/** Throws a `Failure` "confirmation" where --confirm has another digest. */
export async function openConsent(
  context: RunContext,
  { confirm: setting }: Pick<ServiceSettings, "confirm">,
  preview: Preview,
  input: ConfirmInput,
): Promise<Consent> {
  const { notified, proposal } = preview;
  const { confirm } = input.flags;
  const refuse = async (problem: string) => {
    throw await askForConsent(context, input, preview, problem);
  };
  if (confirm !== undefined) {
    if (digestOf(proposal) === confirm) return { isNeeded: false };
    await refuse(
      `what would be sent is not what was confirmed: a request differs, or the journal (${proposal.journal})`,
    );
  }
  const mode = setting?.value ?? "never";
  const isNeeded = mode === "always" || (mode === "notify" && notified !== "");
  if (canAsk(context, input.global)) return { isNeeded };
  const needs = `needs the consent of a person (confirm: ${mode}, from ${setting?.origin})`;
  const what = notified === "" ? "this" : `this notifies the subscribers of ${notified}, and`;
  return {
    isNeeded,
    refusals: {
      confirmSimilar: (similar) => refuse(`${similar}, which ${needs}`),
      ...(isNeeded && { beforeSend: () => refuse(`${what} ${needs}`) }),
    },
  };
}

/** Whom the requests of a preview would notify. `services` is empty where they say that nobody is told. */
export function tellNotified({ info }: Pick<RunContext, "info">, services: string): void {
  info(services === "" ? "it would notify no subscribers" : `it would notify the subscribers of ${services}`);
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

/** Shows the preview, and gives the failure that asks a program to show it to a person. */
async function askForConsent(
  context: RunContext,
  { format }: Pick<Input, "format">,
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
