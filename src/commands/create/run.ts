// `incident create`: checks every file, then declares each incident in order, exactly once.
import type { Client } from "../../api/client.ts";
import { type Connection, connect } from "../../api/connect.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, type Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import type { State } from "../../journal/open-state.ts";
import type { PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { withBaseUrlSuspect } from "../shared/base-url/suspect-base-url.ts";
import { canAsk, canPrompt, isYes, wrapQuestion } from "../shared/confirm.ts";
import type { Consent } from "../shared/consent/consent.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { invalidFailure } from "../shared/invalid-failure.ts";
import { warnOfForgottenKey } from "../shared/journal/own-journal.ts";
import { prepareChecks, warnOfOtherPolicies } from "../shared/load-options.ts";
import { createNotificationNotice, withoutNotifications } from "../shared/notification-notice.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { type CheckedInput, type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import type { spec } from "./spec.ts";
import { describeNextUpdate, readUpdateOptions } from "./update-options.ts";

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, global } = input;
  const checked = await checkInput(context, input);
  // Check the settings before the first question.
  const early =
    checked.asks && !flags.dryRun ? await connect(context, { ...global, readsDocument: true }) : undefined;
  const asked = checked.asks ? await ask(context, input, checked, early?.client) : undefined;
  const { definitions, notApplicable } = asked ?? (await read(context, input, checked));
  if (notApplicable !== undefined) {
    const { reportNotApplicable } = await import("./not-applicable.ts");
    return reportNotApplicable(context, input, notApplicable);
  }
  const dedupKey = flags.dedupKey ?? definitions[0]?.dedupKey;
  checkKeys({ ...flags, dedupKey }, definitions);
  const exact = withExactFlags(input, dedupKey, checked);
  const isStartRelative = checked.start?.isRelative ?? false;
  const { alertStarts } = definitions[0] ?? {};
  await warnOfOtherPolicies(context, definitions);
  if (flags.dryRun) {
    const { dryRunReport } = await import("./preview.ts");
    return dryRunReport(context, definitions, exact, { isRepeatable: asked === undefined, isStartRelative });
  }
  const connection = early ?? (await connect(context, { ...global, readsDocument: true }));
  const consent = await readConsent(context, connection.client, definitions, exact);
  const opened = await openDelivery(context, connection, { ...global, ...flags, dedupKey });
  const plain = definitions.map(({ definition }) => definition);
  const updates = await readUpdateOptions(context, connection.client, plain);
  const deliver = (all: readonly Definition[], isConfirmed: boolean) => {
    const asking = consent.isNeeded ? { ...global, yes: false } : global;
    const target = isConfirmed ? undefined : connection.client.settings;
    const notice = createNotificationNotice(context, asking, all, target);
    const options = { ...batchOptions(context, exact, opened, isStartRelative), ...updates, alertStarts };
    const created = declare({ ...options, beforeSend: notice.give, ...consent.refusals }, all, dedupKey);
    return created.then((result) => ({ ...result, wantsSilence: notice.wantsSilence() }));
  };
  const first = await deliver(plain, (asked ?? flags.confirm) !== undefined);
  // The question comes before the first create, so that nothing was sent.
  const delivered = first.wantsSilence ? await deliver(withoutNotifications(plain), true) : first;
  const result = await raise(context, connection, opened.delivery, definitions, delivered, dedupKey);
  if (result.incidents.length > 0) asked?.discardDraft();
  const again = await postAgain(context, input, connection, opened.delivery, definitions, result, dedupKey);
  await result.noteStarts?.();
  if (dedupKey !== undefined) warnOfForgottenKey(context, opened.delivery, connection.journal);
  if (again !== undefined) return again;
  const suspect = result.failure && (await withBaseUrlSuspect(context, result.failure, connection));
  const explained = suspect && (await withRefusal(suspect, definitions[result.incidents.length]));
  return reportOf(context, input, opened.state, connection, result, explained);
};

/** Where the alert of an open incident has become more severe, its severity is raised. */
async function raise(
  context: RunContext,
  connection: Connection,
  delivery: DeliveryOptions,
  [located]: readonly LocatedDefinition[],
  result: DedupResult,
  dedupKey: string | undefined,
): Promise<DedupResult> {
  const [incident] = result.incidents;
  if (result.outcome !== "open" || incident === undefined || result.failure !== undefined) return result;
  if (dedupKey === undefined || located?.alertStarts === undefined) return result;
  const { severity } = located.definition;
  const { raiseSeverity } = await import("./raise-severity.ts");
  const raised = await raiseSeverity(context, connection, delivery, { dedupKey, incident, severity });
  return { ...result, incidents: [raised?.incident ?? incident] };
}

/** Where a template left the last word to a person, and its alert fires again, its first text is posted again. */
async function postAgain(
  context: RunContext,
  input: CreateInput,
  connection: Connection,
  delivery: DeliveryOptions,
  [located]: readonly LocatedDefinition[],
  { incidents: [incident], isRepeated, outcome }: DedupResult,
  dedupKey: string | undefined,
) {
  const { definition, ending } = located ?? {};
  const first = definition?.incidentUpdates[0];
  if (outcome !== "open" || isRepeated || !ending || ending.status === "RESOLVED") return undefined;
  if (dedupKey === undefined || first === undefined || incident === undefined) return undefined;
  const { postFirstText } = await import("./not-applicable.ts");
  return postFirstText(context, input, connection, delivery, { dedupKey, ending, first, incident });
}

/** With an instant in place of a time before now, and the dedup key of a template. */
function withExactFlags(
  input: CreateInput,
  dedupKey: string | undefined,
  { start }: CheckedInput,
): CreateInput {
  const exact = { ...(dedupKey && { dedupKey }), ...(start && { startedAt: start.date }) };
  return { ...input, flags: { ...input.flags, ...exact } };
}

async function read(context: RunContext, { flags, global }: CreateInput, { fields, files }: CheckedInput) {
  const asksValues = flags.template !== undefined && canPrompt(context, global);
  const { createAskValue } = asksValues ? await import("./interactive.ts") : {};
  return readDefinitions(context, files, {
    ...flags,
    recurse: flags.recursive ?? false,
    fields,
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
    ask: createAskValue?.(context, global),
  });
}

async function ask(
  context: RunContext,
  { flags, global }: CreateInput,
  { fields }: CheckedInput,
  client: Client | undefined,
) {
  const { askForDefinition } = await import("./interactive.ts");
  const { checks, diagnostics } = await prepareChecks(context, flags);
  const problems = diagnostics();
  if (problems.length > 0) throw invalidFailure(problems, "correct the policy");
  const asked = await askForDefinition(context, global, fields, { client, checks });
  return { definitions: [asked.definition], discardDraft: asked.discardDraft, notApplicable: undefined };
}

/** Throws a `Failure` "confirmation" where --confirm has another digest. */
async function readConsent(
  context: RunContext,
  { settings }: Client,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): Promise<Consent> {
  if ((input.flags.confirm ?? settings.confirm?.value ?? "never") === "never") return { isNeeded: false };
  const { openConsent } = await import("../shared/consent/consent.ts");
  const { previewCreate } = await import("./preview.ts");
  return openConsent(context, settings, await previewCreate(context, settings, definitions, input), input);
}

function batchOptions(
  context: RunContext,
  { flags, global }: CreateInput,
  { delivery, state }: { readonly delivery: DeliveryOptions; readonly state: State },
  isStartRelative: boolean,
): BatchOptions {
  const confirm = (question: string) => async (problem: string) => {
    context.warn(problem);
    const answer = await context.prompts.ask(safe`${await wrapQuestion(context, question)} `);
    return answer !== undefined && isYes(answer);
  };
  return {
    ...delivery,
    confirmed: flags.confirm,
    claims: state.claims,
    key: flags.key,
    isNew: flags.new ?? false,
    isStartRelative,
    ...(canAsk(context, global) && {
      ...(!global.yes && { confirmSimilar: confirm("Declare another incident? [y/N]") }),
      confirmResend: ({ message }: Failure) => confirm(resendQuestion)(message),
      confirmWithoutLook: ({ message }: Failure) => confirm(withoutLookQuestion)(message),
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

function reportOf(
  context: RunContext,
  { global }: CreateInput,
  state: State,
  { client }: Connection,
  { acknowledge, how, incidents, outcome }: DedupResult,
  failure: Failure | undefined,
): PlainReport<typeof spec> {
  const { webUrl } = client.settings;
  const { env } = context.system;
  const withOutcome = (incident: Incident, index: number): Incident =>
    outcome || how[index] === "open" ? { how: outcome ?? "open", ...incident } : incident;
  const onPrinted = () =>
    bestEffort(context, async () => {
      if (env.GITHUB_OUTPUT || env.GITLAB_CI) {
        const { writeCiOutputs } = await import("../shared/ci-outputs.ts");
        const ids = incidents.map(({ id }) => id);
        await writeCiOutputs(context, { ids, created: ids.filter((_, at) => how[at] === "declared") });
      }
      const [incident] = incidents;
      if (incident !== undefined && webUrl === undefined && canAsk(context, global))
        context.info(await describeNextUpdate(context, client, incident));
      await acknowledge();
      await state.prune();
    });
  return { ...incidentsReport(incidents.map(withOutcome), webUrl, failure), onPrinted };
}

/** The failure with the fields of the definition that the service refused. */
async function withRefusal(failure: Failure, failed: LocatedDefinition | undefined): Promise<Failure> {
  if (failure.details.response === undefined) return failure;
  const { withRefusedFields } = await import("../shared/refusal-diagnostics.ts");
  return withRefusedFields(failure, failed?.locate);
}

const resendQuestion = "Send it again? If the first was created, there may be two. [y/N]";
const withoutLookQuestion = "Send it anyway? If it exists already, there may be two. [y/N]";
