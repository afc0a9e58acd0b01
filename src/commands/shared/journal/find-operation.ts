// Finds one operation of the journal for a command that a person gives an id.
import { Failure } from "../../../failure.ts";
import type { OperationLog, ServiceKey } from "../../../journal/events.ts";
import type { Journal } from "../../../journal/journal.ts";
import { withId } from "../../../journal/model.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { advise, argv } from "../../../text/advice.ts";
import { serviceKeys } from "./open-journal.ts";

/** Finds an operation by the id that was sent, or by the id of the service. */
export async function findOperation(
  context: RunContext,
  journal: Journal,
  [operand = ""]: readonly string[],
): Promise<OperationLog> {
  const services = await readKnownServices(context);
  const { broken, models } = await context.withSpinner(
    () => "reading the journal",
    () => journal.models(),
  );
  /** A create before a change of its incident, and those of the settings before others. */
  const rank = ({ change, key }: OperationLog) =>
    2 * Number(change === undefined) + Number(services.some((each) => isOf(key, each)));
  const found = models
    .flatMap((model) => withId(model, operand))
    .sort((one, other) => rank(other) - rank(one));
  // Where an id was sent to several services, prefer the operation with an unknown outcome.
  const open = found.filter(({ uncertain }) => uncertain !== undefined);
  if (open.length > 1) {
    const services = open.map(({ key }) => `${key.baseUrl} (account ${key.account ?? "none"})`).join(", ");
    throw new Failure("usage", `${operand} is open at several services: ${services}`, {
      hint: "incident create with the same definition, and the settings of one of them, settles that one",
    });
  }
  const [log] = [...open, ...found];
  if (log !== undefined) return log;
  // It may be the entry that cannot be read.
  const [unreadable] = broken;
  if (unreadable !== undefined) throw unreadable.failure;
  throw new Failure("missing", `no create with the id ${operand} was sent from here`, {
    hint: advise`see ${argv`incident journal list`}; other machines, users and state directories have their own journals`,
  });
}

function isOf({ account, baseUrl }: ServiceKey, service: ServiceKey): boolean {
  return baseUrl === service.baseUrl && account === service.account;
}

/** The services that the settings and the profiles name, to look for a create there first. */
async function readKnownServices(context: RunContext): Promise<readonly ServiceKey[]> {
  const { accountId: account, baseUrl } = await context.workspace.settings();
  const profiles = [...((await context.workspace.profiles())?.profiles.values() ?? [])];
  const named = profiles.map((profile) => ({ baseUrl: profile.baseUrl, account: profile.accountId }));
  return [{ baseUrl: baseUrl.setting, account: account.setting }, ...named].flatMap((each) =>
    serviceKeys(context, each),
  );
}
