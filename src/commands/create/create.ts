// `incident create`: checks every file, then declares each incident in order, exactly once.
import { type Connection, connect } from "../../api/connect.ts";
import type { RequestTarget } from "../../api/request.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { clientIds } from "../../delivery/delivery-options.ts";
import { idForText } from "../../delivery/incident-id.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { warnOfForgetting, writeCiOutputs } from "../sending/ci.ts";
import { createOverride, readFlags } from "../sending/fields.ts";
import { type PlannedIncident, planCreates } from "../sending/plan.ts";
import type { Preview } from "../sending/preview.ts";
import { type Consent, type Sending, send } from "../sending/send.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import type { Followed } from "./alert.ts";
import { areNamed, type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import { spec } from "./spec.ts";

export { spec } from "./spec.ts";

/** The definitions of a run, and where they go. */
interface CreatePlan {
  /** With an instant in place of a time before now: the command line must mean the same later. */
  readonly input: CreateInput;
  readonly definitions: readonly LocatedDefinition[];
  readonly isStartRelative: boolean;
}

export const run: Run<typeof spec> = async (context, input) => {
  const checked = checkInput(context, input);
  if (!checked.asks) {
    const { definitions, notApplicable } = await read(context, input, checked);
    if (notApplicable === undefined) return sendCreates(context, input, checked, definitions);
    const { reportNotApplicable } = await import("./alert.ts");
    return reportNotApplicable(context, input, notApplicable);
  }
  // Check the settings before the first question.
  const connection = await open(context, input);
  const { askForDefinition } = await import("./ask.ts");
  const { definitions, draft } = await askForDefinition(context, input, checked.fields, connection.client);
  try {
    const report = await sendCreates(context, input, checked, definitions, connection);
    const { failure } = report;
    if (failure === undefined) draft.discard();
    const isUnsent = failure !== undefined && report.is === undefined && failure.kind !== "uncertain";
    return isUnsent ? { ...report, failure: draft.explain(failure) } : report;
  } catch (error) {
    throw error instanceof Failure ? draft.explain(error) : error;
  }
};

const open = (context: RunContext, { global }: CreateInput) =>
  connect(context, { ...global, readsDocument: true });

async function read(
  context: RunContext,
  { flags }: CreateInput,
  { fields, files }: ReturnType<typeof checkInput>,
) {
  if (files.length === 0 && flags.template === undefined)
    return { definitions: [await readFlags(context, flags, fields)] };
  return readDefinitions(context, files, {
    ...flags,
    recurse: flags.recursive ?? false,
    override: (catalog) => createOverride(context, fields, catalog),
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
  });
}

/** `asked`: the connection of a run that has asked a person. */
async function sendCreates(
  context: RunContext,
  given: CreateInput,
  { start }: ReturnType<typeof checkInput>,
  definitions: readonly LocatedDefinition[],
  asked?: Connection,
): Promise<Report<"incidents" | "requests">> {
  const dedupKey = given.flags.dedupKey ?? definitions[0]?.dedupKey;
  const flags = { ...given.flags, ...(dedupKey && { dedupKey }), ...(start && { startedAt: start.date }) };
  const input = { ...given, flags };
  checkKeys(flags, definitions);
  const connection = flags.dryRun ? undefined : (asked ?? (await open(context, input)));
  const target =
    connection?.client.settings ?? (await (await import("../sending/preview.ts")).readKeylessTarget(context));
  const incidents = planCreates(target, definitions);
  const [first] = incidents as readonly [PlannedIncident];
  const sending: Sending = {
    input,
    settings: target,
    incidents,
    preview: () => previewCreates(context, input, definitions, target),
    subject: `Declare ${incidents.length === 1 ? `"${first.name}"` : `${incidents.length} incidents`}`,
    page: asked && (await import("../sending/preview.ts")).pageForCustomers(undefined, first),
  };
  const plan = { input, definitions, isStartRelative: start?.isRelative ?? false };
  return send(
    context,
    sending,
    async (preview) => (await import("../sending/preview.ts")).reportDryRun(context, preview),
    (consent) => declareAll(context, plan, connection as Connection, consent),
  );
}

/**
 * One definition without a name gets a fresh `--key`: one confirmation is one incident, and the next outage with the same
 * words is another. Several cannot be confirmed.
 */
async function previewCreates(
  { system }: RunContext,
  input: CreateInput,
  definitions: readonly LocatedDefinition[],
  target: RequestTarget,
): Promise<Preview> {
  const { previewOf } = await import("../sending/preview.ts");
  const isNamed = areNamed(input.flags, definitions);
  const canBeNamed = isNamed || definitions.length === 1;
  const key = isNamed || !canBeNamed ? input.flags.key : system.random.guid();
  const { dedupKey, new: isNew = false } = input.flags;
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  return previewOf({
    spec,
    input: canBeNamed ? { ...input, flags: { ...input.flags, ...(key && { key }) } } : undefined,
    incidents: planCreates(target, definitions, key && idForText(service, key)),
    terms: { dedupKey, isNew },
  });
}

async function declareAll(
  context: RunContext,
  { definitions, input, isStartRelative }: CreatePlan,
  connection: Connection,
  consent: Consent,
): Promise<Report<"incidents">> {
  const { flags, global } = input;
  const { dedupKey } = flags;
  const { delivery, state } = await openDelivery(context, connection, { ...global, ...flags });
  const plain = definitions.map(({ definition }) => definition);
  const options: BatchOptions = {
    ...delivery,
    ...consent,
    alertStarts: definitions[0]?.alertStarts,
    confirmed: flags.confirm,
    key: flags.key,
    isNew: flags.new ?? false,
    isStartRelative,
  };
  const declared = await declare(options, plain, dedupKey);
  let result: Followed = declared;
  if (declared.outcome === "open" && dedupKey !== undefined) {
    const { followAlert } = await import("./alert.ts");
    const [alert] = definitions as readonly [LocatedDefinition];
    result = await followAlert({ context, input, connection, delivery, dedupKey }, alert, declared);
  }
  await declared.noteStarts?.();
  if (dedupKey !== undefined && !canBeFound(clientIds(delivery)))
    warnOfForgetting(context, connection.journal, "the next one declares this incident again");
  const { failure } = result;
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
        const created = result.how.filter((how) => how === "declared").length;
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
