// `incident create --template` where `when` of the template does not match: nothing is declared. If the incident of the
// dedup key is open, or may be, a warning names it, because the API cannot resolve it.
import { connect } from "../../api/connect.ts";
import { findUnclosed } from "../../delivery/batch/dedup-key.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort } from "../../failure.ts";
import { incidentFacts } from "../../incident/wire.ts";
import { NotApplicable } from "../../source/templates/alert-rule.ts";
import { inWebApplication } from "../../text/web-application.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import type { FlagsOf, GlobalFlags, Report, Run, RunContext } from "../define-command.ts";
import type { spec } from "./spec.ts";

type Input = Parameters<Run<typeof spec>>[1];

export async function declareWhereApplicable(
  context: RunContext,
  input: Input,
  declare: Run<typeof spec>,
): Promise<Report> {
  try {
    return await declare(context, input);
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
    const { flags, global } = input;
    const because = error.message;
    context.info(`nothing to declare: ${because}`);
    const dedupKey = flags.dedupKey ?? error.dedupKey;
    // Nothing was to be sent, so that a service that cannot be read is no failure.
    if (dedupKey !== undefined && !flags.dryRun)
      await bestEffort(context, () => warnOfOpenIncident(context, flags, global, dedupKey));
    return { data: { how: "not-applicable", because } };
  }
}

async function warnOfOpenIncident(
  context: RunContext,
  { noJournal }: FlagsOf<typeof spec>,
  global: GlobalFlags,
  dedupKey: string,
): Promise<void> {
  const connection = await connect(context, global);
  const { delivery } = await openDelivery(context, connection, { ...global, noJournal });
  const found = await findUnclosed(delivery, dedupKey);
  if (found === undefined) return;
  const id = found.open?.id ?? found.id;
  const place = inWebApplication(incidentLink(connection.client.settings.webUrl, id));
  context.warn(
    found.open
      ? `the incident of this alert is open: ${id}  ${incidentFacts(found.open).name ?? ""}; if the alert is over, post the update ${place}: the API cannot resolve it`
      : `the incident of this alert was sent as ${id}, and its outcome is not known: check whether it exists ${place}, then settle it with incident journal settle ${id}`,
  );
}
