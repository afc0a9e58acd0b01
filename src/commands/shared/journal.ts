// The journal for a command that reads it or settles in it, without a connection to the service.
import { Failure, ignoreFailure } from "../../failure.ts";
import { incidentIdOf, type OperationLog, type ServiceKey, serviceKeyOf } from "../../journal/events.ts";
import type { Journal } from "../../journal/journal.ts";
import { findById } from "../../journal/model.ts";
import { openJournal as openFrom } from "../../journal/open-journal.ts";
import type { RunContext } from "../../kit/command.ts";
import { checkEndpoint } from "../../workspace/resolve.ts";

export async function openJournal(context: RunContext): Promise<Journal> {
  return openFrom(context, await context.workspace.journal());
}

/** The service of the settings; undefined for settings that cannot be used, with which nothing was sent. */
async function ownService({ system, workspace }: RunContext): Promise<ServiceKey | undefined> {
  const { accountId, baseUrl } = await workspace.settings();
  if (accountId === undefined || baseUrl === undefined) return undefined;
  try {
    return serviceKeyOf(checkEndpoint({ account: accountId, baseUrl }, system.env));
  } catch (error) {
    return ignoreFailure(error);
  }
}

/** Equal for the same service and account. */
export function describeService({ account = "none", baseUrl }: ServiceKey): string {
  return `${baseUrl} (account ${account})`;
}

/** The id of an incident at the service of the settings, where the journal can be read and knows another one than `id`. */
export async function readOwnId(context: RunContext, id: string): Promise<string> {
  const service = await ownService(context);
  const journal = service && (await openJournal(context).catch(ignoreFailure));
  const log = service && (await journal?.read({ ...service, id }).catch(ignoreFailure));
  return log === undefined ? id : incidentIdOf(log);
}

/** Finds an operation by the id that was sent, or by the id of the service. */
export async function findOperation(context: RunContext, operand: string) {
  const journal = await openJournal(context);
  const service = await ownService(context);
  const { broken, models } = await context.withSpinner(
    () => "reading the journal",
    () => journal.models(),
  );
  const here = service && describeService(service);
  const isOwn = ({ key }: OperationLog) => describeService(key) === here;
  /** The order: the service of the settings, an unknown outcome, a create before a change, an operation that exists. */
  const rank = (log: OperationLog) =>
    8 * Number(isOwn(log)) +
    4 * Number(log.uncertain !== undefined) +
    2 * Number(log.change === undefined) +
    Number(log.created !== undefined);
  const found = models
    .flatMap((model) => findById(model, operand))
    .sort((one, other) => rank(other) - rank(one));
  const [log] = found;
  const open = found.filter(({ uncertain }) => uncertain !== undefined);
  if (log !== undefined && !isOwn(log) && open.length > 1) {
    const places = open.map(({ key }) => describeService(key)).join(", ");
    throw new Failure("usage", `${operand} is open at several services: ${places}`, {
      hint: "run it with the settings of one of them, such as with --profile",
    });
  }
  if (log !== undefined) return { journal, log };
  // It may be the entry that cannot be read.
  const [unreadable] = broken;
  if (unreadable !== undefined) throw unreadable;
  throw new Failure("missing", `no create with the id ${operand} was sent from here`, {
    hint: "see incident journal list; other machines, users and state directories have their own journals",
  });
}
