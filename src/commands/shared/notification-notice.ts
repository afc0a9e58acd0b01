// Prevents accidental notifications: before the first create is sent, one line names the services whose
// subscribers are notified, and a person at a terminal must confirm.
import { cancellation, Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Reporter } from "../../platform/context.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import type { GlobalFlags } from "../define-command.ts";
import { type ConfirmContext, canAsk, isYes, wrapQuestion } from "./confirm.ts";

export interface NotificationNotice {
  /** Call it before each create. Throws a `Failure` "interrupted" where the person does not agree to notify. */
  readonly give: () => Promise<void>;
  /** Whether the person wants the incidents declared, and no subscriber notified. */
  readonly wantsSilence: () => boolean;
}

/** Where a create goes, for a question: the host and the account. */
export function describeTarget({ account, baseUrl }: ServiceSettings): string {
  const { host } = new URL(baseUrl.value);
  return `at ${host}, ${account.value === undefined ? "without an account" : `account ${account.value}`}`;
}

/** The same definitions without notifications. */
export function withoutNotifications(definitions: readonly Definition[]): readonly Definition[] {
  return definitions.map((definition) => ({
    ...definition,
    incidentUpdates: definition.incidentUpdates.map((update) => ({ ...update, notifySubscribers: false })),
  }));
}

/** One notice for all of `definitions`. `target` is undefined where the person has confirmed. */
export function createNotificationNotice(
  context: ConfirmContext & Pick<Reporter, "info">,
  global: GlobalFlags,
  definitions: readonly Definition[],
  target: ServiceSettings | undefined,
): NotificationNotice {
  const notifyingDefinitions = definitions.filter(notifies);
  let notice: Promise<void> | undefined;
  let answer: Answer | undefined;
  const giveNotice = async () => {
    if (notifyingDefinitions.length > 0 && target !== undefined && !global.yes && canAsk(context, global))
      answer = await askToNotify(context, definitions, notifyingDefinitions, target);
    if (answer === "silently" || answer === "no") throw declined(context);
    context.info(describeNotice(definitions));
  };
  return {
    give: () => {
      notice ??= giveNotice();
      return notice;
    },
    wantsSilence: () => answer === "silently",
  };
}

type Answer = "yes" | "silently" | "no";

async function askToNotify(
  context: ConfirmContext,
  definitions: readonly Definition[],
  notifying: readonly Definition[],
  target: ServiceSettings,
): Promise<Answer> {
  const [only, ...others] = definitions;
  const which = others.length === 0 ? `"${only?.name}"` : `${definitions.length} incidents`;
  const question = `Declare ${which} ${describeTarget(target)}, and notify the subscribers of ${servicesOf(notifying)}?`;
  const choices = "y: yes, s: silently (declare without notifying), n: stop [y/s/N]";
  const [asked, offered] = [await wrapQuestion(context, question), await wrapQuestion(context, choices)];
  const answer = await context.prompts.ask(safe`${asked}\n${offered} `);
  if (/^s(ilently)?$/i.test(answer?.trim() ?? "")) return "silently";
  return answer !== undefined && isYes(answer) ? "yes" : "no";
}

function declined({ system }: Pick<ConfirmContext, "system">): Failure {
  const hint = "nothing was changed and nothing was sent";
  return system.signal.aborted
    ? cancellation(system.signal, hint)
    : new Failure("interrupted", "declined", { hint });
}

/** States whether subscribers are notified, and for which services. */
function describeNotice(definitions: readonly Definition[]): string {
  const notifyingDefinitions = definitions.filter(notifies);
  if (notifyingDefinitions.length === 0) return `not notifying subscribers (${servicesOf(definitions)})`;
  const which =
    definitions.length === 1 ? "" : `, for ${notifyingDefinitions.length} of ${definitions.length} incidents`;
  return `notifying subscribers of ${servicesOf(notifyingDefinitions)}${which}`;
}

export function notifies({ incidentUpdates }: Definition): boolean {
  return incidentUpdates.some(({ notifySubscribers }) => notifySubscribers);
}

/** The names of the services, as a list in a sentence. */
export function servicesOf(definitions: readonly Pick<Definition, "services">[]): string {
  const names = new Set(definitions.flatMap(({ services }) => services.map(({ name }) => name)));
  return [...names].join(", ").replace(/, (?=[^,]*$)/, " and ");
}
