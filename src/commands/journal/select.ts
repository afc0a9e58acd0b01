// Which operations `incident journal list` shows: by service, severity, account, profile and time.
import { Failure } from "../../failure.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { FlagsOf, RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { matters, readFilter, readSince } from "../shared/incident-filter.ts";
import { serviceKeys } from "../shared/journal/open-journal.ts";
import type { listSpec } from "./spec.ts";

export type Selection = (logs: readonly OperationLog[]) => readonly OperationLog[];

/** Undefined where no flag restricts the list. Throws a `Failure` "usage" for a value that is none. */
export async function readSelection(
  context: RunContext,
  { service, severity, since }: FlagsOf<typeof listSpec>,
  global: GlobalFlags,
): Promise<Selection | undefined> {
  const restrictions = [service, severity, since, global.account, global.profile];
  if (restrictions.every((each) => each === undefined)) return undefined;
  const given = { ...(service && { service }), ...(severity && { severity }) };
  const filter = await readFilter(context, given, async (name) => {
    const { findSentServices } = await import("../../journal/sent-creates.ts");
    const ids: string[] = [];
    for await (const { id } of findSentServices(context, context.workspace.stateDirectory.value, name))
      ids.push(id);
    return ids;
  });
  const start = readSince(context, since) ?? Number.NEGATIVE_INFINITY;
  const isOfService = await readServiceFilter(context, global);
  return (logs) => {
    const creates = new Map(
      logs.flatMap((log) => (log.change ? [] : [[log.created?.serviceId ?? log.key.id, log]])),
    );
    return logs.filter((log) => {
      const { services = [], severity } = (log.change && creates.get(log.change.incidentId)) ?? log;
      const incident = { id: log.key.id, severity, services: services.map((id) => ({ id })) };
      return (
        isOfService(log) && Date.parse(log.events.at(-1)?.at ?? "") >= start && matters(incident, filter)
      );
    });
  };
}

/** `--profile` names a service and an account, and `--account` an account of any service. */
async function readServiceFilter(
  context: RunContext,
  { account, profile }: GlobalFlags,
): Promise<(log: OperationLog) => boolean> {
  if (profile === undefined)
    return ({ key }) => account === undefined || (key.account ?? "none") === account.toLowerCase();
  const settings = await context.workspace.settings();
  const target = { baseUrl: settings.baseUrl.setting, account: settings.account.setting };
  const [own] = serviceKeys(context, target);
  if (own !== undefined) return ({ key }) => key.baseUrl === own.baseUrl && key.account === own.account;
  throw new Failure("usage", `profile "${profile}" names no service and account`, {
    hint: "incident config show has its settings; without --profile, all services are listed",
  });
}
