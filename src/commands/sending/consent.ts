// The consent of a person to what a run would send: the digest of --confirm, the question at a terminal, --yes.
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { askYes, canAsk, declined } from "../shared/questions.ts";
import { describeNotified, notifiedBy, type PlannedIncident, perhapsNotifiedBy } from "./plan.ts";
import type { ConfirmInput, Preview } from "./preview.ts";

/** What is sent, and its preview, which is made where a person has to see it. */
export interface Sending {
  readonly incidents: readonly PlannedIncident[];
  readonly preview: () => Promise<Preview>;
}

export interface Consent {
  /** Call it before each request is sent: it asks once, and tells whom the requests notify. Throws a `Failure`. */
  readonly beforeSend: () => Promise<void>;
  /** For a create like an open incident: asks the person, and throws a `Failure` where nobody can be asked. */
  readonly confirmSimilar?: (similar: string) => Promise<boolean>;
}

/** Throws a `Failure` "usage" for a value that is no digest. */
export function checkConfirmFlag({ confirm }: ConfirmInput["flags"]): void {
  if (confirm === undefined || /^sha256:[0-9a-f]{64}$/.test(confirm)) return;
  throw new Failure("usage", "--confirm needs a digest: sha256: and 64 digits in lower case", {
    hint: "copy it from the preview that --dry-run prints; nothing was sent",
  });
}

async function refusal(
  context: RunContext,
  input: ConfirmInput,
  { preview }: Sending,
  message: string,
): Promise<Failure> {
  return (await import("./preview.ts")).unconfirmedFailure(context, input, await preview(), message);
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
  throw await refusal(context, input, sending, `${what} ${needs(settings)}`);
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
  { isAnswered, subject }: { readonly subject: string; readonly isAnswered: boolean },
): Promise<Consent> {
  const { flags, global } = input;
  const { incidents, preview } = sending;
  const confirmed =
    flags.confirm !== undefined &&
    (await (await import("./preview.ts")).isConfirmed(context, input, await preview()));
  const asks = canAsk(context, global);
  const consent = async () => {
    const isNeeded = !confirmed && (await needsPerson(context, input, settings, sending));
    const loud = notifiedBy(incidents);
    const question = `${subject} ${describeTarget(settings)}, and notify the subscribers of ${loud}? [y/N]`;
    const isAsked = asks && !isAnswered && !confirmed && (isNeeded || !global.yes) && loud !== "";
    if (isAsked && !(await askYes(context, question)))
      throw declined(context, "nothing was sent; --no-notify sends it without telling subscribers");
    for (const line of describeNotified(incidents, false)) context.info(line);
  };
  let given: Promise<void> | undefined;
  const beforeSend = () => {
    given ??= consent();
    return given;
  };
  const isRestrained = (settings.confirm?.value ?? "never") !== "never" && !confirmed;
  if (asks ? global.yes : !isRestrained) return { beforeSend };
  const confirmSimilar = async (similar: string) => {
    if (!asks) throw await refusal(context, input, sending, `${similar}, which ${needs(settings)}`);
    context.warn(similar);
    return askYes(context, "Declare another incident? [y/N]");
  };
  return { beforeSend, confirmSimilar };
}

/** Where a request goes, for a question: the host and the account. */
export function describeTarget({ account, baseUrl }: Pick<ServiceSettings, "account" | "baseUrl">): string {
  const { host } = new URL(baseUrl.value);
  return `at ${host}, ${account.value === undefined ? "without an account" : `account ${account.value}`}`;
}
