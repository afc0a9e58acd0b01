// `incident create`: checks every file, then declares each incident in order, exactly once.
import type { Client } from "../../api/client.ts";
import { type Connection, connect } from "../../api/connect.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, type Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { warnOfForgetting, writeCiOutputs } from "../sending/ci.ts";
import { type Consent, openConsent } from "../sending/consent.ts";
import { planCreates } from "../sending/plan.ts";
import { withBaseUrlSuspect } from "../shared/base-url.ts";
import { warnOfOtherPolicies } from "../shared/checks.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import { canPrompt } from "../shared/questions.ts";
import type { Followed } from "./alert.ts";
import { type CheckedInput, type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import type { spec } from "./spec.ts";

export { spec } from "./spec.ts";

export const run: Run<typeof spec> = async (context, input) => {
  const { flags } = input;
  const checked = await checkInput(context, input);
  const open = () => connect(context, { ...input.global, readsDocument: true });
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
  const consent = await askConsent(context, connection, definitions, exact, asked !== undefined);
  const creating = { context, input: exact, connection, definitions, isStartRelative };
  return declareAll(creating, consent, asked?.discardDraft);
};

async function read(context: RunContext, { flags, global }: CreateInput, { fields, files }: CheckedInput) {
  const asksValues = flags.template !== undefined && canPrompt(context, global);
  const { createAskValue } = asksValues ? await import("../sending/questions.ts") : {};
  return readDefinitions(context, files, {
    ...flags,
    recurse: flags.recursive ?? false,
    fields,
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
    ask: createAskValue?.(context, global),
  });
}

function askConsent(
  context: RunContext,
  { client: { settings } }: Connection,
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

interface Creating {
  readonly context: RunContext;
  readonly input: CreateInput;
  readonly connection: Connection;
  readonly definitions: readonly LocatedDefinition[];
  readonly isStartRelative: boolean;
}

async function declareAll(
  creating: Creating,
  consent: Consent,
  discardDraft: (() => void) | undefined,
): Promise<Report<"incidents">> {
  const { connection, context, definitions, input } = creating;
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
    isStartRelative: creating.isStartRelative,
  };
  const declared = await declare(options, plain, dedupKey);
  if (declared.incidents.length > 0) discardDraft?.();
  let result: Followed = declared;
  if (declared.outcome === "open" && dedupKey !== undefined) {
    const { followAlert } = await import("./alert.ts");
    const [alert] = definitions as readonly [LocatedDefinition];
    result = await followAlert({ context, input, connection, delivery }, alert, declared, dedupKey);
  }
  await declared.noteStarts?.();
  if (dedupKey !== undefined && !canBeFound(delivery.clientIds()))
    warnOfForgetting(context, connection.journal, "the next one declares this incident again");
  const failed = definitions[result.incidents.length];
  const failure = result.failure && (await explain(creating, result.failure, failed));
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

/** With the base URL that it may come from, or the fields of the definition that the service refused. */
async function explain(
  { connection, context }: Creating,
  failure: Failure,
  failed: LocatedDefinition | undefined,
): Promise<Failure> {
  const suspect = await withBaseUrlSuspect(context, failure, connection);
  if (suspect.details.response === undefined) return suspect;
  const { withRefusedFields } = await import("../sending/refusals.ts");
  return withRefusedFields(suspect, failed?.locate);
}

/** From what is at hand: a create waits for no document. */
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
