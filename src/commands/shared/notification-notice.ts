// Prevents accidental notifications: before the first create is sent, one line names the services whose
// subscribers are notified, and a person at a terminal must confirm.
import type { Definition } from "../../incident/definition.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { listOf } from "../../text/lengths.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { canAsk, declined, isYes, wrapQuestion } from "./confirm.ts";

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
  context: RunContext,
  global: GlobalFlags,
  definitions: readonly Told[],
  target: ServiceSettings | undefined,
  { title, verb, what = "" }: NoticeWords = { title: "Declare", verb: "declare" },
) {
  const notifyingDefinitions = definitions.filter(notifies);
  let notice: Promise<void> | undefined;
  let answer: Answer | undefined;
  const giveNotice = async () => {
    if (notifyingDefinitions.length > 0 && target !== undefined && !global.yes && canAsk(context, global))
      answer = await askToNotify(context, definitions, notifyingDefinitions, { target, title, verb });
    if (answer === "silently" || answer === "no") throw declined(context);
    context.info(what + describeNotice(definitions));
  };
  return {
    /** Call it before each create. Throws a `Failure` "interrupted" where the person does not agree to notify. */
    give: () => {
      notice ??= giveNotice();
      return notice;
    },
    /** Whether the person wants the incidents declared, and no subscriber notified. */
    wantsSilence: () => answer === "silently",
  };
}

/** The parts of a definition that a notice needs. */
interface Told {
  readonly name: string;
  readonly services: readonly { readonly name: string }[];
  readonly incidentUpdates: readonly { readonly notifySubscribers?: boolean | undefined }[];
}

interface NoticeWords {
  readonly title: string;
  /** The verb before the names of the services. */
  readonly verb: string;
  /** Before the notice, where it is not about everything that is sent. */
  readonly what?: string;
}

type Answer = "yes" | "silently" | "no";

async function askToNotify(
  context: RunContext,
  definitions: readonly Told[],
  notifying: readonly Told[],
  { target, title, verb }: NoticeWords & { readonly target: ServiceSettings },
): Promise<Answer> {
  const [only, ...others] = definitions;
  const which = others.length === 0 ? `"${only?.name}"` : `${definitions.length} incidents`;
  const question = `${title} ${which} ${describeTarget(target)}, and notify the subscribers of ${servicesOf(notifying)}?`;
  const choices = `y: yes, s: silently (${verb} without notifying), n: stop [y/s/N]`;
  const [asked, offered] = [await wrapQuestion(context, question), await wrapQuestion(context, choices)];
  const answer = await context.prompts.ask(safe`${asked}\n${offered} `);
  if (/^s(ilently)?$/i.test(answer?.trim() ?? "")) return "silently";
  return answer !== undefined && isYes(answer) ? "yes" : "no";
}

/** States whether subscribers are notified, and for which services. */
function describeNotice(definitions: readonly Told[]): string {
  const notifyingDefinitions = definitions.filter(notifies);
  if (notifyingDefinitions.length === 0) return `not notifying subscribers (${servicesOf(definitions)})`;
  const which =
    definitions.length === 1 ? "" : `, for ${notifyingDefinitions.length} of ${definitions.length} incidents`;
  return `notifying subscribers of ${servicesOf(notifyingDefinitions)}${which}`;
}

/** The services whose subscribers are notified; empty where nobody is. */
export function notifiedBy(definitions: readonly Told[]): string {
  return servicesOf(definitions.filter(notifies));
}

export function notifies({ incidentUpdates }: Pick<Told, "incidentUpdates">): boolean {
  return incidentUpdates.some(({ notifySubscribers }) => notifySubscribers === true);
}

/** The names of the services, as a list in a sentence. */
export function servicesOf(definitions: readonly Pick<Told, "services">[]): string {
  return listOf([...new Set(definitions.flatMap(({ services }) => services.map(({ name }) => name)))]);
}
