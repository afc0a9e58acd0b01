// The one way to send: a plan is previewed, a person consents to it, it is delivered and reported. A dry run ends with the
// preview, and every command that sends differs in its plan alone.
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Page } from "../../kit/report.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { askYes, canAsk } from "../shared/questions.ts";
import { describeNotified, notifiedBy, type PlannedIncident, perhapsNotifiedBy } from "./plan.ts";
import type { Preview, SendInput } from "./preview.ts";

type Settings = Pick<ServiceSettings, "account" | "baseUrl" | "confirm">;

/** The plan of a run. */
export interface Sending {
  readonly input: SendInput;
  readonly settings: Settings;
  readonly incidents: readonly PlannedIncident[];
  /** Made where it is shown or confirmed. */
  readonly preview: () => Promise<Preview>;
  /** For the question: a verb and its object, such as `Declare "Checkout fails"`. */
  readonly subject: string;
  /** Shown before the question. Without it, a person at a terminal is asked only about a notification. */
  readonly page?: Page | undefined;
  /** Left out, --dry-run decides. */
  readonly isDryRun?: boolean | undefined;
}

export interface Consent {
  /** Whether --confirm has the digest of the preview. */
  readonly isConfirmed: boolean;
  /** Asks the person, once. Throws a `Failure` without a consent. */
  readonly agree: () => Promise<void>;
  /** Call it before each request is sent: it gets the consent, and tells once whom the requests notify. */
  readonly beforeSend: () => Promise<void>;
  /** For a create like an open incident: asks the person. The `Failure` says why it is not sent. */
  readonly confirmSimilar?: (similar: string) => Promise<Failure | undefined>;
}

/** `show` reports a dry run, and `deliver` sends with the consent, and reports it. */
export async function send<R, D>(
  context: RunContext,
  sending: Sending,
  show: (preview: Preview) => Promise<D>,
  deliver: (consent: Consent) => Promise<R>,
): Promise<R | D> {
  const { input, isDryRun = input.flags.dryRun, preview } = sending;
  if (!isDryRun) return deliver(await openConsent(context, sending));
  context.info("nothing was sent");
  return show(await preview());
}

/** Throws a `Failure` "usage" for a value that is no digest. */
export function checkConfirmFlag({ confirm }: SendInput["flags"]): void {
  if (confirm === undefined || /^sha256:[0-9a-f]{64}$/.test(confirm)) return;
  throw new Failure("usage", "--confirm needs a digest: sha256: and 64 digits in lower case", {
    hint: "copy it from the preview that --dry-run prints; nothing was sent",
  });
}

async function openConsent(context: RunContext, sending: Sending): Promise<Consent> {
  const { incidents, input, settings } = sending;
  const isConfirmed = await checkConfirmed(context, sending);
  const agree = once(() => (isConfirmed ? Promise.resolve() : askToAgree(context, sending)));
  const beforeSend = once(async () => {
    await agree();
    for (const line of describeNotified(incidents, false)) context.info(line);
  });
  const asks = canAsk(context, input.global);
  const isRestrained = (settings.confirm?.value ?? "never") !== "never" && !isConfirmed;
  if (asks ? input.global.yes : !isRestrained) return { isConfirmed, agree, beforeSend };
  const confirmSimilar = async (similar: string) => {
    if (!asks) return refusal(context, sending, `${similar}, which ${needs(settings)}`);
    context.warn(similar);
    return askYes(context, "Declare another incident?", "nothing was sent");
  };
  return { isConfirmed, agree, beforeSend, confirmSimilar };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** Throws a `Failure` "confirmation" where --confirm has another digest. */
async function checkConfirmed(context: RunContext, { incidents, input, preview }: Sending): Promise<boolean> {
  const { confirm } = input.flags;
  if (confirm === undefined || incidents.length === 0) return false;
  const shown = await preview();
  if (shown.digest === confirm) return true;
  const { unconfirmedFailure } = await import("./preview.ts");
  const problem = "what would be sent is not what was confirmed";
  throw await unconfirmedFailure(context, input, shown, problem);
}

async function askToAgree(context: RunContext, sending: Sending): Promise<void> {
  const { incidents, input, page, settings, subject } = sending;
  const isNeeded = await needsPerson(context, sending);
  const loud = notifiedBy(incidents);
  const isWanted = !input.global.yes && (page !== undefined || loud !== "");
  if (!canAsk(context, input.global) || !(isNeeded || isWanted)) return;
  if (page !== undefined) await context.show(page);
  const notified = loud === "" ? "" : `, and notify the subscribers of ${loud}`;
  const way = page !== undefined || loud === "" ? "" : "; --no-notify sends it without telling subscribers";
  const question = `${subject} ${describeTarget(settings)}${notified}?`;
  const refused = await askYes(context, question, `nothing was sent${way}`);
  if (refused !== undefined) throw refused;
}

/** Whether a person has to agree, for whom --yes does not stand. Throws a `Failure` where no person can be asked. */
async function needsPerson(context: RunContext, sending: Sending): Promise<boolean> {
  const { incidents, input, settings } = sending;
  const mode = settings.confirm?.value ?? "never";
  const loud = perhapsNotifiedBy(incidents);
  if (mode === "never" || (mode === "notify" && loud === "")) return false;
  if (canAsk(context, input.global)) return true;
  const notifies = notifiedBy(incidents) === "" ? "may notify" : "notifies";
  const what = loud === "" ? "this" : `this ${notifies} the subscribers of ${loud}, and`;
  throw await refusal(context, sending, `${what} ${needs(settings)}`);
}

function needs({ confirm }: Settings): string {
  return `needs the consent of a person (confirm: ${confirm?.value}, from ${confirm?.origin})`;
}

async function refusal(context: RunContext, { input, preview }: Sending, message: string): Promise<Failure> {
  const { unconfirmedFailure } = await import("./preview.ts");
  return unconfirmedFailure(context, input, await preview(), message);
}

/** Where a request goes, for a question: the host and the account. */
export function describeTarget({ account, baseUrl }: Pick<Settings, "account" | "baseUrl">): string {
  const { host } = new URL(baseUrl.value);
  return `at ${host}, ${account.value === undefined ? "without an account" : `account ${account.value}`}`;
}
