// `incident create`: checks every file, then declares each incident in order, exactly once.
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, type Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import type { PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { argv, commandText, inWebApplication } from "../../text/advice.ts";
import { withBaseUrlSuspect } from "../shared/base-url/suspect-base-url.ts";
import { warnOfOtherPolicies } from "../shared/checks.ts";
import { type Consent, openConsent } from "../shared/consent.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { warnOfForgottenKey } from "../shared/journal/own-journal.ts";
import { planCreates } from "../shared/planned.ts";
import { askYes, canAsk, canPrompt } from "../shared/questions.ts";
import type { AlertRun, Followed } from "./alert.ts";
import { type CheckedInput, type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import type { spec } from "./spec.ts";

export { spec } from "./spec.ts";

/** All that is needed to declare definitions. */
interface CreateRun extends AlertRun {
  readonly options: BatchOptions;
  readonly dedupKey: string | undefined;
}

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, global } = input;
  const checked = await checkInput(context, input);
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
  const { start } = checked;
  const exact = {
    ...input,
    flags: { ...flags, ...(dedupKey && { dedupKey }), ...(start && { startedAt: start.date }) },
  };
  const isStartRelative = start?.isRelative ?? false;
  await warnOfOtherPolicies(context, definitions);
  if (flags.dryRun) {
    const { dryRunReport } = await import("./preview.ts");
    const isRepeatable = asked === undefined;
    return dryRunReport(context, definitions, exact, { isRepeatable, isStartRelative });
  }
  const connection = early ?? (await open());
  const consent = await askConsent(context, connection.client, definitions, exact, asked !== undefined);
  const { delivery, state } = await openDelivery(context, connection, { ...global, ...flags, dedupKey });
  const plain = definitions.map(({ definition }) => definition);
  const options: BatchOptions = {
    ...delivery,
    ...questionsOf(context, exact),
    ...(await readUpdateOptions(context, connection.client, plain)),
    alertStarts: definitions[0]?.alertStarts,
    confirmed: flags.confirm,
    claims: state.claims,
    key: flags.key,
    isNew: flags.new ?? false,
    isStartRelative,
  };
  const creating: CreateRun = { context, input: exact, connection, delivery, options, dedupKey };
  const declared = await declare({ ...options, ...consent }, plain, dedupKey);
  if (declared.incidents.length > 0) asked?.discardDraft();
  const result =
    declared.outcome === "open" && dedupKey !== undefined
      ? await (await import("./alert.ts")).followAlert(
          creating,
          definitions[0] as LocatedDefinition,
          declared,
          dedupKey,
        )
      : declared;
  await declared.noteStarts?.();
  if (dedupKey !== undefined) warnOfForgottenKey(context, delivery, connection.journal);
  const failed = definitions[result.incidents.length];
  const failure = result.failure && (await explain(creating, result.failure, failed));
  const report = reportOf(creating, { ...result, failure });
  return { ...report, onPrinted: () => bestEffort(context, () => finish(creating, result, state)) };
};

async function read(context: RunContext, { flags, global }: CreateInput, { fields, files }: CheckedInput) {
  const asksValues = flags.template !== undefined && canPrompt(context, global);
  const { createAskValue } = asksValues ? await import("./ask.ts") : {};
  return readDefinitions(context, files, {
    ...flags,
    recurse: flags.recursive ?? false,
    fields,
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
    ask: createAskValue?.(context, global),
  });
}

/** The question of a delivery, where a person can be asked. */
function questionsOf(context: RunContext, { global }: CreateInput): Partial<BatchOptions> {
  if (!canAsk(context, global) || global.yes) return {};
  return {
    confirmSimilar: (similar) => {
      context.warn(similar);
      return askYes(context, "Declare another incident? [y/N]");
    },
  };
}

function askConsent(
  context: RunContext,
  { settings }: Client,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
  isAnswered: boolean,
): Promise<Consent> {
  const incidents = planCreates(settings, definitions);
  const preview = async () => {
    const { previewCreate } = await import("./preview.ts");
    return previewCreate(context, settings, definitions, input);
  };
  const which = incidents.length === 1 ? `"${incidents[0]?.name}"` : `${incidents.length} incidents`;
  const asking = { subject: `Declare ${which}`, isAnswered };
  return openConsent(context, input, settings, { incidents, preview }, asking);
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

/** With the base URL that it may come from, or the fields of the definition that the service refused. */
async function explain(
  { connection, context }: CreateRun,
  failure: Failure,
  failed: LocatedDefinition | undefined,
): Promise<Failure> {
  const suspect = await withBaseUrlSuspect(context, failure, connection);
  if (suspect.details.response === undefined) return suspect;
  const { withRefusedFields } = await import("../shared/refusals.ts");
  return withRefusedFields(suspect, failed?.locate);
}

function reportOf(
  { connection }: CreateRun,
  { failure, how, incidents, outcome }: Followed,
): PlainReport<typeof spec> {
  const { webUrl } = connection.client.settings;
  const withOutcome = (incident: Incident, index: number): Incident =>
    outcome || how[index] === "open" ? { how: outcome ?? "open", ...incident } : incident;
  return incidentsReport(incidents.map(withOutcome), webUrl, failure);
}

/** Once stdout has the result. */
async function finish(
  { connection, context, input }: CreateRun,
  { how, incidents }: Followed,
  state: { readonly tidy: () => Promise<void> },
): Promise<void> {
  const { env } = context.system;
  const { client } = connection;
  if (env.GITHUB_OUTPUT || env.GITLAB_CI) {
    const { writeCiOutputs } = await import("../shared/ci.ts");
    const ids = incidents.map(({ id }) => id);
    await writeCiOutputs(context, { ids, created: ids.filter((_, at) => how[at] === "declared") });
  }
  const [incident] = incidents;
  if (incident !== undefined && client.settings.webUrl === undefined && canAsk(context, input.global))
    context.info(await describeNextUpdate(context, client, incident));
  await state.tidy();
}

/** Never a reason to wait for a document. */
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

/** Where a person posts the next update. Sends no request. */
async function describeNextUpdate(
  context: RunContext,
  { settings }: Client,
  { id }: Incident,
): Promise<string> {
  const { operationsAtHand } = await import("../../api/known-operations.ts");
  const { addUpdate } = (await operationsAtHand(context, settings)) ?? {};
  return addUpdate === undefined
    ? `post updates ${inWebApplication()}; incident login stores its address, for a link here`
    : `post its updates with ${commandText(argv`incident update ${id}`)}`;
}
