// `incident create`: checks every file, then declares each incident in order, exactly once.
import { createAll, findAddingOperation } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { clientIds, type DeliveryOptions } from "../../delivery/delivery-options.ts";
import { idForText } from "../../delivery/incident-id.ts";
import { asDryRun, openDelivery } from "../../delivery/open-delivery.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Run, RunContext } from "../../kit/command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { warnOfForgetting } from "../sending/ci.ts";
import { openConsent } from "../sending/consent.ts";
import { createOverride, readFlags } from "../sending/fields.ts";
import { type Plan, planChangeRequests, planCreate } from "../sending/plan.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { sentReport } from "../shared/incident-list.ts";
import { areNamed, type CreateInput, checkInput, checkKeys, type spec } from "./spec.ts";

export { spec } from "./spec.ts";

interface CreateRun {
  readonly context: RunContext;
  readonly input: CreateInput;
  readonly definitions: readonly Definition[];
  readonly delivery: DeliveryOptions;
}

export const run: Run<typeof spec> = async (context, typed) => {
  const { asks, files, input } = checkInput(context, typed);
  const { flags } = input;
  if (asks) {
    // Check the settings before the first question.
    const delivery = await openDelivery(context, flags);
    const { askForIncidentFields, openDraftFile, withAnswers } = await import("../sending/dialogue.ts");
    const file = openDraftFile(context);
    return withAnswers(file.write, async (keep) => {
      const definition = await readFlags(context, flags, (draft, catalog) =>
        askForIncidentFields(context, delivery.client, catalog, draft, keep),
      );
      const report = await sendCreates(context, input, [definition], delivery);
      if (report.failure === undefined) file.remove();
      return report;
    });
  }
  if (files.length === 0 && flags.template === undefined)
    return sendCreates(context, input, [await readFlags(context, flags)]);
  const { definitions, notApplicable } = await readDefinitions(context, files, {
    ...flags,
    override: (catalog) => createOverride(flags, catalog),
  });
  if (notApplicable === undefined) return sendCreates(context, input, definitions);
  const { reportNotApplicable } = await import("./alert.ts");
  return reportNotApplicable(context, input, notApplicable);
};

/** `askedDelivery`: the delivery of a run that has asked a person. */
async function sendCreates(
  context: RunContext,
  given: CreateInput,
  located: readonly LocatedDefinition[],
  askedDelivery?: DeliveryOptions,
): Promise<Report<"incidents" | "requests">> {
  const { confirm, dryRun, new: isNew = false } = given.flags;
  const definitions = located.map(({ definition }) => definition);
  const dedupKey = given.flags.dedupKey ?? located[0]?.dedupKey;
  const flags = { ...given.flags, ...(dedupKey !== undefined && { dedupKey }) };
  const input = { ...given, flags };
  checkKeys(flags, definitions);
  const opened = askedDelivery ?? (await openDelivery(context, flags));
  const { alertStarts } = located[0] ?? {};
  const delivery: DeliveryOptions = { ...opened, alertStarts, isNew };
  const run: CreateRun = { context, input, definitions, delivery };
  const draft = { ...run, delivery: asDryRun(delivery) };
  const found = dryRun || confirm !== undefined ? await declare(draft) : undefined;
  if (found !== undefined && dryRun) return reportPreview(draft, found);
  const plan = await planOf(run, found);
  const [first] = plan.incidents;
  const isShown = askedDelivery !== undefined && first !== undefined;
  const page = isShown
    ? (await import("../sending/preview.ts")).pageForCustomers(undefined, first)
    : undefined;
  const consent = await openConsent(context, { ...plan, page });
  return declareAll({ ...run, delivery: { ...delivery, ...consent } });
}

/** `found`: the outcomes of the run on a draft. */
async function reportPreview(run: CreateRun, found: DedupResult): Promise<Report<"requests">> {
  const { context, definitions, input } = run;
  const raised = await raise(run, found);
  if (raised !== undefined && !("incident" in raised)) return raised;
  // One confirmation is one incident, and the next outage with the same words is another.
  const needsKey = definitions.length === 1 && !areNamed(input.flags, definitions);
  const key = needsKey && found.delivered[0]?.how === "unsent" ? context.system.random.guid() : undefined;
  const named = key === undefined ? run : { ...run, input: { ...input, flags: { ...input.flags, key } } };
  return (await import("../sending/preview.ts")).reportDryRun(context, await planOf(named, found));
}

/** `found`: the outcomes of the run on a draft. Without them, the plan declares each definition. */
async function planOf({ delivery, definitions, input }: CreateRun, found?: DedupResult): Promise<Plan> {
  const { dedupKey, key, new: isNew = false } = input.flags;
  const target = delivery.client.settings;
  const keyId = key && idForText(delivery.service, key);
  const adding = await findAddingOperation(delivery.operations, definitions);
  const incidents = definitions.map((definition, at) => {
    const one = found?.delivered[at];
    if (one !== undefined && one.how !== "unsent")
      return planChangeRequests(target, one.incident, one.rest ?? { posts: [] });
    const id = definition.id?.toLowerCase() ?? keyId ?? (dedupKey && one?.log.key.id);
    return planCreate(target, definition, id, adding);
  });
  return {
    input,
    target,
    incidents,
    adding,
    lacksIds: !areNamed(input.flags, definitions),
    terms: { dedupKey, isNew },
    subject: `Declare ${incidents.length === 1 ? `"${definitions[0]?.name}"` : `${incidents.length} incidents`}`,
  };
}

async function declareAll(run: CreateRun): Promise<Report<"incidents">> {
  const { delivery, context, input } = run;
  const { dedupKey } = input.flags;
  const declared = await declare(run);
  const { delivered, failure, outcome } = declared;
  const shown = delivered.map(({ incident }) => incident);
  const raised = await raise(run, declared);
  if (raised !== undefined && "incident" in raised) shown[0] = raised.incident;
  if (dedupKey !== undefined && clientIds(delivery) === "ignored")
    await warnOfForgetting(context, "the next one declares this incident again");
  const withHow = (incident: Incident, index: number): Incident =>
    outcome || delivered[index]?.how === "open" ? { how: outcome ?? "open", ...incident } : incident;
  return sentReport(delivery, shown.map(withHow), run.definitions.length, failure);
}

async function raise(run: CreateRun, { delivered, failure, outcome }: DedupResult) {
  const { delivery, definitions, input } = run;
  const { dedupKey } = input.flags;
  const [open] = delivered;
  const isOpenAlert = outcome === "open" && failure === undefined && delivery.alertStarts !== undefined;
  if (!isOpenAlert || dedupKey === undefined || open === undefined) return undefined;
  const { raiseSeverity } = await import("./alert.ts");
  const { severity } = definitions[0] as Definition;
  return raiseSeverity({ ...run, dedupKey }, open.incident, severity);
}

async function declare({ delivery, definitions, input }: CreateRun): Promise<DedupResult> {
  const { dedupKey } = input.flags;
  if (dedupKey === undefined) return createAll(delivery, definitions);
  const { createUnlessOpen } = await import("../../delivery/batch/dedup-key.ts");
  // An open incident of the key is the answer, so that no similar one is looked for.
  return createUnlessOpen({ ...delivery, isNew: true }, definitions[0] as Definition, dedupKey);
}
