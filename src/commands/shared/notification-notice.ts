// Prevents accidental notifications: before the first create is sent, one line names the services whose
// subscribers are notified, and a person at a terminal must confirm.
import type { Definition } from "../../incident/definition.ts";
import type { Reporter } from "../../platform/context.ts";
import type { GlobalFlags } from "../define-command.ts";
import { type ConfirmContext, canAsk, confirm } from "./confirm.ts";

/**
 * Call the result before each create; it gives one notice for all of `definitions`. Throws a `Failure`
 * "interrupted" when the person declines. `isConfirmed`: the person has already confirmed.
 */
export function createNotificationNotice(
  context: ConfirmContext & Pick<Reporter, "info">,
  global: GlobalFlags,
  definitions: readonly Definition[],
  isConfirmed: boolean,
): () => Promise<void> {
  const notifyingDefinitions = definitions.filter(notifies);
  let notice: Promise<void> | undefined;
  const giveNotice = async () => {
    if (notifyingDefinitions.length > 0 && !isConfirmed && canAsk(context, global)) {
      await confirm(context, global, `Notify the subscribers of ${servicesOf(notifyingDefinitions)}?`);
    }
    context.info(describeNotice(definitions));
  };
  return () => {
    notice ??= giveNotice();
    return notice;
  };
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
