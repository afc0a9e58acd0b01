// The consent of a person to the requests of a run: checks --confirm, and makes the failure that asks for it.
import { changesBetween, digestOf, digestPattern, type Proposal } from "../../../delivery/consent/digest.ts";
import { openPreviews } from "../../../delivery/consent/previews.ts";
import { Failure } from "../../../failure.ts";
import type { ConsentMode } from "../../../incident/values.ts";
import { commandText } from "../../../text/advice.ts";
import { stateDirectory } from "../../../workspace/locations.ts";
import type { Setting } from "../../../workspace/setting.ts";
import type { GlobalFlags, Input, Page, RunContext } from "../../define-command.ts";
import { notifies, servicesOf } from "../notification-notice.ts";

/** The requests of a run, as a person sees them. */
export interface Preview {
  readonly proposal: Proposal;
  /** The words of the command line that sends exactly this. */
  readonly command: readonly string[];
  /** The requests, or the plan: for -o json, and for a person. */
  readonly data: unknown;
  readonly page: Page;
}

/** Throws a `Failure` "usage" for a value that is no digest, and beside --dry-run. */
export function checkConfirmFlag({
  confirm,
  dryRun = false,
}: {
  readonly confirm?: string | undefined;
  readonly dryRun?: boolean | undefined;
}): void {
  if (confirm === undefined) return;
  if (dryRun) {
    throw new Failure("usage", "--confirm sends, and --dry-run does not", {
      hint: "leave one of the two out",
    });
  }
  if (digestPattern.test(confirm)) return;
  throw new Failure("usage", "--confirm needs a digest: sha256: and 64 digits in lower case", {
    hint: "copy it from the preview that --dry-run prints; nothing was sent",
  });
}

/** The reason why a person must confirm the proposal, or undefined where no confirmation is needed. */
export function reasonForConsent(
  setting: Setting<ConsentMode> | undefined,
  { bodies }: Proposal,
): string | undefined {
  const notifying = bodies.filter(notifies);
  const mode = setting?.value;
  if (mode === undefined || mode === "never" || (mode === "notify" && notifying.length === 0))
    return undefined;
  const what =
    notifying.length === 0 ? "this" : `this notifies the subscribers of ${servicesOf(notifying)}, and`;
  return `${what} ${needsConsent(setting)}`;
}

export function needsConsent(setting: Setting<ConsentMode> | undefined): string {
  return `needs the consent of a person (confirm: ${setting?.value}, from ${setting?.origin})`;
}

/** Prints the command that sends exactly the requests of the preview, on stderr. */
export function announceConfirmation(
  context: RunContext,
  { global }: Pick<Input, "global">,
  preview: Preview,
): void {
  previewsOf(context, global).keep(preview.proposal);
  context.info(`to send exactly this: ${commandText(preview.command)}`);
}

/** The notes of the previews that a person has seen, so that a later confirmation can name the difference. */
function previewsOf(context: Pick<RunContext, "files" | "system">, { stateDir }: GlobalFlags) {
  return openPreviews(context, stateDirectory(context.system, stateDir).value);
}

/** Throws a `Failure` "confirmation" unless `confirm` is the digest of the preview. */
export async function checkConsent(
  context: RunContext,
  input: Pick<Input, "format" | "global">,
  preview: Preview,
  confirm: string,
): Promise<void> {
  if (digestOf(preview.proposal) === confirm) return;
  const earlier = previewsOf(context, input.global).find(confirm);
  const changes = earlier === undefined ? [] : changesBetween(earlier, preview.proposal);
  const difference = changes.length === 0 ? "" : `: ${changes.join("; ")}`;
  const message = `what would be sent is not what was confirmed${difference}`;
  throw await askForConsent(context, input, preview, message);
}

/** Shows the preview, and gives the failure that asks a program to show it to a person. */
export async function askForConsent(
  context: RunContext,
  { format, global }: Pick<Input, "format" | "global">,
  { command, data, page, proposal }: Preview,
  message: string,
): Promise<Failure> {
  previewsOf(context, global).keep(proposal);
  if (format !== "json") await context.show(page);
  return new Failure("confirmation", message, {
    hint: "nothing was sent; show the preview to a person, and run this command once they agree",
    commands: [{ command, purpose: "send exactly this" }],
    unconfirmed: { confirm: digestOf(proposal), command, preview: data },
  });
}
