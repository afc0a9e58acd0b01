// The answer to an input for which a template declares nothing, such as an alert that is over.
import { connect } from "../../api/connect.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { noPage } from "../../kit/report.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import { inWebApplication } from "../../text/advice.ts";
import type { CreateInput } from "./check-input.ts";

/** The `when` of the template does not match: a warning names the incident of the key that is open, or may be. */
export async function reportNotApplicable(
  context: RunContext,
  input: CreateInput,
  { because, ...found }: NotApplicable,
) {
  context.info(`nothing to declare: ${because}`);
  const dedupKey = input.flags.dedupKey ?? found.dedupKey;
  // Nothing was to be sent, so that a service that cannot be read is no failure.
  if (dedupKey !== undefined && !input.flags.dryRun)
    await bestEffort(context, () => warnOfOpenIncident(context, input, dedupKey));
  return { data: { how: "not-applicable", because }, ids: [], page: noPage, markdown: noPage, curl: noPage };
}

async function warnOfOpenIncident(context: RunContext, { flags, global }: CreateInput, dedupKey: string) {
  const { findUnclosed } = await import("../../delivery/batch/dedup-key.ts");
  const { incidentFacts } = await import("../../incident/wire.ts");
  const { incidentLink } = await import("../../workspace/web-url.ts");
  const connection = await connect(context, global);
  const { delivery } = await openDelivery(context, connection, { ...global, noJournal: flags.noJournal });
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
