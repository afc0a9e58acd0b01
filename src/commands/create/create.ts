// `incident create`: checks every file, then declares each incident in order, exactly once.
import type { Client } from "../../api/client.ts";
import { type Connection, connect } from "../../api/connect.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { clientIds } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { warnOfForgetting, writeCiOutputs } from "../sending/ci.ts";
import { createOverride, readFlags } from "../sending/fields.ts";
import { planCreates } from "../sending/plan.ts";
import { type Consent, type Sending, send } from "../sending/send.ts";
import { warnOfOtherPolicies } from "../shared/checks.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import { canPrompt } from "../shared/questions.ts";
import type { Followed } from "./alert.ts";
import { type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import type { CreatePlan } from "./preview.ts";
import type { spec } from "./spec.ts";

export { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, global } = input;
  const checked = checkInput(context, input);
  const open = () => connect(context, { ...global, readsDocument: true });
  // Check the settings before the first question.
  const early = checked.asks && !flags.dryRun ? await open() : undefined;
  const asked = checked.asks
    ? await (await import("./ask.ts")).askForDefinition(context, input, checked.fields, early?.client)
    : undefined;
  const { definitions, notApplicable } = asked ?? (await read(context, input, checked));
  if (notApplicable !== undefined) {
    const { reportNotApplicable } = await import("./alert.ts");
    return reportNotApplicable(context, input, notApplicable);
  }
  const dedupKey = flags.dedupKey ?? definitions[0]?.dedupKey;
  checkKeys({ ...flags, dedupKey }, definitions);
  await warnOfOtherPolicies(context, definitions);
  const { start } = checked;
  const exact = { ...flags, ...(dedupKey && { dedupKey }), ...(start && { startedAt: start.date }) };
  const connection = flags.dryRun ? undefined : (early ?? (await open()));
  const target =
    connection?.client.settings ?? (await (await import("../sending/preview.ts")).readKeylessTarget(context));
  const incidents = planCreates(target, definitions);
  const plan = {
    context,
    input: { ...input, flags: exact },
    definitions,
    target,
    isStartRelative: start?.isRelative ?? false,
  };
  const which = incidents.length === 1 ? `"${incidents[0]?.name}"` : `${incidents.length} incidents`;
  const sending: Sending = {
    input: plan.input,
    settings: target,
    incidents,
    preview: async () => (await import("./preview.ts")).previewCreate(plan),
    subject: `Declare ${which}`,
    // With --yes, the dialogue leaves the last question out.
    asks: asked === undefined || global.yes ? "loud" : "none",
  };
  return send(
    context,
    sending,
    async (preview) => (await import("./preview.ts")).showCreate(plan, preview, asked === undefined),
    (consent) => declareAll(plan, connection as Connection, consent, asked?.discardDraft),
  );
};

async function read(
  context: RunContext,
  { flags, global }: CreateInput,
  { fields, files }: ReturnType<typeof checkInput>,
) {
  const asksValues = flags.template !== undefined && canPrompt(context, global);
  const { createAskValue } = asksValues ? await import("../sending/dialogue.ts") : {};
  if (files.length === 0 && flags.template === undefined)
    return { definitions: [await readFlags(context, flags, fields)] };
  return readDefinitions(context, files, {
    ...flags,
    recurse: flags.recursive ?? false,
    override: (catalog) => createOverride(context, fields, catalog),
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
    ask: createAskValue?.(context, global),
  });
}

async function declareAll(
  { context, definitions, input, isStartRelative }: CreatePlan,
  connection: Connection,
  consent: Consent,
  discardDraft: (() => void) | undefined,
): Promise<Report<"incidents">> {
  const { flags, global } = input;
  const { dedupKey } = flags;
  const { delivery, state } = await openDelivery(context, connection, { ...global, ...flags });
  const plain = definitions.map(({ definition }) => definition);
  const options: BatchOptions = {
    ...delivery,
    ...consent,
    ...(await readUpdateOptions(context, connection.client, plain)),
    alertStarts: definitions[0]?.alertStarts,
    confirmed: flags.confirm,
    key: flags.key,
    isNew: flags.new ?? false,
    isStartRelative,
  };
  const declared = await declare(options, plain, dedupKey);
  if (declared.incidents.length > 0) discardDraft?.();
  let result: Followed = declared;
  if (declared.outcome === "open" && dedupKey !== undefined) {
    const { followAlert } = await import("./alert.ts");
    const [alert] = definitions as readonly [LocatedDefinition];
    result = await followAlert({ context, connection, delivery, dedupKey }, alert, declared);
  }
  await declared.noteStarts?.();
  if (dedupKey !== undefined && !canBeFound(clientIds(delivery)))
    warnOfForgetting(context, connection.journal, "the next one declares this incident again");
  const failure =
    result.failure &&
    (await (await import("../shared/doubts.ts")).withBaseUrlSuspect(context, result.failure, connection));
  const withHow = (incident: Incident, index: number): Incident =>
    result.outcome || result.how[index] === "open"
      ? { how: result.outcome ?? "open", ...incident }
      : incident;
  const { webUrl } = connection.client.settings;
  return {
    ...incidentsReport(result.incidents.map(withHow), webUrl, failure),
    onPrinted: () =>
      bestEffort(context, async () => {
        const ids = result.incidents.map(({ id }) => id);
        const created = ids.filter((_, at) => result.how[at] === "declared");
        await writeCiOutputs(context, { ids, created });
        await state.tidy();
      }),
  };
}

async function declare(
  options: BatchOptions,
  definitions: readonly Definition[],
  dedupKey: string | undefined,
): Promise<DedupResult> {
  if (dedupKey === undefined) return createAll(options, definitions);
  const { createUnlessOpen } = await import("../../delivery/batch/dedup-key.ts");
  // An open incident of the key is the answer, so that a similar one needs no question.
  return createUnlessOpen({ ...options, isNew: true }, definitions[0] as Definition, dedupKey);
}

/** As the saved contract or the cache has it: a create waits for no document. */
async function readUpdateOptions(
  context: RunContext,
  { settings }: Client,
  definitions: readonly Definition[],
): Promise<Pick<BatchOptions, "operations" | "splits">> {
  if (definitions.every(({ incidentUpdates }) => incidentUpdates.length === 1)) return {};
  const { operationsAtHand } = await import("../../api/known-operations.ts");
  const { unknownOperations } = await import("../../delivery/incident-failures.ts");
  const operations = await operationsAtHand(context, settings);
  return {
    operations: async () => (operations === undefined ? unknownOperations() : { isKnown: true, operations }),
    splits: operations?.addUpdate !== undefined,
  };
}
