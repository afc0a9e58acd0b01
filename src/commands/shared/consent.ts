// The consent of a person to what a run would send: the digest of --confirm, the question at a terminal, --yes.
import { digestOf, digestPattern } from "../../delivery/consent/digest.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import {
  type ConfirmInput,
  confirmableBy,
  describeNotified,
  giveIds,
  notifiedBy,
  type PlannedIncident,
  type Preview,
  perhapsNotifiedBy,
} from "./preview.ts";
import { canAsk, declined, isYes, wrapQuestion } from "./questions.ts";

/** What is sent, and its preview, which is made where a person has to see it. */
export interface Sending {
  readonly incidents: readonly PlannedIncident[];
  readonly preview: () => Promise<Preview>;
}

export interface Consent {
  /** Call it before each request is sent: it asks once, and tells whom the requests notify. Throws a `Failure`. */
  readonly beforeSend: () => Promise<void>;
  /** Where no person can be asked: refuses a create like an open incident. */
  readonly confirmSimilar?: (similar: string) => Promise<boolean>;
  /** Whether the person wants it sent, and no subscriber notified. */
  readonly wantsSilence: () => boolean;
}

/** Throws a `Failure` "usage" for a value that is no digest. */
export function checkConfirmFlag({ confirm }: ConfirmInput["flags"]): void {
  if (confirm === undefined || digestPattern.test(confirm)) return;
  throw new Failure("usage", "--confirm needs a digest: sha256: and 64 digits in lower case", {
    hint: "copy it from the preview that --dry-run prints; nothing was sent",
  });
}

/**
 * Whether a person has to agree, for whom --yes does not stand. Throws a `Failure` "confirmation" where nobody can be
 * asked.
 */
export async function needsPerson(
  context: RunContext,
  input: ConfirmInput,
  settings: Pick<ServiceSettings, "confirm">,
  sending: Sending,
): Promise<boolean> {
  const mode = settings.confirm?.value ?? "never";
  const loud = perhapsNotifiedBy(sending.incidents);
  if (mode === "never" || (mode === "notify" && loud === "")) return false;
  if (canAsk(context, input.global)) return true;
  const what = loud === "" ? "this" : `this notifies the subscribers of ${loud}, and`;
  throw await unconfirmedFailure(context, input, await sending.preview(), `${what} ${needs(settings)}`);
}

function needs({ confirm }: Pick<ServiceSettings, "confirm">): string {
  return `needs the consent of a person (confirm: ${confirm?.value}, from ${confirm?.origin})`;
}

/** `subject` is what is sent, such as `Declare "Checkout fails"`. `isAnswered`: the person has agreed to the preview. */
export async function openConsent(
  context: RunContext,
  input: ConfirmInput,
  settings: ServiceSettings,
  sending: Sending,
  { isAnswered = false, subject }: { readonly subject: string; readonly isAnswered?: boolean },
): Promise<Consent> {
  const { global } = input;
  const isConfirmed = await checkDigest(context, input, sending);
  const asks = canAsk(context, global);
  let isSilent = false;
  const consent = async () => {
    const isNeeded = !isConfirmed && (await needsPerson(context, input, settings, sending));
    const isAsked = asks && !isAnswered && !isConfirmed && (isNeeded || !global.yes);
    if (isAsked && notifiedBy(sending.incidents) !== "")
      isSilent = (await askToNotify(context, settings, sending, subject)) === "silently";
    if (isSilent) throw declined(context);
    for (const line of describeNotified(sending.incidents, false)) context.info(line);
  };
  let given: Promise<void> | undefined;
  const beforeSend = () => {
    given ??= consent();
    return given;
  };
  const isRestrained = (settings.confirm?.value ?? "never") !== "never" && !isConfirmed && !asks;
  const confirmSimilar = async (similar: string) => {
    throw await unconfirmedFailure(
      context,
      input,
      await sending.preview(),
      `${similar}, which ${needs(settings)}`,
    );
  };
  return { beforeSend, wantsSilence: () => isSilent, ...(isRestrained && { confirmSimilar }) };
}

/** Whether --confirm has the digest of the preview. Throws a `Failure` "confirmation" where it has another. */
export async function checkDigest(
  context: RunContext,
  input: ConfirmInput,
  sending: Sending,
): Promise<boolean> {
  const { confirm } = input.flags;
  if (confirm === undefined) return false;
  const preview = await sending.preview();
  if (digestOf(preview.proposal) === confirm) return true;
  const problem = `what would be sent is not what was confirmed: a request differs, or the journal (${preview.proposal.journal})`;
  throw await unconfirmedFailure(context, input, preview, problem);
}

/** Where a request goes, for a question: the host and the account. */
export function describeTarget({ account, baseUrl }: Pick<ServiceSettings, "account" | "baseUrl">): string {
  const { host } = new URL(baseUrl.value);
  return `at ${host}, ${account.value === undefined ? "without an account" : `account ${account.value}`}`;
}

async function askToNotify(
  context: RunContext,
  settings: ServiceSettings,
  { incidents }: Sending,
  subject: string,
): Promise<"yes" | "silently"> {
  const question = `${subject} ${describeTarget(settings)}, and notify the subscribers of ${notifiedBy(incidents)}?`;
  const [verb = ""] = subject.toLowerCase().split(" ");
  const choices = `y: yes, s: silently (${verb} without notifying), n: stop [y/s/N]`;
  const [asked, offered] = [await wrapQuestion(context, question), await wrapQuestion(context, choices)];
  const answer = (await context.prompts.ask(safe`${asked}\n${offered} `)) ?? "";
  if (/^s(ilently)?$/i.test(answer.trim())) return "silently";
  if (isYes(answer)) return "yes";
  throw declined(context);
}

/** Shows the preview, and gives the failure that asks a program to show it to a person. */
async function unconfirmedFailure(
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
