// `incident apply`: brings the incident of each definition of a folder to the state in the file, any number of times.
import { setMaxListeners } from "node:events";
import { connect } from "../../api/connect.ts";
import { type KnownOperations, operationsOf } from "../../api/known-operations.ts";
import { type ApplyOptions, applyPlan } from "../../delivery/apply.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { type PlannedDefinition, planDefinitions, updatesToPost } from "../../delivery/plan.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { FlagsOf, Input, PlainReport, Run, RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { PlanFacts } from "../../view/plan.ts";
import { withBaseUrlSuspect } from "../shared/base-url/suspect-base-url.ts";
import { checkMemory } from "../shared/journal/own-journal.ts";
import { warnOfOtherPolicies } from "../shared/load-options.ts";
import { namedFiles } from "../shared/named-files.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { type AppliedFile, applyFailure, envelopeOf, withFiles } from "./apply-result.ts";
import { tellDrift, writeCiReport } from "./ci-report.ts";
import type { spec } from "./spec.ts";

type ApplyFlags = FlagsOf<typeof spec>;

const defaultConcurrency = 16;

/** For a shared journal: the creates that begin together share a push. */
const sharedConcurrency = 64;

/** A single create has fewer: among many runners, a request can be refused for its rate several times. */
const defaultRetries = 8;

export const run: Run<typeof spec> = async (context, input) => {
  const { operands, flags, global } = input;
  checkMemory(context, await context.workspace.journal(), flags.dryRun ?? false);
  const named = namedFiles(operands, flags.file);
  if (flags.confirm !== undefined) (await import("../shared/consent/consent.ts")).checkConfirmFlag(flags);
  const definitions = await readChecked(context, named, flags);

  if (flags.dryRun && (await context.workspace.settings()).key.setting === undefined) {
    const { planWithoutKey } = await import("./without-key.ts");
    const { facts, planned } = await planWithoutKey(context, input, definitions);
    return report(context, input, planned, facts);
  }

  // The first Ctrl-C lets the running requests finish, so they do not get its signal. A second one ends the process.
  // --deadline ends them.
  const { deadline: signal = new AbortController().signal } = context.system;
  const uninterrupted = { ...context, system: { ...context.system, signal } };
  // Each request adds a listener.
  setMaxListeners(0, signal);
  const patient = { ...global, maxRetries: defaultRetries };
  const connection = await connect(uninterrupted, { ...patient, readsDocument: true });
  const { client } = connection;
  const { webUrl } = client.settings;
  const { delivery, state } = await openDelivery(uninterrupted, connection, patient);
  await warnOfOtherPolicies(context, definitions);
  const plain = definitions.map(({ definition }) => definition);
  const applying: ApplyOptions = {
    ...delivery,
    confirmed: flags.confirm,
    stop: context.system.signal,
    concurrency: state.isShared ? sharedConcurrency : defaultConcurrency,
    recreate: flags.recreate ?? false,
    reopens: flags.reopen ?? false,
    overwrites: flags.force ?? false,
    operations: once(() => operationsOf(context, client.settings)),
    acceptsOwnIds: global.yes ?? false,
    progress: (done, all) => context.progress(done === all ? "" : `${done} of ${all}`),
  };

  const plan = await planDefinitions(applying, plain);
  const untried = plan.map((each) => ({ ...each, result: "not-tried" }) as const);
  const planned = withFiles(untried, definitions, webUrl);
  const { announcePlan, confirmPlan } = await import("./confirm-plan.ts");
  if (flags.dryRun || context.system.signal.aborted) {
    context.info("nothing was sent");
    const confirmable = await announcePlan(context, client.settings, planned, input);
    await tellDrift(context, input, planned);
    if (plan.length > 0 && plan.every(({ action }) => action === "create"))
      await (await import("../shared/base-url/unproven-url.ts")).warnOfUnproven(context, client);
    return report(context, input, planned, confirmable);
  }
  await confirmPlan(context, client.settings, planned, input);
  const applied = await applyPlan({ ...applying, beforeSend: noticeOf(context, global, plan) }, plan);
  const files = withFiles(applied, definitions, webUrl);
  await tellDrift(context, input, files);
  const result = await report(context, input, files);
  const failure = result.failure && (await withBaseUrlSuspect(context, result.failure, connection));
  return {
    ...result,
    ...(failure && { failure }),
    onPrinted: () => bestEffort(context, () => state.prune()),
  };
};

/** Reads the document for all definitions together; one that cannot be read stops only those that need it. */
function once(read: () => Promise<KnownOperations>): () => Promise<KnownOperations> {
  let known: Promise<KnownOperations> | undefined;
  return () => {
    known ??= read().then((each) =>
      each.isKnown
        ? each
        : { ...each, failure: each.failure.with({ kind: "unavailable", unreachable: false }) },
    );
    return known;
  };
}

function noticeOf(context: RunContext, global: GlobalFlags, plan: readonly PlannedDefinition[]) {
  const definitions = plan.flatMap((planned) => {
    if (planned.changes === undefined)
      return ["unchanged", "resolved", "known", "drifted"].includes(planned.action)
        ? []
        : [planned.definition];
    return [{ ...planned.definition, incidentUpdates: updatesToPost(planned) }];
  });
  // The plan that a person confirms already names the notified subscribers.
  return createNotificationNotice(context, global, definitions, undefined).give;
}

/** `confirmable` is for a dry run: the requests of the plan, their digest, and the command line that sends exactly these. */
async function report(
  context: RunContext,
  { flags }: Input<ApplyFlags>,
  applied: readonly AppliedFile[],
  confirmable?: Partial<PlanFacts>,
): Promise<PlainReport<typeof spec>> {
  const dryRun = confirmable !== undefined;
  const envelope = envelopeOf(applied, dryRun);
  const failure = applyFailure(applied, { ...flags, dryRun }, context.system.signal);
  if (!dryRun) await writeCiReport(context, envelope);
  return {
    data: { ...envelope, ...confirmable },
    ids: envelope.results.map(({ serviceId, id }) => serviceId ?? id),
    page: async (style) =>
      (await import("../../view/plan.ts")).renderPlan(style, { ...envelope, ...confirmable }),
    markdown: async () =>
      (await import("../../view/reports/summary.ts")).renderSummary({ ...envelope, ...confirmable }),
    ...(failure && { failure }),
  };
}

async function readChecked(
  context: RunContext,
  named: readonly string[],
  flags: ApplyFlags,
): Promise<readonly LocatedDefinition[]> {
  const files = named.length > 0 ? named : await context.workspace.definitionFolders();
  if (files.length === 0) {
    throw new Failure("usage", "there is nothing to apply", {
      hint: "name a folder or a file with -f, or - for stdin (-f -), or list the project's folders under definitions: in .incident.yaml",
    });
  }
  const options = { ...flags, recurse: flags.recursive ?? false, requireIds: true };
  return (await readDefinitions(context, files, options)).definitions;
}
