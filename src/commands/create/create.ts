// `incident create`: checks every file, then declares each incident in order, exactly once.
import { type Connection, connect } from "../../api/connect.ts";
import { type BatchOptions, createAll, findAnswers } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { howUpdatesAreSent } from "../../delivery/batch/rest-of-updates.ts";
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
import { warnOfForgetting } from "../sending/ci.ts";
import { openConsent } from "../sending/consent.ts";
import { createOverride, readFlags } from "../sending/fields.ts";
import { type Plan, type PlannedIncident, planChanges, planCreate, warnOfUnknown } from "../sending/plan.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import { areNamed, type CreateInput, checkInput, checkKeys } from "./check-input.ts";
import { spec } from "./spec.ts";

export { spec } from "./spec.ts";

interface CreateRun {
  readonly input: CreateInput;
  readonly definitions: readonly LocatedDefinition[];
  readonly batch: BatchOptions;
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
    override: (catalog) => createOverride(fields, catalog),
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
  const { confirm, dryRun, key: ownKey, new: isNew = false } = given.flags;
  const dedupKey = given.flags.dedupKey ?? definitions[0]?.dedupKey;
  checkKeys({ ...given.flags, dedupKey }, definitions);
  const connection = asked ?? (await open(context, given));
  const { global } = given;
  const delivery = await openDelivery(context, connection, {
    ...global,
    ...given.flags,
    dedupKey,
  });
  const batch: BatchOptions = {
    ...delivery,
    alertStarts: definitions[0]?.alertStarts,
    confirmed: confirm,
    key: ownKey,
    isNew,
  };
  const plain = definitions.map(({ definition }) => definition);
  const looks = (dryRun || confirm !== undefined) && dedupKey === undefined;
  const answers = looks ? await findAnswers(batch, plain) : [];
  // One confirmation is one incident, and the next outage with the same words is another.
  const isNamed = areNamed({ key: ownKey, dedupKey }, definitions);
  const needsKey = dryRun && definitions.length === 1 && !isNamed && answers.length === 0;
  const key = needsKey ? context.system.random.guid() : ownKey;
  const flags = {
    ...given.flags,
    ...(key && { key }),
    ...(dedupKey && { dedupKey }),
    // The command line must mean the same instant later.
    ...(start && { startedAt: start }),
  };
  const input = { ...given, flags };
  const target = connection.client.settings;
  const keyId = key && idForText(delivery.service, key);
  const sent = await howUpdatesAreSent(delivery.operations, plain);
  const incidents = plain.map((definition) => {
    const answer = answers.find((each) => each.definition === definition);
    if (answer !== undefined) return planChanges(target, answer.incident, answer);
    return planCreate(target, definition, definition.id?.toLowerCase() ?? keyId, sent);
  });
  const [first] = incidents as [PlannedIncident];
  const plan: Plan = {
    spec,
    input,
    target,
    incidents,
    isNamed: areNamed(flags, definitions),
    terms: { dedupKey, isNew },
    subject: `Declare ${incidents.length === 1 ? `"${first.name}"` : `${incidents.length} incidents`}`,
    page: asked && (await import("../sending/preview.ts")).pageForCustomers(undefined, first),
  };
  if (dryRun) warnOfUnknown(context, sent);
  if (dryRun) return (await import("../sending/preview.ts")).reportDryRun(context, plan);
  const consent = await openConsent(context, plan);
  return declareAll(context, { input, definitions, batch: { ...batch, ...consent } }, connection);
}

async function declareAll(
  context: RunContext,
  { batch, definitions, input }: CreateRun,
  connection: Connection,
): Promise<Report<"incidents">> {
  const { dedupKey } = input.flags;
  const plain = definitions.map(({ definition }) => definition);
  const { failure, how, incidents, outcome } = await declare(batch, plain, dedupKey);
  const [alert] = definitions as [LocatedDefinition];
  const [found] = incidents;
  const isOpenAlert = outcome === "open" && failure === undefined && alert.alertStarts !== undefined;
  const shown =
    isOpenAlert && dedupKey !== undefined && found !== undefined
      ? [
          await (await import("./alert.ts")).raiseSeverity(
            { context, input, connection, delivery: batch, dedupKey },
            found,
            alert.definition.severity,
          ),
        ]
      : incidents;
  if (dedupKey !== undefined && !canBeFound(clientIds(batch)))
    warnOfForgetting(context, connection.journal, "the next one declares this incident again");
  const withHow = (incident: Incident, index: number): Incident =>
    outcome || how[index] === "open" ? { how: outcome ?? "open", ...incident } : incident;
  return {
    ...incidentsReport(shown.map(withHow), connection.client.settings.webUrl, failure),
    onPrinted: () => bestEffort(context, () => batch.journal.shorten()),
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
