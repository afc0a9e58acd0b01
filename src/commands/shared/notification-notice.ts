// A notification is never an accident: before the first create is sent, one line says who is told and of what,
// and a person at a terminal is asked.
import type { Definition } from "../../incident/definition.ts";
import type { GlobalFlags, RunContext } from "../define-command.ts";
import { canAsk, confirm } from "./confirm.ts";

/**
 * To be called before each create; it speaks once, for all of `definitions`. Throws a `Failure` "interrupted" when
 * the person declines. `isAgreed`: the person has said so already.
 */
export function createNotificationNotice(
  context: RunContext,
  global: GlobalFlags,
  definitions: readonly Definition[],
  isAgreed: boolean,
): () => Promise<void> {
  const notifying = definitions.filter(notifies);
  let given: Promise<void> | undefined;
  const speak = async () => {
    if (notifying.length > 0 && !isAgreed && canAsk(context, global)) {
      await confirm(context, global, `Notify the subscribers of ${servicesOf(notifying)}?`);
    }
    context.info(describeNotice(definitions));
  };
  return () => {
    given ??= speak();
    return given;
  };
}

/** Whether subscribers are notified, and for which services. */
function describeNotice(definitions: readonly Definition[]): string {
  const notifying = definitions.filter(notifies);
  if (notifying.length === 0) return `not notifying subscribers (${servicesOf(definitions)})`;
  const which =
    definitions.length === 1 ? "" : `, for ${notifying.length} of ${definitions.length} incidents`;
  return `notifying subscribers of ${servicesOf(notifying)}${which}`;
}

export function notifies({ incidentUpdates }: Definition): boolean {
  return incidentUpdates.some(({ notifySubscribers }) => notifySubscribers);
}

/** Names, as a person lists them. */
export function servicesOf(definitions: readonly Pick<Definition, "services">[]): string {
  const names = new Set(definitions.flatMap(({ services }) => services.map(({ name }) => name)));
  return [...names].join(", ").replace(/, (?=[^,]*$)/, " and ");
}
